/* Resumable search of one position (solve_search.c); solve.c is its interface. */
#ifndef NIMMT_SOLVE_SEARCH_H
#define NIMMT_SOLVE_SEARCH_H

#include "solve_work.h"

/* Start searching the root for its bounds within a window. full: take no shortcut at the root, so that the table of its
 * turn contains the proof of the whole answer. */
void begin_search(work *w, int64_t alpha, int64_t beta, int full);

/* Start making exact the entries of the turn that begin_search (full) left open: those against the mixed strategies found,
 * or all. */
void begin_refining(work *w, int all);

/* Continue until done (1), or until this many positions have been searched (0). If w->stop is set, abort now and keep
 * proved bounds. */
int go_on(work *w, int64_t nodes);

#endif
