/* The classic game again, written from the rules alone and without the package's core, for studies that need millions
   of rounds (plain_rounds.py). A player is a rule for cards with the bonus of cards far from the middle, a plan that
   may overrule it, and a rule for the row that a low card takes. Deals depend on the seed and the number of the round only, so that different
   players meet the same cards. */
#include <stdint.h>
#include <string.h>

enum { MOST = 10, HAND = 10, ROWS = 4, PLACES = 5, LAST = 104 };
enum { RANDOM, LOWEST, HIGHEST, CLOSEST, LEAST_RISK, EDGES_FIRST, COUNTING, DEAR, CHEAP, MIDDLE };
enum { NO_PLAN, LOW_IN_TURN, HIGH_IN_TURN, ON_PURPOSE };
enum { CHEAPEST_ROW, SHORTEST_ROW, ANY_ROW, LEAVE_ROOM, HURT_OTHERS, HURT_LEADER };
enum { ANY_DEAL, FITS_NOWHERE, HAS_TOP_CARD };

typedef struct {
    int32_t rule, plan, turn, row, edge, any_tie;
} Player;

typedef struct {
    int n, deck, turn, seen_count;
    int count[ROWS], end[ROWS], sum[ROWS];
    int hand[MOST][HAND], left;
    int heads[MOST], totals[MOST];
    uint8_t seen[LAST + 1];
    uint64_t rng;
} Table;

static uint64_t next(uint64_t *s) {
    uint64_t z = (*s += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static int below(uint64_t *s, int n) { return (int)(((next(s) >> 32) * (uint64_t)n) >> 32); }

static int heads_of(int card) {
    if (card == 55) return 7;
    if (card % 11 == 0) return 5;
    if (card % 10 == 0) return 3;
    return card % 5 == 0 ? 2 : 1;
}

/* Rules: where a card goes ------------------------------------------------------------------------------- */

static int home(const Table *t, int card) {
    int best = -1;
    for (int r = 0; r < ROWS; r++)
        if (t->end[r] < card && (best < 0 || t->end[r] > t->end[best])) best = r;
    return best;
}

static int cheapest(const Table *t) {
    int best = 0;
    for (int r = 1; r < ROWS; r++)
        if (t->sum[r] < t->sum[best] || (t->sum[r] == t->sum[best] && t->end[r] > t->end[best])) best = r;
    return best;
}

static void begin_row(Table *t, int r, int card) {
    t->count[r] = 1;
    t->end[r] = card;
    t->sum[r] = heads_of(card);
}

/* Place a card that fits, or that takes `row`. Heads taken. */
static int place(Table *t, int card, int row) {
    int r = home(t, card), taken = 0;
    if (r < 0 || t->count[r] == PLACES) {
        if (r < 0) r = row;
        taken = t->sum[r];
        begin_row(t, r, card);
    } else {
        t->count[r]++;
        t->end[r] = card;
        t->sum[r] += heads_of(card);
    }
    return taken;
}

/* Estimates ---------------------------------------------------------------------------------------------- */

/* The chance, in 4096ths, that of `others` cards from `all` just enough fall among `gap` to make mine one too many for
   a row of `count`; for count 0, that none does. */
static int chance_of(int others, int count, int gap, int all) {
    static int32_t known[LAST + 1][MOST][PLACES + 1][LAST + 1]; /* plus one; 0: not computed */
    int32_t *k = &known[all][others][count][gap];
    if (*k) return *k - 1;
    unsigned __int128 due = 0, total = 1;
    for (int i = 0; i < others; i++) total *= (unsigned)all;
    for (int t = 0; t <= others; t++) {
        if (count == 0 ? t != 0 : (count + t) % PLACES != 0) continue;
        unsigned __int128 ways = 1;
        for (int i = 0; i < t; i++) ways = ways * (unsigned)(others - i) / (unsigned)(i + 1);
        for (int i = 0; i < t; i++) ways *= (unsigned)gap;
        for (int i = t; i < others; i++) ways *= (unsigned)(all - gap);
        due += ways;
    }
    *k = (int32_t)(4096 * due / total) + 1;
    return *k - 1;
}

static int unseen_between(const Table *t, const int *hand, int low, int high) {
    int between = 0;
    for (int c = low + 1; c < high; c++) between += !t->seen[c];
    for (int i = 0; i < t->left; i++) between -= hand[i] > low && hand[i] < high;
    return between;
}

static int risk(const Table *t, const int *hand, int card, int counting) {
    int r = home(t, card), others = t->n - 1;
    int count = r < 0 ? 0 : t->count[r], end = r < 0 ? 0 : t->end[r];
    int gap = r < 0 ? card : card - end - 1, all = t->deck;
    if (counting) {
        gap = unseen_between(t, hand, end, card);
        all = t->deck - t->seen_count - t->left;
        if (all == 0) return 0;
    }
    int chance = chance_of(others, count, gap, all);
    if (r < 0) return 8 * t->sum[cheapest(t)] * chance;
    return (8 * t->sum[r] + 13 * (PLACES - count)) * chance;
}

static int distance(int a, int b) { return a > b ? a - b : b - a; }

static int cost(const Table *t, const int *hand, int rule, int edge, int card) {
    int r;
    switch (rule) {
    case HIGHEST: return -card;
    case CLOSEST:
        r = home(t, card);
        if (r >= 0 && t->count[r] < PLACES) return ((card - t->end[r]) << 7) + card;
        return (1 << 20) + (t->sum[r < 0 ? cheapest(t) : r] << 7) + card;
    case LEAST_RISK: return risk(t, hand, card, 0);
    case EDGES_FIRST: return risk(t, hand, card, 0) - edge * distance(card, t->deck / 2);
    case COUNTING: return risk(t, hand, card, 1) - edge * distance(card, t->deck / 2);
    case DEAR: return -heads_of(card);
    case CHEAP: return heads_of(card);
    case MIDDLE: return distance(2 * card, t->deck + 1);
    default: return card;
    }
}

/* Index of the card to play. Hands are in ascending order, so ties go to the lower card, or with `any_tie` to any. */
static int choose(Table *t, const Player *p, const int *hand) {
    int from = 0, to = t->left, turn = t->turn;
    if (p->plan == LOW_IN_TURN && turn <= p->turn && t->left > 1) {
        if (turn == p->turn) return 0;
        from = 1;
    }
    if (p->plan == HIGH_IN_TURN && turn <= p->turn && t->left > 1) {
        if (turn == p->turn) return t->left - 1;
        to--;
    }
    if (p->plan == ON_PURPOSE && home(t, hand[0]) < 0 && t->sum[cheapest(t)] <= p->turn) return 0;
    if (p->rule == RANDOM) return from + below(&t->rng, to - from);
    int best = from, least = 0, equal = 1;
    for (int i = from; i < to; i++) {
        int c = cost(t, hand, p->rule, p->edge, hand[i]);
        if (i == from || c < least) least = c, best = i, equal = 1;
        else if (c == least && p->any_tie && below(&t->rng, ++equal) == 0) best = i;
    }
    return best;
}

/* A turn's cards that have not been placed, in ascending order. */
typedef struct {
    int card[MOST], seat[MOST], size;
} Queue;

/* What follows in this turn if `seat` takes row r now, the others taking cheapest rows. */
static void foresee(Table *t, const Queue *q, int at, int r, int *taken) {
    taken[q->seat[at]] += place(t, q->card[at], r);
    for (int i = at + 1; i < q->size; i++) taken[q->seat[i]] += place(t, q->card[i], cheapest(t));
}

static int choose_row(Table *t, const Player *p, const Queue *q, int at) {
    int usual = cheapest(t), seat = q->seat[at], best = usual, leader = -1;
    if (p->row == CHEAPEST_ROW) return usual;
    if (p->row == ANY_ROW) return below(&t->rng, ROWS);
    if (p->row == SHORTEST_ROW) {
        for (int r = 0; r < ROWS; r++)
            if (t->count[r] < t->count[best] || (t->count[r] == t->count[best] && t->sum[r] < t->sum[best])) best = r;
        return best;
    }
    for (int s = 0; s < t->n; s++) {
        int total = t->totals[s] + t->heads[s];
        if (s != seat && (leader < 0 || total < t->totals[leader] + t->heads[leader])) leader = s;
    }
    int64_t least = 0;
    for (int i = 0; i < ROWS; i++) {
        int r = (usual + i) % ROWS; /* the cheapest first: it wins ties */
        Table after = *t;
        int taken[MOST] = {0};
        foresee(&after, q, at, r, taken);
        int64_t worth = 60 * (int64_t)taken[seat];
        if (p->row == HURT_OTHERS)
            for (int s = 0; s < t->n; s++) worth -= s == seat ? 0 : 60 * taken[s] / (t->n - 1);
        if (p->row == HURT_LEADER) worth -= 60 * taken[leader] / 2;
        if (p->row == LEAVE_ROOM && t->left) {
            int64_t sum = 0;
            for (int c = 0; c < t->left; c++) sum += risk(&after, t->hand[seat], t->hand[seat][c], 0);
            worth += 60 * sum / 32768;
        }
        if (i == 0 || worth < least) least = worth, best = r;
    }
    return best;
}

/* Rounds ------------------------------------------------------------------------------------------------- */

static void sort(int *cards, int n) {
    for (int i = 1; i < n; i++) {
        int card = cards[i], j = i;
        for (; j > 0 && cards[j - 1] > card; j--) cards[j] = cards[j - 1];
        cards[j] = card;
    }
}

static void deal(Table *t, uint64_t seed, uint64_t round, int n, int deck) {
    int cards[LAST];
    uint64_t rng = seed * 0x9e3779b97f4a7c15ULL + round;
    rng = next(&rng);
    memset(t, 0, sizeof *t);
    t->n = n, t->deck = deck, t->left = HAND, t->turn = 1, t->seen_count = ROWS;
    for (int i = 0; i < deck; i++) cards[i] = i + 1;
    for (int i = 0; i < HAND * n + ROWS; i++) {
        int j = i + below(&rng, deck - i), card = cards[j];
        cards[j] = cards[i];
        cards[i] = card;
    }
    for (int r = 0; r < ROWS; r++) begin_row(t, r, cards[r]), t->seen[cards[r]] = 1;
    for (int s = 0; s < n; s++) {
        memcpy(t->hand[s], cards + ROWS + HAND * s, sizeof t->hand[s]);
        sort(t->hand[s], HAND);
    }
    t->rng = next(&rng);
}

/* Counts of a card on its way, by cards in its row and unseen cards in between: played, took, heads. */
typedef struct {
    int64_t at[PLACES + 1][LAST + 1][3];
} Risks;

static void play_turn(Table *t, const Player *players, Risks *risks) {
    Queue q = {.size = t->n};
    int gap[MOST], count[MOST];
    for (int s = 0; s < t->n; s++) {
        int *hand = t->hand[s], pick = choose(t, players + s, hand), card = hand[pick];
        if (risks) {
            int r = home(t, card);
            count[s] = r < 0 ? 0 : t->count[r];
            gap[s] = unseen_between(t, hand, r < 0 ? 0 : t->end[r], card);
        }
        memmove(hand + pick, hand + pick + 1, sizeof *hand * (size_t)(t->left - 1 - pick));
        int j = s;
        for (; j > 0 && q.card[j - 1] > card; j--) q.card[j] = q.card[j - 1], q.seat[j] = q.seat[j - 1];
        q.card[j] = card, q.seat[j] = s;
    }
    t->left--;
    for (int i = 0; i < q.size; i++) t->seen[q.card[i]] = 1;
    t->seen_count += t->n;
    for (int i = 0; i < q.size; i++) {
        int s = q.seat[i], row = home(t, q.card[i]) < 0 ? choose_row(t, players + s, &q, i) : 0;
        int taken = place(t, q.card[i], row);
        t->heads[s] += taken;
        if (risks) {
            int64_t *at = risks->at[count[s]][gap[s]];
            at[0]++, at[1] += taken > 0, at[2] += taken;
        }
    }
    t->turn++;
}

static int wanted(const Table *t, int filter) {
    int lowest = LAST;
    for (int r = 0; r < ROWS; r++) lowest = t->end[r] < lowest ? t->end[r] : lowest;
    if (filter == FITS_NOWHERE) return t->hand[0][0] < lowest;
    if (filter == HAS_TOP_CARD) return t->hand[0][HAND - 1] > t->deck - 10;
    return 1;
}

/* The deal of a round: the four open cards, then the hands. */
void plain_deal(uint64_t seed, uint64_t round, int32_t n, int32_t deck, int32_t *cards) {
    Table t;
    deal(&t, seed, round, n, deck);
    for (int r = 0; r < ROWS; r++) cards[r] = t.end[r];
    for (int s = 0; s < n; s++)
        for (int i = 0; i < HAND; i++) cards[ROWS + HAND * s + i] = t.hand[s][i];
}

/* Play the rounds that the filter wants; each player's heads go to `heads`, the first card counts of each hand to
   `worth` (104 x count, sum, sum of squares) and the risks to `risks`, both if not null. The number of rounds played. */
int64_t plain_rounds(uint64_t seed, uint64_t first, int64_t rounds, int32_t n, int32_t deck, int32_t filter,
                     const Player *players, int32_t *heads, int64_t *worth, Risks *risks) {
    int64_t played = 0;
    for (int64_t i = 0; i < rounds; i++) {
        Table t;
        int start[MOST][HAND];
        deal(&t, seed, first + (uint64_t)i, n, deck);
        if (!wanted(&t, filter)) continue;
        memcpy(start, t.hand, sizeof start);
        while (t.left) play_turn(&t, players, risks);
        for (int s = 0; s < n; s++) {
            heads[played * n + s] = t.heads[s];
            for (int c = 0; worth && c < HAND; c++) {
                int64_t *at = worth + 3 * start[s][c];
                at[0]++, at[1] += t.heads[s], at[2] += (int64_t)t.heads[s] * t.heads[s];
            }
        }
        played++;
    }
    return played;
}

/* Whole games from these totals until somebody has `limit`: every player's total at the end, and the rounds. */
void plain_games(uint64_t seed, uint64_t first, int64_t games, int32_t n, int32_t limit, const int32_t *totals,
                 const Player *players, int32_t *ends) {
    for (int64_t g = 0; g < games; g++) {
        int now[MOST], most = 0, rounds = 0;
        for (int s = 0; s < n; s++) now[s] = totals[s];
        for (; most < limit; rounds++) {
            Table t;
            deal(&t, seed, (first + (uint64_t)g) * 64 + (uint64_t)rounds, n, LAST);
            memcpy(t.totals, now, sizeof now);
            while (t.left) play_turn(&t, players, 0);
            for (int s = 0; s < n; s++) {
                now[s] += t.heads[s];
                if (now[s] > most) most = now[s];
            }
        }
        for (int s = 0; s < n; s++) ends[g * (n + 1) + s] = now[s];
        ends[g * (n + 1) + n] = rounds;
    }
}
