/* Structure layouts for callers. A structure is declared only in C. The compiler fills in a table of the fields that
   callers use, from which nimmt_lab/native/layout.py builds the Python side when it loads the core:

       #define SELF point
       static const nl_field FIELDS[] = {NL_OWN(x, y), NL_PART(belief, settle, doubt), NL_GRIDS(rows)};
       NL_API int32_t nl_point_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }
*/
#ifndef NIMMT_LAYOUT_H
#define NIMMT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* A field: its type (the code in Python's array module, plus 256 for an array), its offset and size in bytes, and, if it
   has several dimensions, the bytes per line. */
typedef struct {
    char name[24];
    int32_t code, offset, size, line;
} nl_field;

#define NL_TYPE(type, code) \
    type:                   \
    code, type * : code + 256
#define NL_CODE(member)         \
    _Generic((member),          \
        NL_TYPE(int8_t, 'b'),   \
        NL_TYPE(uint8_t, 'B'),  \
        NL_TYPE(int16_t, 'h'),  \
        NL_TYPE(uint16_t, 'H'), \
        NL_TYPE(int32_t, 'i'),  \
        NL_TYPE(int64_t, 'q'),  \
        NL_TYPE(uint64_t, 'Q'), \
        NL_TYPE(float, 'f'),    \
        NL_TYPE(double, 'd'))
#define NL_OF(member) ((SELF *)0)->member
#define NL_ENTRY(name, member, code, line) {#name, code, offsetof(SELF, member), sizeof(NL_OF(member)), line}

/* Up to twelve numbers or arrays, in the structure (OWN) or in one of its members (PART); arrays of two dimensions (GRID)
   or three (CUBE). AS gives a field another name. */
#define NL_OWN(...) NL_EACH(NL_OWN_FIELD, , __VA_ARGS__)
#define NL_PART(part, ...) NL_EACH(NL_PART_FIELD, part, __VA_ARGS__)
#define NL_AS(name, member) NL_ENTRY(name, member, NL_CODE(NL_OF(member)), 0)
#define NL_GRID_AS(name, member) NL_ENTRY(name, member, NL_CODE(NL_OF(member)[0]), sizeof(NL_OF(member)[0]))
#define NL_CUBE(member) NL_ENTRY(member, member, NL_CODE(NL_OF(member)[0][0]), sizeof(NL_OF(member)[0]))
#define NL_GRIDS(...) NL_EACH(NL_OWN_GRID, , __VA_ARGS__)
#define NL_PART_GRIDS(part, ...) NL_EACH(NL_PART_GRID, part, __VA_ARGS__)

#define NL_OWN_FIELD(part, name) NL_AS(name, name)
#define NL_PART_FIELD(part, name) NL_AS(name, part.name)
#define NL_OWN_GRID(part, name) NL_GRID_AS(name, name)
#define NL_PART_GRID(part, name) NL_GRID_AS(name, part.name)
#define NL_1(m, p, a) m(p, a)
#define NL_2(m, p, a, ...) m(p, a), NL_1(m, p, __VA_ARGS__)
#define NL_3(m, p, a, ...) m(p, a), NL_2(m, p, __VA_ARGS__)
#define NL_4(m, p, a, ...) m(p, a), NL_3(m, p, __VA_ARGS__)
#define NL_5(m, p, a, ...) m(p, a), NL_4(m, p, __VA_ARGS__)
#define NL_6(m, p, a, ...) m(p, a), NL_5(m, p, __VA_ARGS__)
#define NL_7(m, p, a, ...) m(p, a), NL_6(m, p, __VA_ARGS__)
#define NL_8(m, p, a, ...) m(p, a), NL_7(m, p, __VA_ARGS__)
#define NL_9(m, p, a, ...) m(p, a), NL_8(m, p, __VA_ARGS__)
#define NL_10(m, p, a, ...) m(p, a), NL_9(m, p, __VA_ARGS__)
#define NL_11(m, p, a, ...) m(p, a), NL_10(m, p, __VA_ARGS__)
#define NL_12(m, p, a, ...) m(p, a), NL_11(m, p, __VA_ARGS__)
#define NL_THIRTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, ...) m
#define NL_CHOSEN(...) \
    NL_THIRTEENTH(__VA_ARGS__, NL_12, NL_11, NL_10, NL_9, NL_8, NL_7, NL_6, NL_5, NL_4, NL_3, NL_2, NL_1, 0)
#define NL_EACH(m, p, ...) NL_CHOSEN(__VA_ARGS__)(m, p, __VA_ARGS__)

#endif
