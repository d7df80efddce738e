/* Positions with one fan card for the solver (solve_marked.h): each is unpacked into a table, played by the kernel's own
 * functions and packed again. A kind is the card's flag. In a marker, bits 0-1 are the marked row, bit 2 what it shows (1:
 * odd, or arrows down), and from bit 3 on the seats whose twister is unused. */
/* A row's numbers are unpacked one by one; as vectors they would be read back before they are stored, which is slow. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif
#include "games/classic/placing.h"
#include "solve_marked.h"

/* A function for each kind, with the rules of its card as a constant. It takes the kind, too: then the call is a jump. */
#define FOR_KIND(flag, name, type, signature, ...) \
    static type name##_##flag signature {          \
        (void)kind;                                \
        return name(USUAL(flag), __VA_ARGS__);     \
    }
#define BY_KIND(name, type, signature, ...)                                                            \
    FOR_KIND(EVEN_ODD, name, type, signature, __VA_ARGS__)                                             \
    FOR_KIND(MOUNTAIN, name, type, signature, __VA_ARGS__)                                             \
    FOR_KIND(JUMPING_COW, name, type, signature, __VA_ARGS__)                                          \
    FOR_KIND(NUMBER_TWISTER, name, type, signature, __VA_ARGS__)                                       \
    static type(*const name##_by[NUMBER_TWISTER + 1]) signature = {[EVEN_ODD] = name##_EVEN_ODD,       \
                                                                   [MOUNTAIN] = name##_MOUNTAIN,       \
                                                                   [JUMPING_COW] = name##_JUMPING_COW, \
                                                                   [NUMBER_TWISTER] = name##_NUMBER_TWISTER};

int good_kind(int kind) {
    return kind == 0 || kind == EVEN_ODD || kind == MOUNTAIN || kind == JUMPING_COW || kind == NUMBER_TWISTER;
}
int has_other_ways(int kind) { return kind == NUMBER_TWISTER; }
int has_other_way(int kind, int card) { return has_other_ways(kind) && twistable(kind, card); }

int placing_key(int action, const uint8_t *cards, int seat) {
    int card = cards[action & CARD_INDEX];
    return place_in_order(USUAL(NUMBER_TWISTER), action & OTHER_WAY ? card + TWISTED : card, seat);
}

/* Only what a placement needs is unpacked, because the search does little else. */
ALWAYS void unpack_row(uint64_t rows, int row, Table *t) {
    int word = rows >> 16 * row & ROW_WORD;
    t->end[row] = word & 127;
    t->count[row] = word >> 7 & 7;
    t->sum[row] = word >> 10;
}

ALWAYS void unpack_ends(uint64_t rows, Table *t) {
    for (int row = 0; row < USUAL_ROWS; row++) t->end[row] = rows >> 16 * row & 127;
}

ALWAYS void unpack_marker(const Rules r, int marker, Table *t) {
    if (r.flags & EVEN_ODD) {
        t->mark[EVEN_ODD_MARK] = marker & 3;
        t->shows[EVEN_ODD_MARK] = marker >> 2 & 1;
    } else if (r.flags & MOUNTAIN) {
        t->mark[MOUNTAIN_MARK] = marker & 3;
        t->shows[MOUNTAIN_MARK] = marker & 4 ? 1 : -1;
    } else if (r.flags & JUMPING_COW) t->mark[COW_MARK] = marker & 3;
}

int good_marker(int kind, int marker, int players) {
    if (kind == NUMBER_TWISTER) return (marker & ~(((1 << players) - 1) << 3)) == 0;
    if (marker & ~(kind == EVEN_ODD || kind == MOUNTAIN ? 7 : kind == JUMPING_COW ? 3 : 0)) return 0;
    if (kind != MOUNTAIN) return 1;
    Table t;
    unpack_marker(USUAL(MOUNTAIN), marker, &t);
    return mountain_stands(&t, USUAL_ROWS);
}

ALWAYS int pack_marker(const Rules r, const Table *t, int marker) {
    if (r.flags & EVEN_ODD) return t->mark[EVEN_ODD_MARK] | t->shows[EVEN_ODD_MARK] << 2;
    if (r.flags & MOUNTAIN) return t->mark[MOUNTAIN_MARK] | (t->shows[MOUNTAIN_MARK] > 0) << 2;
    return r.flags & JUMPING_COW ? t->mark[COW_MARK] : marker;
}

ALWAYS int row_for(const Rules r, uint64_t rows, int marker, int value) {
    Table t;
    unpack_ends(rows, &t);
    unpack_marker(r, marker, &t);
    return target(r, &t, value);
}

BY_KIND(row_for, int, (int kind, uint64_t rows, int marker, int value), rows, marker, value)
int marked_row(int kind, uint64_t rows, int marker, int value) { return row_for_by[kind](kind, rows, marker, value); }

ALWAYS uint64_t pack_row(uint64_t rows, int row, const Table *t, int at) {
    uint64_t word = (uint64_t)(t->end[at] | t->count[at] << 7 | t->sum[at] << 10);
    return (rows & ~(ROW_WORD << 16 * row)) | word << 16 * row;
}

ALWAYS laid put(const Rules r, uint64_t rows, int marker, int row, int card, int low, const uint8_t *heads) {
    const int has_cow = r.flags & JUMPING_COW && (marker & 3) == row;
    Table t;
    if (!has_cow) {
        /* Alone as row 0, its numbers stay in registers. */
        unpack_row(rows >> 16 * row, 0, &t);
        t.mark[COW_MARK] = 1;
        const int took = low ? LOW_CARD : is_full(r, &t, 0) ? FULL_ROW : 0;
        if (!took || !(r.flags & (EVEN_ODD | MOUNTAIN))) {
            const int log = lay_card(r, &t, heads, card, 0, took);
            return (laid){pack_row(rows, row, &t, 0), marker, log >> 8};
        }
    }
    /* A marker moves, to where the ends of rows may send it. */
    const int first = r.flags & JUMPING_COW ? 0 : row, last = r.flags & JUMPING_COW ? USUAL_ROWS - 1 : row;
    if (r.flags & EVEN_ODD) unpack_ends(rows, &t);
    for (int at = first; at <= last; at++) unpack_row(rows, at, &t);
    unpack_marker(r, marker, &t);
    const int log = lay_card(r, &t, heads, card, row, low ? LOW_CARD : is_full(r, &t, row) ? FULL_ROW : 0);
    for (int at = first; at <= last; at++) rows = pack_row(rows, at, &t, at);
    return (laid){rows, pack_marker(r, &t, marker), log >> 8};
}

BY_KIND(put, laid, (int kind, uint64_t rows, int marker, int row, int card, int low, const uint8_t *heads), rows,
        marker, row, card, low, heads)
laid marked_put(int kind, uint64_t rows, int marker, int row, int card, int low, const uint8_t *heads) {
    return put_by[kind](kind, rows, marker, row, card, low, heads);
}

int marked_cheapest_row(uint64_t rows) {
    Table t;
    for (int row = 0; row < USUAL_ROWS; row++) unpack_row(rows, row, &t);
    return cheapest(USUAL(0), &t);
}

int marked_rows(const int32_t *rows, const uint8_t *owner, uint64_t *into) {
    *into = 0;
    for (int index = 0; index < USUAL_ROWS; index++) {
        const int32_t *row = rows + 3 * index;
        if (!good_row(row) || owner[row[0]]) return 0;
        for (int other = 0; other < index; other++)
            if (rows[3 * other] == row[0]) return 0;
        *into |= (uint64_t)(row[0] | row[1] << 7 | row[2] << 10) << (16 * index);
    }
    return 1;
}

int marked_actions(int kind, uint32_t mask, int has_other_way_left, const uint8_t *cards, uint8_t *into) {
    int count = 0;
    for (; mask; mask &= mask - 1) {
        int index = lowest_bit(mask);
        into[count++] = (uint8_t)index;
        if (has_other_way_left && has_other_way(kind, cards[index])) into[count++] = (uint8_t)(index | OTHER_WAY);
    }
    return count;
}
