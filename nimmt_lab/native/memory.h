/* The two libc functions that the core uses. WebAssembly has neither libc nor its headers: see memory.c. */
#ifndef NIMMT_MEMORY_H
#define NIMMT_MEMORY_H

#if defined(__wasm__)
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);
#else
#include <string.h>
#endif

#endif
