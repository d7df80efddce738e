/* The API functions of vectorised games. Each chapter's games.c includes this file after defining

       CALL(name)                  nl_<chapter>_games_<name>
       Work, Records, Mind         the types passed to NL_GAMES (nimmt.h)
       Game, HOT                   one game, and how many of its bytes a step uses
       ASKED_FROM, ASKED_TO        the range of bytes with the pending decisions (default: all HOT bytes)
       SEEN_FROM, SEEN_TO          the range of bytes with most of what observations show (default: all bytes)
       check_games                 NL_OK, or an error code for a bad workspace
       acting, actions_of          the number of seats that act, and of actions
       is_readable, is_playable    whether the options of a record can be read, and whether it can be stepped
       Kind, KIND(w)               what these two are given instead of the workspace (default: the workspace)
       KNOWN_MASK(w, g, seat)      the legal actions of a seat as a set, or NULL (default: never known)
       is_sound                    whether a record from elsewhere can be continued
       count_of, option_of         the legal actions of a seat; a waiting seat has only action 0
       start_game, stepper         deal a game; the step function for these games, which leaves a finished game as
                                   observations show it
       choose_action               the action that a seat's policy chooses (w->policies, w->lows, w->rng)
       shape_of, tell, beside      the contents of observations (in_step.h)
*/
enum { MOST_ACTING = 16 };
#ifndef ASKED_FROM
#define ASKED_FROM 0
#define ASKED_TO HOT
#endif
#ifndef SEEN_FROM
#define SEEN_FROM 0
#define SEEN_TO sizeof(Game)
#endif
#ifndef KIND
typedef const Work *Kind;
#define KIND(w) (w)
#endif
#ifndef KNOWN_MASK
#define KNOWN_MASK(w, g, seat) NULL
#endif

/* The number of games that fit in `size` bytes, or an error code. */
static int games_in(const Work *w, int32_t size) {
    int wrong = check_games(w);
    return wrong ? wrong : size < 0 ? NL_BAD_SIZE : size / (int32_t)sizeof(Game);
}

ALWAYS int is_active(const uint8_t *active, int32_t listed, int game) { return !listed || active[game]; }

/* A game's seed is derived from the key and its number: Rng.from_seed(seed, number). */
static uint64_t next_seed(Work *w) { return nl_stream(w->key, w->first++); }

NL_API int32_t CALL(start)(Work *w, Records *records, int32_t size) {
    Game *games = records;
    const int number = games_in(w, size);
    for (int i = 0; i < number; i++) {
        memset(games + i, 0, sizeof(Game));
        start_game(w, games + i, next_seed(w));
    }
    return number < 0 ? number : NL_OK;
}

/* Check that all records, which may come from elsewhere, can be continued. */
NL_API int32_t CALL(check)(const Work *w, const Records *records, int32_t size) {
    const Game *games = records;
    const int number = games_in(w, size);
    for (int i = 0; i < number; i++)
        if (!is_sound(w, games + i)) return NL_BAD_CODE;
    return number < 0 ? number : NL_OK;
}

NL_API int32_t CALL(step)(Work *w, Records *records, int32_t size, const int16_t *actions, int32_t bytes,
                          float *rewards, int32_t words, uint8_t *ends, int32_t count, const uint8_t *active,
                          int32_t listed, Records *finals, int32_t room) {
    Game *games = records, *ended = finals;
    const int number = games_in(w, size);
    if (number < 0) return number;
    const int n = acting(w);
    if (bytes / 2 / n < number || words / n < number || count < number) return NL_TOO_SMALL;
    if ((listed && listed < number) || (room && room / (int32_t)sizeof(Game) < number)) return NL_TOO_SMALL;
    int (*const step)(const Work *, Game *, const int16_t *, float *) = stepper(w);
    const Kind kind = KIND(w);
    for (int i = 0; i < number; i++, actions += n, rewards += n) {
        Game *g = games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, 0, HOT);
        if (!is_active(active, listed, i)) continue;
        if (!is_playable(kind, g)) return NL_BAD_CODE;
        /* Read once: the caller may write to them during a step, and the actions played must be those checked. */
        int16_t chosen[MOST_ACTING];
        float given[MOST_ACTING] = {0};
        for (int seat = 0; seat < n; seat++) chosen[seat] = actions[seat];
        ends[i] = (uint8_t)step(w, g, chosen, given);
        /* One step of the caller may be several steps of listed games. */
        for (int seat = 0; seat < n; seat++) rewards[seat] = listed ? rewards[seat] + given[seat] : given[seat];
        if (!ends[i]) continue;
        if (room) ended[i] = *g;
        start_game(w, g, next_seed(w));
    }
    return NL_OK;
}

NL_API int32_t CALL(sample)(Work *w, const Records *records, int32_t size, int16_t *actions, int32_t bytes) {
    const Game *games = records;
    const int number = games_in(w, size);
    if (number < 0) return number;
    const int n = acting(w);
    if (bytes / 2 / n < number) return NL_TOO_SMALL;
    const Kind kind = KIND(w);
    uint64_t rng = w->rng;
    for (int i = 0; i < number; i++) {
        const Game *g = games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, ASKED_FROM, ASKED_TO);
        if (!is_readable(kind, g)) return NL_BAD_CODE;
        for (int seat = 0; seat < n; seat++) {
            /* Who has no choice draws 0 and leaves the stream where it was, without a branch that is hard to predict. */
            const int count = count_of(w, g, seat);
            uint64_t drawn = rng;
            const int at = (int)nl_below(&drawn, (uint32_t)count);
            rng = count > 1 ? drawn : rng;
            *actions++ = (int16_t)option_of(w, g, seat, at);
        }
    }
    w->rng = rng;
    return NL_OK;
}

NL_API int32_t CALL(choose)(Work *w, const Records *records, int32_t size, int16_t *actions, int32_t bytes,
                            const uint8_t *active, int32_t listed, int32_t seats, const Mind *mind, int32_t room) {
    const Game *games = records;
    const int number = games_in(w, size);
    if (number < 0) return number;
    const int n = acting(w);
    if (bytes / 2 / n < number || (listed && listed < number)) return NL_TOO_SMALL;
    int wrong = check_mind(w, mind, room);
    if (wrong) return wrong;
    const Kind kind = KIND(w);
    for (int i = 0; i < number; i++, actions += n) {
        const Game *g = games + i;
        if (!is_active(active, listed, i)) continue;
        if (!is_playable(kind, g) || !is_readable(kind, g)) return NL_BAD_CODE;
        for (int seat = 0; seat < n; seat++)
            if (seats >> seat & 1) actions[seat] = option_of(w, g, seat, 0) ? choose_action(w, g, seat, mind) : 0;
    }
    return NL_OK;
}

NL_API int32_t CALL(masks)(const Work *w, const Records *records, int32_t size, int32_t from, int32_t to,
                           uint8_t *masks, int32_t bytes, int32_t packed) {
    const Game *games = records;
    const int number = games_in(w, size);
    if (number < 0) return number;
    const int actions = actions_of(w), width = packed ? (actions + 63) / 64 * 8 : actions;
    if (from < 0 || to > acting(w) || from >= to) return NL_BAD_SIZE;
    if (bytes / width / (to - from) < number) return NL_TOO_SMALL;
    const Kind kind = KIND(w);
    for (int i = 0; i < number; i++) {
        const Game *g = games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, ASKED_FROM, ASKED_TO);
        if (!is_readable(kind, g)) return NL_BAD_CODE;
        for (int seat = from; seat < to; seat++, masks += width) {
            const int count = count_of(w, g, seat);
            if (packed) {
                const uint64_t *known = width == 16 ? KNOWN_MASK(w, g, seat) : NULL;
                if (known) {
                    memcpy(masks, known, 16);
                    continue;
                }
                uint64_t few[4] = {0}, *words = width <= (int)sizeof few ? few : (uint64_t *)(void *)masks;
                if (words != few) memset(words, 0, (size_t)width);
                if (width == 16) { /* the usual size; both words stay in registers */
                    uint64_t both[2] = {0, 0};
                    for (int at = 0; at < count; at++) add_to(both, option_of(w, g, seat, at));
                    memcpy(masks, both, 16);
                    continue;
                }
                for (int at = 0; at < count; at++) {
                    const int action = option_of(w, g, seat, at);
                    words[action >> 6] |= 1ull << (action & 63);
                }
                if (words == few) memcpy(masks, few, (size_t)width);
            } else {
                memset(masks, 0, (size_t)width);
                for (int at = 0; at < count; at++) masks[option_of(w, g, seat, at)] = 1;
            }
        }
    }
    return NL_OK;
}

ALWAYS int observe_games(const Work *w, const Game *games, int number, int from, int to, uint8_t *out,
                         const int compact, const Shape shape) {
    const Kind kind = KIND(w);
    const size_t each = (size_t)sight_size(&shape, compact) * (compact ? 1 : sizeof(float));
    Facts facts;
    int16_t numbers[SIGHT_BESIDE], over[SIGHT_BESIDE];
    float part[SIGHT_PARTS];
    for (int i = 0; i < SIGHT_PARTS; i++) part[i] = (float)(i + 1) / (float)shape.places;
    for (int i = 0; i < number; i++) {
        const Game *g = games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, SEEN_FROM, SEEN_TO);
        if (!is_playable(kind, g) || !is_readable(kind, g)) return NL_BAD_CODE;
        tell(w, &shape, g, &facts, compact, from, to);
        if (!compact) find_marks(&facts, &shape, part);
        for (int seat = from; seat < to; seat++, out += each) {
            if (shape.beside) beside(w, g, seat, numbers, over);
            observe_game(out, compact, &shape, &facts, seat, numbers, over);
        }
    }
    return NL_OK;
}

NL_API int32_t CALL(observe)(const Work *w, const Records *records, int32_t size, int32_t from, int32_t to,
                             uint8_t *out, int32_t bytes, int32_t compact) {
    const Game *games = records;
    const int number = games_in(w, size);
    if (number < 0) return number;
    const Shape shape = shape_of(w);
    const int each = sight_size(&shape, compact);
    if (!bytes) return each;
    if (from < 0 || to > acting(w) || from >= to) return NL_BAD_SIZE;
    if (bytes / (compact ? 1 : 4) / each / (to - from) < number) return NL_TOO_SMALL;
#ifdef USUAL_SHAPE /* the same code, specialised with constants */
    if (is_usual_shape(w))
        return compact ? observe_games(w, games, number, from, to, out, 1, USUAL_SHAPE)
                       : observe_games(w, games, number, from, to, out, 0, USUAL_SHAPE);
#endif
    return compact ? observe_games(w, games, number, from, to, out, 1, shape)
                   : observe_games(w, games, number, from, to, out, 0, shape);
}
