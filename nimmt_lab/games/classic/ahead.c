/* Rounds and playouts in which seats play to end ahead (ahead.h). */
#include "ahead.h"
#include "credit.h"
#include "family.h"

enum { AHEAD = 17, OTHER_AHEAD = 18 };

/* Play the remaining turns, each seat by its kind; `taken` accumulates. `fixed`: my first card is the first of my
   hand. `hidden` are the cards neither on the table nor played. */
static void finish(nl_classic *w, const nl_network *net, const nl_ahead *const *minds, const int32_t *kinds, Table t,
                   uint8_t hands[][10], int turns, int fixed, const uint64_t *all, int32_t *taken) {
    const int n = w->players;
    int32_t plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS];
    uint64_t hidden[2] = {all[0], all[1]};
    for (int turn = 0; turn < turns; turn++) {
        const int left = turns - turn;
        for (int seat = 0; seat < n; seat++) {
            uint8_t *mine = hands[seat] + turn;
            uint64_t unseen[2] = {hidden[0], hidden[1]};
            int pick = 0;
            for (int i = 0; i < left; i++) drop_card(unseen, mine[i]);
            if (seat == w->me && turn == 0 && fixed) pick = 0;
            else if (kinds[seat] >= AHEAD)
                pick = choose_ahead(&t, mine, left, unseen, n, seat, taken, net->chance, minds[kinds[seat] - AHEAD]);
            else if (kinds[seat] == TRAINED) pick = choose_trained(&t, mine, left, unseen, net);
            else if (kinds[seat] != RANDOM) pick = choose_card(USUAL(0), kinds[seat], &t, w->risk, mine, left, 0);
            plays[seat] = mine[pick];
            mine[pick] = mine[0];
            mine[0] = (uint8_t)plays[seat];
        }
        for (int seat = 0; seat < n; seat++) drop_card(hidden, plays[seat]);
        play_turn(USUAL(0), n, &t, w->heads, plays, w->lows, order, log, &w->rng);
        for (int seat = 0; seat < n; seat++) taken[seat] += log[seat] >> 8;
    }
}

/* Check the settings; no seat may have a policy that `check_trained` doesn't know. */
static int check_kinds(nl_classic *w) {
    int32_t policies[NL_SEATS];
    if (!has_network(w) || w->draft) return NL_BAD_CODE;
    memcpy(policies, w->policies, sizeof policies);
    for (int seat = 0; seat < NL_SEATS; seat++)
        if (w->policies[seat] == AHEAD || w->policies[seat] == OTHER_AHEAD) w->policies[seat] = RANDOM;
    int wrong = check_trained(w);
    memcpy(w->policies, policies, sizeof policies);
    return wrong;
}

/* Check a table and a hand. */
static int check_position(nl_classic *w, const nl_network *net, const nl_ahead *mind) {
    int wrong = check_kinds(w);
    if (!wrong) wrong = check_table(w);
    if (!wrong) wrong = check_network(net);
    if (!wrong) wrong = check_ahead(mind);
    if (wrong) return wrong;
    if (w->me < 0 || w->me >= w->players || w->turns < 1 || w->turns > w->hand) return NL_BAD_SIZE;
    for (int seat = 0; seat < w->players; seat++)
        if (w->taken[seat] < 0 || w->taken[seat] > 255) return NL_BAD_SIZE;
    return check_cards(w->cards, w->turns);
}

NL_API int32_t nl_classic_ahead(nl_classic *w, const nl_network *net, const nl_ahead *mind) {
    int wrong = check_position(w, net, mind);
    if (wrong) return wrong;
    const Table t = w->t;
    Sight s;
    int32_t found[10];
    look(&t, w->cards, w->turns, w->unseen, w->players, w->me, w->taken, net->chance, &s);
    likes(&s, mind, found);
    for (int i = 0; i < w->turns; i++) w->stats[i] = found[i];
    return choose_ahead(&t, w->cards, w->turns, w->unseen, w->players, w->me, w->taken, net->chance, mind);
}

NL_API int32_t nl_classic_ponder(nl_classic *w, const nl_network *net, const nl_ahead *mind, int32_t playouts) {
    int wrong = check_position(w, net, mind);
    if (wrong) return wrong;
    const int turns = w->turns, n = w->players, theirs = turns * (n - 1);
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    if (w->pool < theirs || w->pool > LAST_CARD - turns) return NL_BAD_SIZE;
    if (check_cards(w->cards, turns + w->pool)) return NL_BAD_CODE;
    if (w->n_options < 1 || w->n_options > turns || is_outside(w->usual, -1, w->n_options - 1)) return NL_BAD_SIZE;
    int places[10];
    for (int o = 0; o < w->n_options; o++) {
        places[o] = -1;
        for (int i = 0; i < turns; i++)
            if (w->cards[i] == w->options[o]) places[o] = i;
        if (places[o] < 0) return NL_BAD_CODE;
    }
    wrong = check_credit(w);
    if (!wrong) wrong = check_odds(w);
    if (wrong) return wrong;
    for (int kind = 0; kind < NL_KINDS; kind++)
        if (is_outside(w->kinds[kind], 0, POLICIES - 1) && w->kinds[kind] != AHEAD) return NL_BAD_CODE;
    const nl_ahead *minds[2] = {mind, mind};
    int32_t kinds[NL_SEATS];
    uint64_t all[2] = {w->unseen[0], w->unseen[1]};
    for (int i = 0; i < turns; i++) add_card(all, w->cards[i]);
    for (int seat = 0; seat < n; seat++) w->policies[seat] = AHEAD;
    for (int i = 0; i < playouts; i++) {
        int64_t worth[10];
        w->rng = nl_stream(w->key, w->first++);
        nl_shuffle(&w->rng, w->cards + turns, w->pool, theirs);
        draw_kinds(w, kinds);
        const uint64_t rng = w->rng;
        for (int o = 0; o < w->n_options; o++) {
            uint8_t hands[NL_SEATS][10];
            int32_t taken[NL_SEATS], scores[NL_SEATS];
            const uint8_t *next = w->cards + turns;
            for (int seat = 0; seat < n; seat++) {
                memcpy(hands[seat], seat == w->me ? w->cards : next, (size_t)turns);
                if (seat != w->me) next += turns;
            }
            hands[w->me][places[o]] = w->cards[0];
            hands[w->me][0] = (uint8_t)w->options[o];
            memcpy(taken, w->taken, sizeof taken);
            w->rng = rng;
            finish(w, net, minds, kinds, w->t, hands, turns, 1, all, taken);
            for (int seat = 0; seat < n; seat++) scores[seat] = w->points[seat] + taken[seat] - w->taken[seat];
            const int64_t mine = taken[w->me] - w->taken[w->me], won = credit(w, scores);
            int64_t rest = 0;
            for (int seat = 0; seat < n; seat++) rest += seat == w->me ? 0 : taken[seat];
            nl_note(w->stats, o, mine, won);
            /* A head more than the others' mean costs a hundredth of a win. */
            worth[o] = won - (taken[w->me] - rest / (n - 1)) * (NL_CREDIT / 100);
        }
        for (int o = 0; o < w->n_options && w->usual >= 0; o++) {
            const int64_t gain = worth[o] - worth[w->usual];
            w->gains[2 * o] += gain;
            w->gains[2 * o + 1] += gain * gain;
        }
    }
    return NL_OK;
}

NL_API int32_t nl_classic_meet(nl_classic *w, const nl_network *net, const nl_ahead *mind, const nl_ahead *other,
                               int32_t rounds, uint8_t *out, int32_t size) {
    int wrong = check_kinds(w);
    if (!wrong) wrong = check_network(net);
    if (!wrong) wrong = check_ahead(mind);
    if (!wrong) wrong = check_ahead(other);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    if ((int64_t)rounds * w->players > size) return NL_TOO_SMALL;
    const nl_ahead *minds[2] = {mind, other};
    for (int i = 0; i < rounds; i++) {
        uint8_t hands[NL_SEATS][10];
        int32_t taken[NL_SEATS] = {0};
        uint64_t all[2] = {0, 0};
        nl_deal_round(w);
        for (int card = 1; card <= w->deck; card++) add_card(all, card);
        for (int row = 0; row < USUAL_ROWS; row++) drop_card(all, w->t.end[row]);
        for (int seat = 0; seat < w->players; seat++) memcpy(hands[seat], w->cards + w->hand * seat, (size_t)w->hand);
        finish(w, net, minds, w->policies, w->t, hands, w->hand, 0, all, taken);
        for (int seat = 0; seat < w->players; seat++) *out++ = (uint8_t)taken[seat];
    }
    return NL_OK;
}
