/* Playouts from a view: hidden cards are dealt at random, then the round is played to its end. */
/* As vectors, the numbers of rows would be read back before they are stored, which is slow. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#include "family.h"
#include "network.h"
#include "belief.h"
#include "credit.h"

/* My cards and everybody else's, in random order. w->cards has mine, then the `pool` cards the others may have (seat
   by seat when hands are open: then only their order is unknown). */
static void deal_out(nl_classic *w) {
    nl_shuffle(&w->rng, w->cards, w->turns, w->turns);
    if (w->open)
        for (int other = 1; other < w->players; other++)
            nl_shuffle(&w->rng, w->cards + w->turns * other, w->turns, w->turns);
    else nl_shuffle(&w->rng, w->cards + w->turns, w->pool, w->turns * (w->players - 1));
    if (w->open || !w->belief.settle) return;
    nl_hand hands[NL_SEATS];
    for (int other = 0; other < w->players - 1; other++)
        hands[other] = (nl_hand){other < w->me ? other : other + 1, w->turns * other, w->turns};
    settle_hands(&w->belief, &w->rng, w->cards + w->turns, w->pool, hands, w->players - 1);
}

/* Play the remaining turns with `play` as my first card (-1: by policy), and add what each seat takes to `scores`. A
   TRAINED seat has not seen the unplayed cards, except its own. */
ALWAYS void play_out(const Rules r, nl_classic *w, const nl_network *net, const Table *start, const int32_t *kinds,
                     int play, int32_t *scores) {
    const int n = w->players, turns = w->turns;
    uint8_t hands[NL_SEATS][10];
    int32_t plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS], spare[NL_SEATS];
    uint64_t hidden[2] = {w->unseen[0], w->unseen[1]};
    Table t = *start;
    const uint8_t *next = w->cards + turns;
    for (int seat = 0; seat < n; seat++) {
        spare[seat] = w->spare[seat];
        if (seat == w->me) {
            int to = 0;
            if (play >= 0) hands[seat][to++] = (uint8_t)(play & 127);
            for (int i = 0; i < turns; i++)
                if (play < 0 || w->cards[i] != (play & 127)) hands[seat][to++] = w->cards[i];
        } else {
            memcpy(hands[seat], next, (size_t)turns);
            next += turns;
        }
    }
    for (int i = 0; i < turns; i++) add_card(hidden, w->cards[i]);
    for (int turn = 0; turn < turns; turn++) {
        for (int seat = 0; seat < n; seat++) {
            uint8_t *mine = hands[seat] + turn;
            int chosen = play;
            if (seat == w->me && turn == 0 && play >= 0) {
            } else if (w->stray[seat] && (int)nl_below(&w->rng, 256) < w->stray[seat]) {
                chosen = mine[0]; /* the hand may be in any order */
            } else if (kinds[seat] == TRAINED) {
                uint64_t unseen[2] = {hidden[0], hidden[1]};
                for (int i = 0; i < turns - turn; i++) drop_card(unseen, mine[i]);
                int pick = choose_trained(&t, mine, turns - turn, unseen, net);
                chosen = mine[pick];
                mine[pick] = mine[0];
                mine[0] = (uint8_t)chosen;
            } else {
                chosen = choose(r, kinds[seat], &t, w->risk, mine, turns - turn, spare[seat], &w->rng);
            }
            if (chosen >= TWISTED) spare[seat] = 0;
            plays[seat] = chosen;
        }
        for (int seat = 0; seat < n; seat++) drop_card(hidden, plays[seat] & 127);
        play_turn(r, n, &t, w->heads, plays, w->lows, order, log, &w->rng);
        for (int seat = 0; seat < n; seat++) scores[seat] += log[seat] >> 8;
    }
}

ALWAYS void search(const Rules r, nl_classic *w, const nl_network *net, int playouts) {
    const Table start = w->t;
    for (int i = 0; i < playouts; i++) {
        w->rng = nl_stream(w->key, w->first++);
        deal_out(w);
        int32_t kinds[NL_SEATS];
        draw_kinds(w, kinds);
        for (int o = 0; o < w->n_options; o++) {
            /* Every option is tried against the same hands, so that only its effect differs. */
            int32_t scores[NL_SEATS];
            memcpy(scores, w->points, sizeof scores);
            play_out(r, w, net, &start, kinds, w->options[o], scores);
            int64_t mine = scores[w->me] - w->points[w->me];
            nl_note(w->stats, o, mine, credit(w, scores));
        }
    }
}

static __attribute__((noinline)) void search_classic(nl_classic *w, const nl_network *net, int playouts) {
    search(USUAL(0), w, net, playouts);
}
static __attribute__((noinline)) void search_cards(nl_classic *w, const nl_network *net, int playouts) {
    search(USUAL(w->flags), w, net, playouts);
}
static __attribute__((noinline)) void search_any(nl_classic *w, const nl_network *net, int playouts) {
    search(rules_of(w), w, net, playouts);
}

static int check_search(nl_classic *w, const nl_network *net) {
    int wrong = check_trained(w), trained = 0;
    if (!wrong) wrong = check_table(w);
    if (wrong) return wrong;
    if (w->me < 0 || w->me >= w->players || w->turns < 1 || w->turns > w->hand) return NL_BAD_SIZE;
    int theirs = w->turns * (w->players - 1);
    if (w->pool < theirs || w->pool > LAST_CARD - w->turns || (w->open && w->pool != theirs)) return NL_BAD_SIZE;
    if (check_cards(w->cards, w->turns + w->pool)) return NL_BAD_CODE;
    if (w->n_options < 1 || w->n_options > NL_OPTIONS) return NL_BAD_SIZE;
    for (int o = 0; o < w->n_options; o++) {
        int card = w->options[o] & 127, held = 0;
        if (w->options[o] < 0 || w->options[o] > TWISTED + LAST_CARD) return NL_BAD_CODE;
        if (w->options[o] >= TWISTED && (!(w->flags & NUMBER_TWISTER) || !twistable(w->flags, card)))
            return NL_BAD_CODE;
        for (int i = 0; i < w->turns; i++) held += w->cards[i] == card;
        if (held != 1) return NL_BAD_CODE;
    }
    if (check_credit(w)) return NL_BAD_SIZE;
    if (check_belief(&w->belief)) return NL_BAD_SIZE;
    if (check_odds(w)) return NL_BAD_SIZE;
    for (int kind = 0; kind < NL_KINDS; kind++) {
        if ((w->kinds[kind] < 0 || w->kinds[kind] >= POLICIES) && (w->kinds[kind] != TRAINED || !has_network(w)))
            return NL_BAD_CODE;
        trained |= w->kinds[kind] == TRAINED;
    }
    for (int seat = 0; seat < w->players; seat++) trained |= w->policies[seat] == TRAINED;
    return trained ? check_network(net) : NL_OK;
}

NL_API int32_t nl_classic_search(nl_classic *w, const nl_network *net, int32_t playouts) {
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    int wrong = check_search(w, net);
    if (wrong) return wrong;
    (!is_usual(w) ? search_any : w->flags ? search_cards : search_classic)(w, net, playouts);
    return NL_OK;
}

NL_API int32_t nl_classic_judge(const nl_classic *w, const nl_network *net) {
    if (!has_network(w)) return NL_BAD_CODE;
    int wrong = check_table(w);
    if (!wrong) wrong = check_network(net);
    if (wrong) return wrong;
    if (w->turns < 1 || w->turns > 10) return NL_BAD_SIZE;
    if (check_cards(w->cards, w->turns)) return NL_BAD_CODE;
    const Table t = w->t;
    return choose_trained(&t, w->cards, w->turns, w->unseen, net);
}

static int check_watched(nl_classic *w, const nl_network *net, int32_t samples) {
    int wrong = check_trained(w), trained = 0;
    if (!wrong) wrong = check_table(w);
    if (wrong) return wrong;
    const int left = w->turns, known = w->n_options;
    if (left < 1 || left > 10 || known < 1 || known > left || samples < 0 || samples > 1 << 16) return NL_BAD_SIZE;
    if (w->pool < left - known || known + w->pool > LAST_CARD) return NL_BAD_SIZE;
    /* The card may have been played with the twister. */
    uint8_t played = w->cards[0];
    if (played >= TWISTED && (!(w->flags & NUMBER_TWISTER) || !twistable(w->flags, played - TWISTED)))
        return NL_BAD_CODE;
    if (check_cards(w->cards + 1, known + w->pool - 1) || (played & 127) < 1 || (played & 127) > LAST_CARD)
        return NL_BAD_CODE;
    for (int kind = 0; kind < NL_KINDS; kind++) {
        if ((w->kinds[kind] < 0 || w->kinds[kind] >= POLICIES) && (w->kinds[kind] != TRAINED || !has_network(w)))
            return NL_BAD_CODE;
        trained |= w->kinds[kind] == TRAINED;
    }
    return trained ? check_network(net) : NL_OK;
}

NL_API int32_t nl_classic_watch(nl_classic *w, const nl_network *net, int32_t samples) {
    int wrong = check_watched(w, net, samples);
    if (wrong) return wrong;
    if (!has_network(w)) return NL_BAD_CODE;
    const int left = w->turns, known = w->n_options;
    const Table t = w->t;
    w->rng = nl_stream(w->key, w->first);
    for (int sample = 0; sample < samples; sample++) {
        uint8_t hand[10];
        uint64_t unseen[2] = {w->unseen[0], w->unseen[1]};
        nl_shuffle(&w->rng, w->cards + known, w->pool, left - known);
        memcpy(hand, w->cards, (size_t)left);
        /* In a tie each policy plays the first card, and cards are in random order. */
        nl_shuffle(&w->rng, hand, left, left);
        for (int i = 0; i < left; i++) drop_card(unseen, hand[i]);
        for (int kind = 0; kind < NL_KINDS; kind++) {
            int pick = 0;
            if (w->kinds[kind] == TRAINED) pick = choose_trained(&t, hand, left, unseen, net);
            else if (w->kinds[kind] != RANDOM)
                pick = choose_by_policy(USUAL(0), w->kinds[kind], &t, w->risk, hand, left, 0);
            w->stats[kind] += hand[pick] == w->cards[0];
        }
    }
    return NL_OK;
}

/* Whether policy `kind` prefers the hand's second card to its first. A seat that twists a card has no safe card
   untwisted. */
static int prefers_second(const nl_classic *w, const nl_network *net, const Table *t, int kind, const uint8_t *hand) {
    if (kind == RANDOM) return 0;
    if (kind != TRAINED) {
        int cost = cost_of(rules_of(w), kind, t, w->risk, hand[1]);
        if (hand[0] < TWISTED) return cost < cost_of(rules_of(w), kind, t, w->risk, hand[0]);
        return kind != CLOSEST_SAFE || cost < TAKES;
    }
    int costs[10];
    uint64_t unseen[2] = {w->unseen[0], w->unseen[1]};
    for (int i = 0; i < w->turns; i++) drop_card(unseen, hand[i]);
    costs_trained(t, hand, w->turns, unseen, net, costs);
    return costs[1] < costs[0];
}

NL_API int32_t nl_classic_clash(nl_classic *w, const nl_network *net, int32_t samples) {
    int wrong = check_watched(w, net, samples);
    if (wrong) return wrong;
    const int left = w->turns, known = w->n_options;
    const Table t = w->t;
    w->rng = nl_stream(w->key, w->first);
    memset(w->stats, 0, sizeof w->stats);
    uint8_t all[NL_CARDS];
    memcpy(all, w->cards, sizeof all);
    for (int at = 1; at < known + w->pool && left > 1; at++)
        for (int sample = 0; sample < samples; sample++) {
            uint8_t hand[10] = {all[0], all[at]};
            int size = 2;
            nl_shuffle(&w->rng, w->cards + known, w->pool, left - known + 1 < w->pool ? left - known + 1 : w->pool);
            for (int i = 1; i < known + w->pool && size < left; i++)
                if (w->cards[i] != all[at]) hand[size++] = w->cards[i];
            if (size < left) return NL_BAD_SIZE;
            w->stats[all[at] & 127] += prefers_second(w, net, &t, w->kinds[0], hand);
        }
    return NL_OK;
}

NL_API int32_t nl_classic_company(nl_classic *w, const nl_network *net, int32_t rounds) {
    int wrong = check_trained(w), trained = 0;
    for (int seat = 0; seat < w->players && !wrong; seat++) trained |= w->policies[seat] == TRAINED;
    if (!wrong && trained) wrong = check_network(net);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24 || w->me < 0 || w->me >= w->players) return NL_BAD_SIZE;
    w->turns = w->hand;
    for (int i = 0; i < rounds; i++) {
        nl_deal_round(w);
        const Table start = w->t;
        /* My hand comes first, as in a search. */
        for (int at = w->turns * w->me; at > 0; at -= w->turns)
            for (int card = at; card < at + w->turns; card++) {
                uint8_t mine = w->cards[card];
                w->cards[card] = w->cards[card - w->turns];
                w->cards[card - w->turns] = mine;
            }
        w->unseen[0] = w->unseen[1] = 0;
        for (int card = 1; card <= w->deck; card++) add_card(w->unseen, card);
        for (int row = 0; row < w->n_rows; row++) drop_card(w->unseen, start.end[row]);
        for (int card = 0; card < w->turns; card++) drop_card(w->unseen, w->cards[card]);
        int32_t scores[NL_SEATS] = {0};
        if (!is_usual(w)) play_out(rules_of(w), w, net, &start, w->policies, -1, scores);
        else if (w->flags) play_out(USUAL(w->flags), w, net, &start, w->policies, -1, scores);
        else play_out(USUAL(0), w, net, &start, w->policies, -1, scores);
        nl_note(w->stats, 0, scores[w->me], 0);
    }
    return NL_OK;
}
