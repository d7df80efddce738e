/* The functions of the classic family's kernel; nimmt.h explains the conventions. */
#ifndef NIMMT_CLASSIC_H
#define NIMMT_CLASSIC_H

#include "nimmt.h"
#include "games/classic/workspace.h"

enum { NL_CHANCES = 11 * 128 * 8, NL_WEIGHTS = 891 * 16 };

/* The network of network.py: chances of the turns to come, and what was learned. */
typedef struct {
    int32_t chance[NL_CHANCES], weights[NL_WEIGHTS];
} nl_network;

enum { NL_AHEAD_LINES = 1168, NL_AHEAD_WIDE = 32, NL_AHEAD_MOST = 1000 };

/* A network of ahead.py, all in parts of 64 (lines: of 32): without lines it sees the signals only. */
typedef struct {
    int16_t lined, filler[3];
    int16_t signals[NL_AHEAD_WIDE][32], late[16][NL_AHEAD_WIDE], base[16], out[16];
    int16_t lines[NL_AHEAD_LINES][NL_AHEAD_WIDE];
} nl_ahead;

/* Rounds (kernel.c). The workspace says what is played. */

NL_API int32_t nl_classic_layout(nl_field *into, int32_t count);
/* Rounds w->first … on; NL_FIELDS bytes per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_classic_rounds(nl_classic *w, int32_t rounds, uint8_t *out, int32_t size);
/* The same rounds added to totals: NL_TOTALS numbers per seat, `count` numbers in all. */
NL_API int32_t nl_classic_totals(nl_classic *w, int32_t rounds, int64_t *totals, int32_t count);
/* Round w->first laid out in the workspace; then its turns, one a call. */
NL_API int32_t nl_classic_deal(nl_classic *w);
NL_API int32_t nl_classic_turn(nl_classic *w);

/* `playouts` more for each option of a searching seat, added to w->stats: w->cards are its hand, then what the others may
   hold; the table is as it lies now. Seats play on by their policy (16: by the network), or by one drawn from w->kinds as
   w->odds has it. A game that goes on after the round is judged by w->limit and w->halves. */
NL_API int32_t nl_classic_search(nl_classic *w, const nl_network *net, int32_t playouts);
/* How often each of w->kinds would have played w->cards[0] on that table, into w->stats: of a hand of w->turns cards whose
   first w->n_options are known, in `samples` hands filled up from the next w->pool. w->unseen: all cards nobody had seen. */
NL_API int32_t nl_classic_watch(nl_classic *w, const nl_network *net, int32_t samples);
/* By card (w->stats), in how many of `samples` such hands w->kinds[0] likes it better than w->cards[0], which it has played:
   all known cards and all of the pool in turn. */
NL_API int32_t nl_classic_clash(nl_classic *w, const nl_network *net, int32_t samples);
/* Rounds w->first … on, played by everybody's policy (16: by the network) from the deal on: what w->me takes is added to the
   first of w->stats. */
NL_API int32_t nl_classic_company(nl_classic *w, const nl_network *net, int32_t rounds);
/* Which of the w->turns cards at w->cards the network plays. */
NL_API int32_t nl_classic_judge(const nl_classic *w, const nl_network *net);

/* Players that learned to end ahead (ahead.c); the network of `net` is for policy 16, its chances are for all. */

/* Which of the w->turns cards at w->cards the network plays; how it likes each of them goes into w->stats. w->unseen: what
   the others may hold; w->taken: what each seat took in this round. */
NL_API int32_t nl_classic_ahead(nl_classic *w, const nl_network *net, const nl_ahead *mind);
/* A search as nl_classic_search, in which every seat plays by `mind`. Of each option also what it gains over w->usual (an
   index; -1: none) and the square of that, in parts of NL_CREDIT, into w->gains. */
NL_API int32_t nl_classic_ponder(nl_classic *w, const nl_network *net, const nl_ahead *mind, int32_t playouts);
/* Rounds w->first … on: the heads that each seat takes, a byte for each round and seat. Policy 17 plays by `mind`, 18 by
   `other`. */
NL_API int32_t nl_classic_meet(nl_classic *w, const nl_network *net, const nl_ahead *mind, const nl_ahead *other,
                               int32_t rounds, uint8_t *out, int32_t size);
/* Many games in step (games.c); what the fields of w mean: kernel.py, `games`. The network is for policy 16. */
NL_GAMES(classic, nl_classic, void, nl_network)

#endif
