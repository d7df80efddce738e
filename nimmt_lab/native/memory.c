/* memcpy and memset for WebAssembly, which has no libc; compilers emit calls to both. */
#include "memory.h"

#if defined(__wasm__)

/* Without no_builtin, compilers recognise the loops and replace them with calls to these same functions. */
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
