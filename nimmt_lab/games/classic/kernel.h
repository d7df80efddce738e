/* The functions of the classic family's kernel; nimmt.h explains the conventions. */
#ifndef NIMMT_CLASSIC_H
#define NIMMT_CLASSIC_H

#include "nimmt.h"
#include "games/classic/workspace.h"

enum { NL_CHANCES = 11 * 128 * 8, NL_WEIGHTS = 891 * 16 };

/* The network of network.py: probabilities for the coming turns, and the weights. */
typedef struct {
    int32_t chance[NL_CHANCES], weights[NL_WEIGHTS];
} nl_network;

enum { NL_AHEAD_LINES = 1168, NL_AHEAD_WIDE = 32, NL_AHEAD_MOST = 1000 };

/* A network of ahead.py, in units of 1/64 (features: 1/32). Without features it uses only the signals. Two inputs at a
   time, as processors multiply them. */
typedef struct {
    int16_t lined, filler[3];
    int16_t signals[16][NL_AHEAD_WIDE][2], late[NL_AHEAD_WIDE / 2][16][2], base[16], out[16];
    int16_t lines[NL_AHEAD_LINES][NL_AHEAD_WIDE];
} nl_ahead;

/* Rounds (kernel.c). The workspace contains the settings. */

NL_API int32_t nl_classic_layout(nl_field *into, int32_t count);
/* Play rounds from w->first on. Writes NL_FIELDS bytes per round and seat into `out`, which has `size` bytes. */
NL_API int32_t nl_classic_rounds(nl_classic *w, int32_t rounds, uint8_t *out, int32_t size);
/* The same, added to totals: NL_TOTALS numbers per seat, `count` numbers in all. */
NL_API int32_t nl_classic_totals(nl_classic *w, int32_t rounds, int64_t *totals, int32_t count);
/* Deal round w->first into the workspace; then play it one turn per call. */
NL_API int32_t nl_classic_deal(nl_classic *w);
NL_API int32_t nl_classic_turn(nl_classic *w);

/* Play rounds from w->first on, each dealt from a seed of its own, by `players` (three bytes a seat, by round), and write
   every choice into `out` (choices.c). Returns their number. Knows neither fan cards nor other tables. */
NL_API int32_t nl_classic_choices(nl_classic *w, int32_t rounds, const uint8_t *players, int32_t listed, uint8_t *out,
                                  int32_t size);

/* Add `playouts` playouts of each option of a searching seat to w->stats. w->cards has its hand, then the cards the
   others may have; the table is the current one. Seats play by their policy (16: the network), or by one drawn from
   w->kinds with the odds in w->odds. If the game continues after the round, it is judged by w->limit and w->halves. */
NL_API int32_t nl_classic_search(nl_classic *w, const nl_network *net, int32_t playouts);
/* How often each of w->kinds would have played w->cards[0] on that table, into w->stats. The hand has w->turns cards,
   of which the first w->n_options are known; `samples` hands are completed from the next w->pool cards. w->unseen:
   all cards unseen by everybody. */
NL_API int32_t nl_classic_watch(nl_classic *w, const nl_network *net, int32_t samples);
/* By card (w->stats), in how many of `samples` such hands w->kinds[0] prefers it to w->cards[0], the card it played.
   Tries all known cards and all of the pool. */
NL_API int32_t nl_classic_clash(nl_classic *w, const nl_network *net, int32_t samples);
/* Play rounds from w->first on from the deal, by everybody's policy (16: the network), and add what w->me takes to
   the first of w->stats. */
NL_API int32_t nl_classic_company(nl_classic *w, const nl_network *net, int32_t rounds);
/* The index of the card that the network plays from the w->turns cards at w->cards. */
NL_API int32_t nl_classic_judge(const nl_classic *w, const nl_network *net);

/* Players that learned to end ahead (ahead.c). The network in `net` is for policy 16; its probabilities are for all. */

/* The index of the card that the network plays from the w->turns cards at w->cards; the score of each goes into
   w->stats. w->unseen: what the others may hold; w->taken: what each seat took in this round. */
NL_API int32_t nl_classic_ahead(nl_classic *w, const nl_network *net, const nl_ahead *mind);
/* A search like nl_classic_search, in which every seat plays by `mind`. For each option also its gain over w->usual
   (an index; -1: none) and the square of the gain, in units of 1/NL_CREDIT, into w->gains. */
NL_API int32_t nl_classic_ponder(nl_classic *w, const nl_network *net, const nl_ahead *mind, int32_t playouts);
/* Play rounds from w->first on: the heads that each seat takes, one byte per round and seat. Policy 17 plays by
   `mind`, 18 by `other`. */
NL_API int32_t nl_classic_meet(nl_classic *w, const nl_network *net, const nl_ahead *mind, const nl_ahead *other,
                               int32_t rounds, uint8_t *out, int32_t size);
/* Vectorised games (games.c); kernel.py, `games`, explains the fields of w. The network is for policy 16. */
NL_GAMES(classic, nl_classic, void, nl_network)

#endif
