/* What the classic family's kernel offers; nimmt.h explains the conventions. */
#ifndef NIMMT_CLASSIC_H
#define NIMMT_CLASSIC_H

#include "nimmt.h"

enum { NL_CHANCES = 11 * 128 * 8, NL_WEIGHTS = 891 * 16 };

/* The network of network.py: chances of the turns to come, and what was learned. */
typedef struct {
    int32_t chance[NL_CHANCES], weights[NL_WEIGHTS];
} nl_network;

/* The same while it learns: a learning rate (0: only play), and one in `stray` choices at random. */
typedef struct {
    double rate;
    int64_t heads; /* what it has taken so far */
    int32_t stray, filler;
    int32_t chance[NL_CHANCES];
    float weights[NL_WEIGHTS], squares[NL_WEIGHTS], gains[16], gain_squares[16];
} nl_lesson;

/* Rounds (kernel.c). The workspace says what is played. */

/* Rounds w->first … on; NL_FIELDS bytes per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_classic_rounds(nl_work *w, int32_t rounds, uint8_t *out, int32_t size);
/* The same rounds added to totals: NL_TOTALS numbers per seat, `count` numbers in all. */
NL_API int32_t nl_classic_totals(nl_work *w, int32_t rounds, int64_t *totals, int32_t count);
/* Round w->first laid out in the workspace; then its turns, one a call. */
NL_API int32_t nl_classic_deal(nl_work *w);
NL_API int32_t nl_classic_turn(nl_work *w);

/* `playouts` more for each option of a searching seat, added to w->stats: w->cards are its hand, then what the others may
   hold; the table is as it lies now. Seats play on by their policy (16: by the network), or by one drawn from w->kinds as
   w->odds has it. A game that goes on after the round is judged by w->limit and w->halves. */
NL_API int32_t nl_classic_search(nl_work *w, const nl_network *net, int32_t playouts);
/* How often each of w->kinds would have played w->cards[0] on that table, into w->stats: of a hand of w->turns cards whose
   first w->n_options are known, in `samples` hands filled up from the next w->pool. w->unseen: all cards nobody had seen. */
NL_API int32_t nl_classic_watch(nl_work *w, const nl_network *net, int32_t samples);
/* By card (w->stats), in how many of `samples` such hands w->kinds[0] likes it better than w->cards[0], which it has played:
   all known cards and all of the pool in turn. */
NL_API int32_t nl_classic_clash(nl_work *w, const nl_network *net, int32_t samples);
/* Rounds w->first … on, played by everybody's policy (16: by the network) from the deal on: what w->me takes is added to the
   first of w->stats. */
NL_API int32_t nl_classic_company(nl_work *w, const nl_network *net, int32_t rounds);
/* Which of the w->turns cards at w->cards the network plays. */
NL_API int32_t nl_classic_judge(const nl_work *w, const nl_network *net);
/* Many games in step (games.c), each as the engine deals it from a seed and asks about it, one question a call. `games` is
   a record for each game, of nl_classic_game_size bytes. What the fields of w mean: kernel.py, `games`. */

/* Bytes of a record; NL_ACTIONS of kernel.py says how many actions there are. */
NL_API int32_t nl_classic_game_size(void);
/* Deal every game anew, from the seeds w->first … on. */
NL_API int32_t nl_classic_games_start(nl_work *w, void *games, int32_t size);
/* Everybody acts: `actions` has a number for each game and seat. What each seat got goes into `rewards`, by game and seat;
   into `ends`, by game, 1 where it is over, and 2 where an action was not allowed and ended it: these are dealt anew from
   w->first on. */
NL_API int32_t nl_classic_games_step(nl_work *w, void *games, int32_t size, const int16_t *actions, int32_t bytes,
                                     float *rewards, int32_t words, uint8_t *ends, int32_t count);
/* Actions by chance (w->rng) of those that are allowed, each as likely as the others. */
NL_API int32_t nl_classic_games_sample(nl_work *w, const void *games, int32_t size, int16_t *actions, int32_t bytes);
/* A 1 for every action that is allowed, by game, seat and action. */
NL_API int32_t nl_classic_games_masks(const nl_work *w, const void *games, int32_t size, uint8_t *masks, int32_t bytes);

/* So many rounds more of learning. */
NL_API int32_t nl_classic_learn(nl_work *w, nl_lesson *l, int32_t rounds);

#endif
