/* Training the networks of ahead.h (train_ahead.py): seats play by drawing cards as the network likes them; what turned out
   better than expected is liked more. What to expect a second network says that sees all hands (it only helps to learn). */
#include "games/classic/ahead.h"
#include "games/classic/family.h"

enum {
    /* Where the numbers of the player are, and how many */
    LATE_AT = SIGNALS * WIDE,
    BASE_AT = LATE_AT + WIDE * LATE,
    OUT_AT = BASE_AT + LATE,
    LINES_AT = OUT_AT + LATE,
    NUMBERS = LINES_AT + ALL_LINES * WIDE,
    /* The judge's lines: rows as the player's, cards left, players; the lead over the best and over the mean; my cards,
       the others' cards */
    JUDGE_LEAD = LEADS,
    JUDGE_MEAN = JUDGE_LEAD + 2 * MOST_LEAD + 1,
    JUDGE_MINE = JUDGE_MEAN + 2 * MOST_LEAD + 1,
    JUDGE_OTHERS = JUDGE_MINE + PLAYED,
    JUDGE_LINES = JUDGE_OTHERS + PLAYED,
    JUDGE_OUT = JUDGE_LINES * WIDE,
    JUDGE_NUMBERS = JUDGE_OUT + WIDE + 1,
    EARLIER = 8, /* earlier selves */
    CURRENT = 32 /* a seat that learns; from CURRENT + 1 on: an earlier self */
};

/* One choice: what was seen, and how the network came to its numbers. */
typedef struct {
    Sight sight;
    int32_t pick;
    float wide[10][WIDE], late[10][LATE], chance[10];
    float judged[WIDE], value, reward;
    uint16_t lines[ABOUT_TABLE + 1];
} Choice;

typedef struct {
    double rate, judge_rate, calm; /* of learning, of the judge's learning, the worth of staying undecided */
    double win, head, decay;       /* rewards; how far later judgements count (lambda) */
    int64_t heads, rounds;         /* what learning seats have taken, and in how many rounds */
    double error, spread;          /* the judge's squared errors, and those of not judging */
    int64_t choices, steps;
    int32_t lined, judging, company, earlier; /* of 16 rounds, how many have other players; how many earlier selves */
    float numbers[NUMBERS], slope[NUMBERS], mean[NUMBERS], square[NUMBERS];
    float judge[JUDGE_NUMBERS], judge_slope[JUDGE_NUMBERS], judge_mean[JUDGE_NUMBERS], judge_square[JUDGE_NUMBERS];
    float past[EARLIER][NUMBERS];
    Choice choices_made[10][10];
} nl_school;

NL_API int32_t nl_classic_school(void);
/* Play so many more rounds and gather slopes. */
NL_API int32_t nl_classic_rehearse(nl_classic *w, const nl_network *net, nl_school *l, int32_t rounds);
/* A step along the slopes (Adam), which begin anew. */
NL_API int32_t nl_classic_improve(nl_school *l);
/* Keep the present player as an earlier self. */
NL_API int32_t nl_classic_remember(nl_school *l, int32_t at);

NL_API int32_t nl_classic_school(void) { return (int32_t)sizeof(nl_school); }

/* e to the x, the same on every machine. */
static float power(float x) {
    if (!(x > -60)) return 0; /* not a number, too */
    double y = x * 1.4426950408889634;
    int whole = (int)(y < 0 ? y - 0.5 : y + 0.5);
    double f = (y - whole) * 0.6931471805599453;
    double e = 1 + f * (1 + f / 2 * (1 + f / 3 * (1 + f / 4 * (1 + f / 5 * (1 + f / 6)))));
    uint64_t bits = (uint64_t)(whole + 1023) << 52;
    double two;
    memcpy(&two, &bits, sizeof two);
    return (float)(e * two);
}

/* The natural logarithm of a chance, roughly. */
static float logarithm(float x) {
    if (x < 1e-9f) x = 1e-9f;
    double y = 0, t = x;
    while (t < 0.7) {
        t *= 2;
        y -= 0.6931471805599453;
    }
    double z = (t - 1) / (t + 1), q = z * z;
    return (float)(y + 2 * z * (1 + q / 3 + q * q / 5 + q * q * q / 7));
}

/* Chances of all cards. */
static void consider(const float *numbers, int lined, Choice *c) {
    const Sight *s = &c->sight;
    float sums[WIDE] = {0}, best = -1e30f, all = 0;
    if (lined) {
        for (int i = 0; i < ABOUT_TABLE + s->left; i++) {
            const int at = i < ABOUT_TABLE ? s->table[i] : s->held[i - ABOUT_TABLE];
            const float *line = numbers + LINES_AT + at * WIDE;
            for (int j = 0; j < WIDE; j++) sums[j] += line[j];
        }
    }
    for (int i = 0; i < s->left; i++) {
        float *wide = c->wide[i], *late = c->late[i], mine[WIDE], next[LATE], like = 0;
        memcpy(mine, sums, sizeof mine);
        if (lined) {
            const float *held = numbers + LINES_AT + s->held[i] * WIDE;
            for (int j = 0; j < WIDE; j++) mine[j] -= held[j];
            for (int k = 0; k < ABOUT_CARD; k++) {
                const float *line = numbers + LINES_AT + s->played[i][k] * WIDE;
                for (int j = 0; j < WIDE; j++) mine[j] += line[j];
            }
        }
        for (int k = 0; k < SIGNALS; k++) {
            const float x = (float)s->signal[i][k] * (1.0f / 64), *line = numbers + k * WIDE;
            if (s->signal[i][k] == 0) continue;
            for (int j = 0; j < WIDE; j++) mine[j] += x * line[j];
        }
        memcpy(next, numbers + BASE_AT, sizeof next);
        for (int j = 0; j < WIDE; j++) {
            wide[j] = mine[j] < 0 ? 0 : mine[j] > 8 ? 8 : mine[j];
            if (wide[j] == 0) continue;
            const float *line = numbers + LATE_AT + j * LATE;
            for (int k = 0; k < LATE; k++) next[k] += wide[j] * line[k];
        }
        for (int k = 0; k < LATE; k++) {
            late[k] = next[k] < 0 ? 0 : next[k] > 8 ? 8 : next[k];
            like += late[k] * numbers[OUT_AT + k];
        }
        c->chance[i] = like;
        best = like > best ? like : best;
    }
    for (int i = 0; i < s->left; i++) all += c->chance[i] = power(c->chance[i] - best);
    for (int i = 0; i < s->left; i++) c->chance[i] /= all;
}

static int draw(const Choice *c, uint64_t *rng) {
    float at = (float)nl_below(rng, 1 << 24) * (1.0f / (1 << 24));
    int pick = 0;
    for (; pick + 1 < c->sight.left && at >= c->chance[pick]; pick++) at -= c->chance[pick];
    return pick;
}

/* Slopes of one choice: `better` is how much more it brought than expected. */
static void adjust(nl_school *l, const Choice *c, float better) {
    const Sight *s = &c->sight;
    float undecided = 0, table[WIDE] = {0};
    for (int i = 0; i < s->left; i++) undecided -= c->chance[i] * logarithm(c->chance[i]);
    float *slope = l->slope;
    const float *numbers = l->numbers;
    float wides[10][WIDE];
    for (int i = 0; i < s->left; i++) {
        float likes = better * ((i == c->pick) - c->chance[i]), *wide = wides[i], late[LATE];
        likes -= (float)l->calm * c->chance[i] * (logarithm(c->chance[i]) + undecided);
        for (int k = 0; k < LATE; k++) {
            slope[OUT_AT + k] += likes * c->late[i][k];
            late[k] = c->late[i][k] > 0 && c->late[i][k] < 8 ? likes * numbers[OUT_AT + k] : 0;
            slope[BASE_AT + k] += late[k];
        }
        for (int j = 0; j < WIDE; j++) {
            wide[j] = 0;
            if (c->wide[i][j] <= 0) continue;
            const float *line = numbers + LATE_AT + j * LATE, unit = c->wide[i][j];
            float *move = slope + LATE_AT + j * LATE, parts[8];
            for (int k = 0; k < 8; k++) parts[k] = line[k] * late[k] + line[8 + k] * late[8 + k];
            for (int k = 0; k < LATE; k++) move[k] += unit * late[k];
            if (unit < 8)
                wide[j] =
                    ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
        }
        for (int k = 0; k < SIGNALS; k++) {
            if (s->signal[i][k] == 0) continue;
            const float x = (float)s->signal[i][k] * (1.0f / 64);
            float *move = slope + k * WIDE;
            for (int j = 0; j < WIDE; j++) move[j] += x * wide[j];
        }
        for (int j = 0; j < WIDE; j++) table[j] += wide[j];
        for (int k = 0; k < ABOUT_CARD && l->lined; k++) {
            float *move = slope + LINES_AT + s->played[i][k] * WIDE;
            for (int j = 0; j < WIDE; j++) move[j] += wide[j];
        }
    }
    if (!l->lined) return;
    for (int i = 0; i < ABOUT_TABLE; i++) {
        float *move = slope + LINES_AT + s->table[i] * WIDE;
        for (int j = 0; j < WIDE; j++) move[j] += table[j];
    }
    for (int i = 0; i < s->left; i++) {
        float *move = slope + LINES_AT + s->held[i] * WIDE;
        for (int j = 0; j < WIDE; j++) move[j] += table[j] - wides[i][j];
    }
}

/* Lines of all cards for the judge: where each lies, and how many cards of other hands come before it. */
static void lay_open(const Table *t, const uint8_t *cards, int n, int turn, uint16_t lines[10][10]) {
    uint64_t all[2] = {0, 0};
    int sorted[USUAL_ROWS];
    for (int seat = 0; seat < n; seat++)
        for (int i = turn; i < 10; i++) add_card(all, cards[10 * seat + i]);
    for (int row = 0; row < USUAL_ROWS; row++) {
        int key = USUAL_ROWS * t->end[row] + row, i = row;
        for (; i > 0 && sorted[i - 1] > key; i--) sorted[i] = sorted[i - 1];
        sorted[i] = key;
    }
    for (int seat = 0; seat < n; seat++) {
        uint64_t theirs[2] = {all[0], all[1]};
        for (int i = turn; i < 10; i++) drop_card(theirs, cards[10 * seat + i]);
        for (int i = turn; i < 10; i++) {
            const int card = cards[10 * seat + i];
            int slot = 0, count = 0, gap = lower_cards(theirs, card);
            for (int j = 0; j < USUAL_ROWS; j++) slot += USUAL_ROWS * card > sorted[j];
            if (slot > 0) {
                gap -= lower_cards(theirs, (sorted[slot - 1] >> 2) + 1);
                count = t->count[sorted[slot - 1] & 3];
            }
            lines[seat][i - turn] = (uint16_t)((slot * (USUAL_PLACES + 1) + count) * GAPS + GAP_CLASS[gap]);
        }
    }
}

/* What every learning seat may expect from now on. */
static void judge(nl_school *l, int n, int left, uint16_t open[10][10], const int32_t *taken, const int *kinds,
                  int turn) {
    float sums[WIDE] = {0};
    for (int seat = 0; seat < n; seat++)
        for (int i = 0; i < left; i++) {
            const float *line = l->judge + (JUDGE_OTHERS + open[seat][i]) * WIDE;
            for (int j = 0; j < WIDE; j++) sums[j] += line[j];
        }
    for (int seat = 0; seat < n; seat++) {
        if (kinds[seat] != CURRENT) continue;
        Choice *c = &l->choices_made[seat][turn];
        int least = 1 << 20, rest = 0;
        float units[WIDE] = {0}, own[WIDE] = {0};
        for (int other = 0; other < n; other++) {
            if (other == seat) continue;
            least = taken[other] < least ? taken[other] : least;
            rest += taken[other];
        }
        memcpy(c->lines, c->sight.table, sizeof c->sight.table);
        c->lines[14] = (uint16_t)(JUDGE_LEAD + MOST_LEAD + within(taken[seat] - least, MOST_LEAD));
        c->lines[15] = (uint16_t)(JUDGE_MEAN + MOST_LEAD + within(taken[seat] - rest / (n - 1), MOST_LEAD));
        for (int i = 0; i < ABOUT_TABLE + 1; i++)
            for (int j = 0; j < WIDE; j++) units[j] += l->judge[c->lines[i] * WIDE + j];
        for (int i = 0; i < left; i++) {
            const float *mine = l->judge + (JUDGE_MINE + open[seat][i]) * WIDE;
            const float *other = l->judge + (JUDGE_OTHERS + open[seat][i]) * WIDE;
            for (int j = 0; j < WIDE; j++) {
                units[j] += mine[j];
                own[j] += other[j];
            }
        }
        c->value = l->judge[JUDGE_OUT + WIDE];
        for (int j = 0; j < WIDE; j++) {
            float unit = units[j] + (sums[j] - own[j]) / (float)(n - 1);
            c->judged[j] = unit > 0 ? unit : 0;
            c->value += c->judged[j] * l->judge[JUDGE_OUT + j];
        }
    }
}

/* Slopes of the judge for one turn; errors by seat. */
static void correct(nl_school *l, int n, int left, uint16_t open[10][10], const float *errors, const int *kinds,
                    int turn) {
    float all[WIDE] = {0}, unit[10][WIDE];
    for (int seat = 0; seat < n; seat++) {
        if (kinds[seat] != CURRENT) continue;
        const Choice *c = &l->choices_made[seat][turn];
        const float error = errors[seat];
        l->judge_slope[JUDGE_OUT + WIDE] += error;
        for (int j = 0; j < WIDE; j++) {
            l->judge_slope[JUDGE_OUT + j] += error * c->judged[j];
            unit[seat][j] = c->judged[j] > 0 ? error * l->judge[JUDGE_OUT + j] : 0;
            all[j] += unit[seat][j];
        }
        for (int i = 0; i < ABOUT_TABLE + 1; i++)
            for (int j = 0; j < WIDE; j++) l->judge_slope[c->lines[i] * WIDE + j] += unit[seat][j];
        for (int i = 0; i < left; i++)
            for (int j = 0; j < WIDE; j++) l->judge_slope[(JUDGE_MINE + open[seat][i]) * WIDE + j] += unit[seat][j];
    }
    for (int seat = 0; seat < n; seat++)
        for (int i = 0; i < left; i++) {
            float *move = l->judge_slope + (JUDGE_OTHERS + open[seat][i]) * WIDE;
            for (int j = 0; j < WIDE; j++)
                move[j] += (kinds[seat] == CURRENT ? all[j] - unit[seat][j] : all[j]) / (float)(n - 1);
        }
}

/* Who sits where: often everybody learns. Otherwise the others are earlier selves, rules of thumb or the trained network. */
static void seat_all(nl_classic *w, const nl_school *l, int *kinds) {
    static const int thumbs[4] = {EDGES_FIRST, CLOSEST_SAFE, LEAST_RISK, RANDOM};
    const int n = w->players;
    for (int seat = 0; seat < n; seat++) kinds[seat] = CURRENT;
    if ((int)nl_below(&w->rng, 16) >= l->company) return;
    const int first = (int)nl_below(&w->rng, (uint32_t)n);
    for (int seat = 0; seat < n; seat++) {
        const int die = (int)nl_below(&w->rng, 16);
        if (seat == first || die < 4) continue;
        if (die < 11 && l->earlier > 0) kinds[seat] = CURRENT + 1 + (int)nl_below(&w->rng, (uint32_t)l->earlier);
        else if (die < 14) kinds[seat] = TRAINED;
        else kinds[seat] = thumbs[nl_below(&w->rng, 4)];
    }
}

NL_API int32_t nl_classic_rehearse(nl_classic *w, const nl_network *net, nl_school *l, int32_t rounds) {
    int wrong = check_trained(w);
    if (!wrong) wrong = check_network(net);
    if (wrong) return wrong;
    if (!has_network(w) || w->draft || w->hand != 10 || w->deck != LAST_CARD) return NL_BAD_CODE;
    if (rounds < 0 || rounds > 1 << 24 || l->earlier < 0 || l->earlier > EARLIER) return NL_BAD_SIZE;
    const int n = w->players;
    for (int round = 0; round < rounds; round++) {
        uint64_t hidden[2] = {0, 0};
        uint16_t open[10][10][10];
        int32_t taken[NL_SEATS] = {0};
        int kinds[10];
        nl_deal_round(w);
        Table t = w->t;
        for (int card = 1; card <= LAST_CARD; card++) add_card(hidden, card);
        for (int row = 0; row < USUAL_ROWS; row++) drop_card(hidden, t.end[row]);
        seat_all(w, l, kinds);
        for (int turn = 0; turn < 10; turn++) {
            const int left = 10 - turn;
            for (int seat = 0; seat < n; seat++) {
                uint8_t *mine = w->cards + 10 * seat + turn;
                Choice aside, *c = kinds[seat] == CURRENT ? &l->choices_made[seat][turn] : &aside;
                uint64_t unseen[2] = {hidden[0], hidden[1]};
                int pick = 0;
                for (int i = 0; i < left; i++) drop_card(unseen, mine[i]);
                if (kinds[seat] >= CURRENT) {
                    look(&t, mine, left, unseen, n, seat, taken, net->chance, &c->sight);
                    consider(kinds[seat] == CURRENT ? l->numbers : l->past[kinds[seat] - CURRENT - 1], l->lined, c);
                    pick = c->pick = draw(c, &w->rng);
                } else if (kinds[seat] == TRAINED) pick = choose_trained(&t, mine, left, unseen, net);
                else if (kinds[seat] != RANDOM) pick = choose_card(USUAL(0), kinds[seat], &t, w->risk, mine, left, 0);
                w->plays[seat] = pick;
            }
            if (l->judging) {
                lay_open(&t, w->cards, n, turn, open[turn]);
                judge(l, n, left, open[turn], taken, kinds, turn);
            }
            for (int seat = 0; seat < n; seat++) {
                uint8_t *mine = w->cards + 10 * seat + turn, card = mine[w->plays[seat]];
                mine[w->plays[seat]] = mine[0];
                mine[0] = card;
                w->plays[seat] = card;
                drop_card(hidden, card);
            }
            play_turn(USUAL(0), n, &t, w->heads, w->plays, w->lows, w->order, w->log, &w->rng);
            int all = 0;
            for (int seat = 0; seat < n; seat++) {
                taken[seat] += w->log[seat] >> 8;
                all += w->log[seat] >> 8;
            }
            for (int seat = 0; seat < n; seat++) {
                const int mine = w->log[seat] >> 8;
                l->choices_made[seat][turn].reward = (float)(l->head * ((double)(all - mine) / (n - 1) - mine));
            }
        }
        int fewest = taken[0], ahead = 0;
        for (int seat = 0; seat < n; seat++) fewest = taken[seat] < fewest ? taken[seat] : fewest;
        for (int seat = 0; seat < n; seat++) ahead += taken[seat] == fewest;
        float better[10][10], errors[10][10];
        for (int seat = 0; seat < n; seat++) {
            if (kinds[seat] != CURRENT) continue;
            Choice *mine = l->choices_made[seat];
            mine[9].reward += (float)(l->win * ((taken[seat] == fewest ? 1.0 / ahead : 0) - 1.0 / n));
            l->heads += taken[seat];
            l->rounds++;
            float later = 0, sum = 0, next = 0;
            for (int turn = 9; turn >= 0; turn--) {
                sum += mine[turn].reward;
                if (l->judging) {
                    later = mine[turn].reward + next - mine[turn].value + (float)l->decay * later;
                    next = mine[turn].value;
                    better[seat][turn] = later;
                    errors[turn][seat] = sum - mine[turn].value;
                } else better[seat][turn] = sum;
                l->spread += (double)sum * sum;
                l->error += l->judging ? (double)errors[turn][seat] * errors[turn][seat] : 0;
                l->choices++;
            }
        }
        for (int turn = 0; turn < 10; turn++) {
            for (int seat = 0; seat < n; seat++)
                if (kinds[seat] == CURRENT && turn < 9) adjust(l, &l->choices_made[seat][turn], better[seat][turn]);
            if (l->judging) correct(l, n, 10 - turn, open[turn], errors[turn], kinds, turn);
        }
    }
    return NL_OK;
}

static void step(float *numbers, float *slope, float *mean, float *square, int count, double rate, double first,
                 double second) {
    const float a = (float)(rate / first), b = (float)(1 / second);
    for (int i = 0; i < count; i++) {
        const float move = slope[i];
        mean[i] = 0.9f * mean[i] + 0.1f * move;
        square[i] = 0.999f * square[i] + 0.001f * move * move;
        numbers[i] += a * mean[i] / (__builtin_sqrtf(square[i] * b) + 1e-8f);
        slope[i] = 0;
    }
}

NL_API int32_t nl_classic_improve(nl_school *l) {
    double first = 1, second = 1;
    l->steps++;
    for (int64_t i = 0; i < l->steps && i < 20000; i++) {
        first *= 0.9;
        second *= 0.999;
    }
    /* The steps' size must not depend on how many choices they rest on, but very small slopes must stay small. */
    step(l->numbers, l->slope, l->mean, l->square, l->lined ? NUMBERS : LINES_AT, l->rate, 1 - first, 1 - second);
    if (l->judging)
        step(l->judge, l->judge_slope, l->judge_mean, l->judge_square, JUDGE_NUMBERS, l->judge_rate, 1 - first,
             1 - second);
    /* Numbers stay where they can be written as whole ones. */
    for (int i = 0; i < NUMBERS; i++) {
        const float most = i < LINES_AT ? 15.6f : 3.96f;
        l->numbers[i] = l->numbers[i] > most ? most : l->numbers[i] < -most ? -most : l->numbers[i];
    }
    return NL_OK;
}

NL_API int32_t nl_classic_remember(nl_school *l, int32_t at) {
    if (at < 0 || at >= EARLIER) return NL_BAD_SIZE;
    memcpy(l->past[at], l->numbers, sizeof l->numbers);
    if (at >= l->earlier) l->earlier = at + 1;
    return NL_OK;
}
