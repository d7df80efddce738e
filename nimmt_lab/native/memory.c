/* WebAssembly has no libc: the two functions compilers call by themselves. */
#include "memory.h"

#if defined(__wasm__)

/* Without these attributes a compiler sees through the loops and calls the functions it is just compiling. */
__attribute__((no_builtin)) void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (size--) *t++ = *f++;
    return to;
}

__attribute__((no_builtin)) void *memset(void *to, int value, size_t size) {
    unsigned char *t = to;
    while (size--) *t++ = (unsigned char)value;
    return to;
}
#else
typedef int nl_nothing_here; /* ISO C wants a declaration in every file */
#endif
