/* The functions of the board game's kernel (kernel.c, search.c). */
#ifndef NIMMT_BOARD_KERNEL_H
#define NIMMT_BOARD_KERNEL_H

#include "board_work.h"
#include "nimmt.h"

NL_API int32_t nl_board_layout(nl_field *into, int32_t count);

/* Rounds w->first … on: per round and seat six whole numbers (points, rows taken three ways, turns in which that happened,
   win credit in parts of NL_CREDIT) into `out`, which has room for `size` bytes. */
NL_API int32_t nl_board_rounds(nl_board *b, int32_t rounds, int32_t *out, int32_t size);

/* Round b->first dealt into b->state, with the stream of the choices in b->dice. */
NL_API int32_t nl_board_deal(nl_board *b);
/* The options of the seat `seat` that is asked something, in the engine's order, into b->options; gives how many. */
NL_API int32_t nl_board_list(nl_board *b, int32_t seat);
/* Apply the choices of all deciding seats (b->choices, by seat) with their consequences. */
NL_API int32_t nl_board_step(nl_board *b);
/* Write the choices of the policies into b->choices. */
NL_API int32_t nl_board_choose(nl_board *b);

/* `playouts` more for each of b->options, added to b->stats: hidden tiles and action cards are dealt out, then everybody
   plays on by b->policies until the round is over. */
NL_API int32_t nl_board_search(nl_board *b, int32_t playouts);

/* Many games in step (games.c). */
NL_GAMES(board, nl_board, void, uint8_t)

#endif
