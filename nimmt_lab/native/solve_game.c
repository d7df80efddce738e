#include "solve_game.h"

#define HUGE_NUMBER 1e300

static void span_of(const game *g, int m, int n, double *least, double *most) {
    *least = *most = g->entry[0][0];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double entry = g->entry[i][j];
            *least = entry < *least ? entry : *least;
            *most = entry > *most ? entry : *most;
        }
}

/* Read the value and strategies from a finished tableau. */
static double read_off(game *g, int m, int n, double least, double scale) {
    int width = n + m + 1;
    double total = 0.0;
    for (int j = 0; j < n; j++) g->y[j] = 0.0;
    for (int i = 0; i < m; i++)
        if (g->basis[i] < n && g->tableau[i][width - 1] > 1e-13) {
            g->y[g->basis[i]] = g->tableau[i][width - 1];
            total += g->tableau[i][width - 1];
        }
    for (int j = 0; j < n; j++) g->y[j] /= total;
    double value = (1.0 / total - 0.5) / scale + least;
    total = 0.0;
    for (int i = 0; i < m; i++) {
        g->x[i] = g->tableau[m][n + i] > 1e-13 ? g->tableau[m][n + i] : 0.0;
        total += g->x[i];
    }
    for (int i = 0; i < m; i++) g->x[i] /= total;
    return value;
}

/* The simplex method for the column player's linear programme. */
static double simplex(game *g, int m, int n) {
    double least, most;
    span_of(g, m, n, &least, &most);
    double scale = 1.0 / (most - least);
    int width = n + m + 1;
    for (int i = 0; i < m; i++) {
        double *line = g->tableau[i];
        for (int j = 0; j < n; j++) line[j] = (g->entry[i][j] - least) * scale + 0.5;
        for (int j = n; j < width; j++) line[j] = 0.0;
        line[n + i] = 1.0;
        line[width - 1] = 1.0;
        g->basis[i] = n + i;
    }
    double *cost = g->tableau[m];
    for (int j = 0; j < width; j++) cost[j] = j < n ? -1.0 : 0.0;
    for (int step = 0; step < 60 * (m + n); step++) {
        int enter = -1, leave = -1;
        double lowest = -1e-11, ratio = HUGE_NUMBER;
        for (int j = 0; j < width - 1; j++)
            if (cost[j] < lowest) { /* lowest cost first; Bland's rule if that takes long */
                enter = j;
                if (step >= 30 * (m + n)) break;
                lowest = cost[j];
            }
        if (enter < 0) break;
        for (int i = 0; i < m; i++)
            if (g->tableau[i][enter] > 1e-11) {
                double candidate = g->tableau[i][width - 1] / g->tableau[i][enter];
                if (candidate < ratio || (leave >= 0 && candidate == ratio && g->basis[i] < g->basis[leave])) {
                    ratio = candidate;
                    leave = i;
                }
            }
        if (leave < 0) break;
        double *row = g->tableau[leave], pivot = 1.0 / row[enter];
        for (int j = 0; j < width; j++) row[j] *= pivot;
        for (int i = 0; i <= m; i++) {
            double *line = g->tableau[i], factor = line[enter];
            if (i != leave && factor != 0.0)
                for (int j = 0; j < width; j++) line[j] -= factor * row[j];
        }
        g->basis[leave] = enter;
    }
    return read_off(g, m, n, least, scale);
}

/* Double-double arithmetic, about 32 digits (Dekker 1971). */
typedef struct {
    double high, low;
} twofold;

static inline twofold join(double high, double low) {
    double total = high + low;
    return (twofold){total, low - (total - high)};
}

/* a - b * c */
static twofold subtract_product(twofold a, twofold b, twofold c) {
    double product = b.high * c.high, t = 134217729.0 * b.high, b_top = t - (t - b.high), b_rest = b.high - b_top;
    t = 134217729.0 * c.high;
    double c_top = t - (t - c.high), c_rest = c.high - c_top;
    double rest = ((b_top * c_top - product) + b_top * c_rest + b_rest * c_top) + b_rest * c_rest;
    rest += b.high * c.low + b.low * c.high;
    double total = a.high - product;
    t = total - a.high;
    double error = (a.high - (total - t)) - (product + t);
    return join(total, error + a.low - rest);
}

static twofold divide(twofold a, twofold b) {
    double one = a.high / b.high;
    twofold rest = subtract_product(a, (twofold){one, 0.0}, b);
    double two = rest.high / b.high;
    rest = subtract_product(rest, (twofold){two, 0.0}, b);
    twofold sum = join(one, two);
    return join(sum.high, sum.low + rest.high / b.high);
}

static inline twofold at(const game *g, int i, int j) { return (twofold){g->tableau[i][j], g->low[i][j]}; }

static inline void put(game *g, int i, int j, twofold number) {
    g->tableau[i][j] = number.high;
    g->low[i][j] = number.low;
}

/* The same method in double-double arithmetic, for matrices whose rows are almost equal. */
static double simplex_precise(game *g, int m, int n) {
    double least, most, scale = 1.0;
    span_of(g, m, n, &least, &most);
    while (scale < most - least) scale *= 2.0;
    int width = n + m + 1;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j < width; j++) put(g, i, j, (twofold){0.0, 0.0});
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            g->tableau[i][j] = (g->entry[i][j] - least) / scale + 0.5; /* exact: scale is a power of two */
        g->tableau[i][n + i] = 1.0;
        g->tableau[i][width - 1] = 1.0;
        g->basis[i] = n + i;
    }
    for (int j = 0; j < n; j++) g->tableau[m][j] = -1.0;
    for (int step = 0; step < 60 * (m + n); step++) {
        int enter = -1, leave = -1;
        double lowest = -1e-20;
        twofold ratio = {HUGE_NUMBER, 0.0};
        for (int j = 0; j < width - 1; j++)
            if (g->tableau[m][j] < lowest) {
                enter = j;
                if (step > 30 * (m + n)) break;
                lowest = g->tableau[m][j];
            }
        if (enter < 0) break;
        for (int i = 0; i < m; i++)
            if (g->tableau[i][enter] > 1e-20) {
                twofold q = divide(at(g, i, width - 1), at(g, i, enter));
                if (q.high < ratio.high || (q.high == ratio.high && q.low < ratio.low)) {
                    ratio = q;
                    leave = i;
                }
            }
        if (leave < 0) break;
        twofold pivot = at(g, leave, enter);
        for (int j = 0; j < width; j++) put(g, leave, j, divide(at(g, leave, j), pivot));
        for (int i = 0; i <= m; i++) {
            twofold factor = at(g, i, enter);
            if (i != leave && factor.high != 0.0)
                for (int j = 0; j < width; j++) put(g, i, j, subtract_product(at(g, i, j), factor, at(g, leave, j)));
        }
        g->basis[leave] = enter;
    }
    return read_off(g, m, n, least, 1.0 / scale);
}

/* The value of the best reply to y minus that of the best reply to x. */
static double gap_of(const game *g, int m, int n) {
    double most = -HUGE_NUMBER, least = HUGE_NUMBER;
    for (int i = 0; i < m; i++) {
        double total = 0.0;
        for (int j = 0; j < n; j++) total += g->y[j] * g->entry[i][j];
        most = total > most ? total : most;
    }
    for (int j = 0; j < n; j++) {
        double total = 0.0;
        for (int i = 0; i < m; i++) total += g->x[i] * g->entry[i][j];
        least = total < least ? total : least;
    }
    return most - least;
}

/* Whether a mix is usable: rounding errors can spoil all its probabilities. */
static int is_mix(const double *mix, int size) {
    double total = 0.0;
    for (int i = 0; i < size; i++) total += mix[i];
    return total > 0.5 && total < 1.5;
}

/* First try a saddle point (most turns have one) and the 2x2 formula, then the simplex method. If the gap is above 1/4,
 * rounding errors spoilt the result, so run it again with twice as many digits. */
double solve_game(game *g, int m, int n) {
    double best = -HUGE_NUMBER, worst = HUGE_NUMBER;
    int here = 0, there = 0;
    for (int i = 0; i < m; i++) {
        double least = g->entry[i][0];
        for (int j = 1; j < n; j++) least = g->entry[i][j] < least ? g->entry[i][j] : least;
        if (least > best) {
            best = least;
            here = i;
        }
        g->x[i] = 0.0;
    }
    for (int j = 0; j < n; j++) {
        double most = g->entry[0][j];
        for (int i = 1; i < m; i++) most = g->entry[i][j] > most ? g->entry[i][j] : most;
        if (most < worst) {
            worst = most;
            there = j;
        }
        g->y[j] = 0.0;
    }
    if (best >= worst) {
        g->x[here] = 1.0;
        g->y[there] = 1.0;
        return best;
    }
    if (m == 2 && n == 2) {
        double a = g->entry[0][0], b = g->entry[0][1], c = g->entry[1][0], d = g->entry[1][1], spread = a - b - c + d;
        g->x[0] = (d - c) / spread;
        g->x[1] = (a - b) / spread;
        g->y[0] = (d - b) / spread;
        g->y[1] = (a - c) / spread;
        return (a * d - b * c) / spread;
    }
    double value = simplex(g, m, n);
    if (!(gap_of(g, m, n) <= 0.25)) /* also true for NaN */
        value = simplex_precise(g, m, n);
    if (!is_mix(g->x, m) || !is_mix(g->y, n)) { /* suggest a pure strategy instead */
        for (int i = 0; i < m; i++) g->x[i] = i == here;
        for (int j = 0; j < n; j++) g->y[j] = j == there;
        value = 0.5 * (best + worst);
    }
    return value;
}
