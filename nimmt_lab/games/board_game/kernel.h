/* The functions of the board game's kernel (kernel.c, search.c). */
#ifndef NIMMT_BOARD_KERNEL_H
#define NIMMT_BOARD_KERNEL_H

#include "board_work.h"
#include "nimmt.h"

NL_API int32_t nl_board_layout(nl_field *into, int32_t count);

/* Play rounds from w->first on. Writes six integers per round and seat (points, three kinds of takes, turns with a
   take, win credit in units of 1/NL_CREDIT) into `out`, which has `size` bytes. */
NL_API int32_t nl_board_rounds(nl_board *b, int32_t rounds, int32_t *out, int32_t size);

/* Deal round b->first into b->state, and start the stream of choices in b->dice. */
NL_API int32_t nl_board_deal(nl_board *b);
/* Write the options of a seat with a decision into b->options, in the engine's order; return their number. */
NL_API int32_t nl_board_list(nl_board *b, int32_t seat);
/* Apply the choices of all deciding seats (b->choices, by seat) with their consequences. */
NL_API int32_t nl_board_step(nl_board *b);
/* Write the choices of the policies into b->choices. */
NL_API int32_t nl_board_choose(nl_board *b);

/* Add `playouts` playouts of each of b->options to b->stats: deal the hidden tiles and action cards, then let
   everybody play by b->policies to the end of the round. */
NL_API int32_t nl_board_search(nl_board *b, int32_t playouts);

/* Vectorised games (games.c). */
NL_GAMES(board, nl_board, void, uint8_t)

#endif
