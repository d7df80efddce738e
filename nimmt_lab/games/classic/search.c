/* Playouts from a view, for bots that search: hidden cards are dealt out at random, then the round is played on. */
#include "family.h"
#include "network.h"

/* How the searching seat plays on, besides the policies: by what was learned. */
enum { TRAINED = 16 };

/* My cards and everybody else's, in random order. w->cards holds mine, then the `pool` cards the others may have (seat
   after seat when hands are open: then only their order is unknown). */
static void deal_out(nl_work *w) {
    nl_shuffle(&w->rng, w->cards, w->turns, w->turns);
    if (w->open)
        for (int other = 1; other < w->players; other++)
            nl_shuffle(&w->rng, w->cards + w->turns * other, w->turns, w->turns);
    else
        nl_shuffle(&w->rng, w->cards + w->turns, w->pool, w->turns * (w->players - 1));
}

/* Play the turns that are left with `play` as my first one; adds what everybody takes to `scores`. Only I may play on as
   TRAINED; what I have not seen shrinks with it. */
ALWAYS void play_out(const int flags, nl_work *w, const nl_network *net, const Table *start, int play, int32_t *scores) {
    const int n = w->players, turns = w->turns, trained = w->policies[w->me] == TRAINED;
    uint8_t hands[NL_SEATS][10];
    int32_t plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS], spare[NL_SEATS];
    uint64_t unseen[2] = {w->unseen[0], w->unseen[1]};
    Table t = *start;
    const uint8_t *next = w->cards + turns;
    for (int seat = 0; seat < n; seat++) {
        spare[seat] = w->spare[seat];
        if (seat == w->me) {
            int to = 0;
            hands[seat][to++] = (uint8_t)(play & 127);
            for (int i = 0; i < turns; i++)
                if (w->cards[i] != (play & 127)) hands[seat][to++] = w->cards[i];
        } else {
            memcpy(hands[seat], next, (size_t)turns);
            next += turns;
        }
    }
    for (int turn = 0; turn < turns; turn++) {
        for (int seat = 0; seat < n; seat++) {
            uint8_t *mine = hands[seat] + turn;
            int chosen = play;
            if (seat == w->me && trained && turn > 0) {
                int pick = choose_trained(&t, mine, turns - turn, unseen, net);
                chosen = mine[pick];
                mine[pick] = mine[0];
                mine[0] = (uint8_t)chosen;
            } else if (seat != w->me || turn > 0) {
                chosen = choose(flags, w->policies[seat], &t, w->risk, mine, turns - turn, spare[seat], &w->rng);
            }
            if (chosen >= TWISTED) spare[seat] = 0;
            plays[seat] = chosen;
        }
        if (trained)
            for (int seat = 0; seat < n; seat++) drop_card(unseen, plays[seat] & 127);
        play_turn(flags, n, &t, w->heads, plays, w->lows, order, log, &w->rng);
        for (int seat = 0; seat < n; seat++) scores[seat] += log[seat] >> 8;
    }
}

ALWAYS void search(const int flags, nl_work *w, const nl_network *net, int playouts) {
    const int n = w->players;
    Table start;
    get_table(w, &start);
    for (int i = 0; i < playouts; i++) {
        w->rng = nl_stream(w->key, w->first++);
        deal_out(w);
        for (int o = 0; o < w->n_options; o++) {
            /* Every option meets the same hands: what differs is what the option does. */
            int32_t scores[NL_SEATS];
            memcpy(scores, w->points, sizeof scores);
            play_out(flags, w, net, &start, w->options[o], scores);
            int fewest = scores[w->me], ties = 0;
            for (int seat = 0; seat < n; seat++) fewest = scores[seat] < fewest ? scores[seat] : fewest;
            for (int seat = 0; seat < n; seat++) ties += scores[seat] == fewest;
            int64_t mine = scores[w->me] - w->points[w->me];
            w->stats[3 * o] += mine;
            w->stats[3 * o + 1] += mine * mine;
            if (scores[w->me] == fewest) w->stats[3 * o + 2] += NL_CREDIT / ties;
        }
    }
}

static __attribute__((noinline)) void search_classic(nl_work *w, const nl_network *net, int playouts) {
    search(0, w, net, playouts);
}
static __attribute__((noinline)) void search_any(nl_work *w, const nl_network *net, int playouts) {
    search(w->flags, w, net, playouts);
}

static int check_search(nl_work *w, const nl_network *net) {
    int trained = w->me >= 0 && w->me < NL_SEATS && w->policies[w->me] == TRAINED && w->flags == 0;
    if (trained) w->policies[w->me] = RANDOM;
    int wrong = check_settings(w, POLICIES);
    if (trained) w->policies[w->me] = TRAINED;
    if (!wrong) wrong = check_table(w);
    if (wrong) return wrong;
    int theirs = w->turns * (w->players - 1);
    if (w->me < 0 || w->me >= w->players || w->turns < 1 || w->turns > w->hand) return NL_BAD_SIZE;
    if (w->pool < theirs || w->turns + w->pool > LAST_CARD || (w->open && w->pool != theirs)) return NL_BAD_SIZE;
    if (check_cards(w->cards, w->turns + w->pool)) return NL_BAD_CODE;
    if (w->n_options < 1 || w->n_options > NL_OPTIONS) return NL_BAD_SIZE;
    for (int o = 0; o < w->n_options; o++) {
        int card = w->options[o] & 127, held = 0;
        if (w->options[o] < 0 || w->options[o] > TWISTED + LAST_CARD) return NL_BAD_CODE;
        if (w->options[o] >= TWISTED && (!(w->flags & NUMBER_TWISTER) || !twistable(w->flags, card))) return NL_BAD_CODE;
        for (int i = 0; i < w->turns; i++) held += w->cards[i] == card;
        if (held != 1) return NL_BAD_CODE;
    }
    for (int seat = 0; seat < w->players; seat++)
        if (w->points[seat] < -1000000 || w->points[seat] > 1000000) return NL_BAD_SIZE;
    return trained ? check_network(net) : NL_OK;
}

NL_API int32_t nl_classic_search(nl_work *w, const nl_network *net, int32_t playouts) {
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    int wrong = check_search(w, net);
    if (wrong) return wrong;
    (w->flags ? search_any : search_classic)(w, net, playouts);
    return NL_OK;
}

NL_API int32_t nl_classic_judge(const nl_work *w, const nl_network *net) {
    int wrong = check_table(w);
    if (!wrong) wrong = check_network(net);
    if (wrong) return wrong;
    if (w->flags) return NL_BAD_CODE;
    if (w->turns < 1 || w->turns > 10) return NL_BAD_SIZE;
    if (check_cards(w->cards, w->turns)) return NL_BAD_CODE;
    Table t;
    get_table(w, &t);
    return choose_trained(&t, w->cards, w->turns, w->unseen, net);
}
