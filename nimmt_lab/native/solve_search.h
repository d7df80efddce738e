/* The search of one position, a part at a time (solve_search.c); nl_solve.c is its outside. */
#ifndef NIMMT_SOLVE_SEARCH_H
#define NIMMT_SOLVE_SEARCH_H

#include "solve_work.h"

/* Begin a question about the position at the root: its bounds for a window. full: take no short cut there, so that the
 * table of the turn holds the proof of the whole answer. */
void begin_search(work *w, int64_t alpha, int64_t beta, int full);

/* Begin to make entries of the table of the turn exact that begin_search (full) has left: those against the mixes found,
 * or all. */
void begin_refining(work *w, int all);

/* Go on until done (1), or until so many positions have been searched (0). With w->stop set: give up now, keeping what is
 * proved. */
int go_on(work *w, int64_t nodes);

#endif
