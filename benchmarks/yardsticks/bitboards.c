/* Grid Sparta in C with bitboards: the fast yardstick.
 *
 * Nothing here is general. The program shows what the machine can do for this one game when all
 * moves of a position are found before one is drawn, as the interpreter must do as well.
 *
 *     bitboards perft DEPTH                 count the move sequences of that length
 *     bitboards playouts GAMES SEED [CAP]   play random games against the clock
 *     bitboards record GAMES SEED [CAP]     play the same games and print every move
 *     bitboards replay                      read games, print the position after every move
 *
 * The board. A row takes 11 bits of a 128-bit word: ten squares and one bit that is always 0. A
 * step over the left or right edge therefore ends on an unused bit. The 18 bits above the last
 * row are 0 too, and word and indices are taken modulo 128, so a step over the upper or lower edge
 * ends on an unused bit as well. No step ever needs an edge test.
 *
 * Outside the program squares are numbered as in plain.py, 0 to 99 by rows. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("popcnt,bmi,bmi2") /* plain -O2 would count bits by a function call */
#include <immintrin.h>
#define HAVE_PDEP 1
#endif

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t Word;
typedef unsigned __int128 Set;

enum { SPARTA, ACHAEA, DRAW, NONE };
static const char *const NAMES[] = {"sparta", "achaea", "draw", "none"};

enum { SIZE = 10, STRIDE = 11, MEN = 8, USUAL_CAP = 500 };

#define BIT(square) ((Word)1 << (square))
#define ROW(bits, row) ((Set)(bits) << ((row) * STRIDE))

/* All cities lie in rows 5 and 6, that is below bit 64: one word holds a set of them. */
#define COLUMNS_OF_CITIES (BIT(1) | BIT(3) | BIT(6) | BIT(8))
#define SOUTHERN (COLUMNS_OF_CITIES << (4 * STRIDE))
#define NORTHERN (COLUMNS_OF_CITIES << (5 * STRIDE))

/* One side. The list of squares repeats what `men` says, so that the loop over the pieces runs a
 * number of times the processor can predict. `pace` is 2 for a fighter and 3 for a hero. */
typedef struct {
    Set men;
    Word cities;
    int count;
    uint8_t square[MEN], pace[MEN];
} Side;

typedef struct {
    Side side[2];
    int mover, result;
} Position;

/* The targets of piece i, as a set whose bit 0 stands for the square `corner[i]` (modulo 128). */
typedef struct {
    int total;
    int count[MEN], corner[MEN];
    Set targets[MEN];
} Moves;

static int has(Set set, int square) {
    return (square & 64 ? (Word)(set >> 64) : (Word)set) >> (square & 63) & 1;
}

static Set bit(int square) { return (Set)1 << (square & 127); }

static Position start(void) {
    Position position = {.mover = SPARTA, .result = NONE};
    for (int player = SPARTA; player <= ACHAEA; player++) {
        Side *side = &position.side[player];
        int row = player == SPARTA ? 0 : SIZE - 1;
        side->men = ROW(0x1fe, row);
        side->cities = player == SPARTA ? SOUTHERN : NORTHERN;
        side->count = MEN;
        for (int i = 0; i < MEN; i++) {
            side->square[i] = (uint8_t)(row * STRIDE + 1 + i);
            side->pace[i] = 2;
        }
    }
    return position;
}

static Set empty_squares(const Position *position) {
    Set all = 0;
    for (int row = 0; row < SIZE; row++)
        all |= ROW(0x3ff, row);
    return all & ~(position->side[SPARTA].men | position->side[ACHAEA].men);
}

/* The set with every square moved down by `by` squares, modulo 128. */
static inline Set rotate(Set set, int by) {
    Word low = (Word)set, high = (Word)(set >> 64);
    Word first = by & 64 ? high : low, second = by & 64 ? low : high;
    int shift = by & 63;
    Word bottom = first >> shift | second << 1 << (63 - shift);
    Word top = second >> shift | first << 1 << (63 - shift);
    return (Set)top << 64 | bottom;
}

/* A square and the eight around it: first along the row, then along the columns. */
static inline Word spread(Word set) {
    set |= set << 1 | set >> 1;
    return set | set << STRIDE | set >> STRIDE;
}

static inline Set spread_wide(Set set) {
    set |= set << 1 | set >> 1;
    return set | set << STRIDE | set >> STRIDE;
}

/* Two steps in any direction stay in five rows of five squares, which span 49 bits. So the first
 * two steps are taken in a 64-bit window, in which the piece stands at bit HERE; only a hero's
 * third step needs the whole word. Two rows beyond the edge the window may show squares from the
 * opposite side of the board, but no walk gets there: the first row beyond the edge is always 0. */
enum { HERE = 2 * STRIDE + 2, HERE_WIDE = 3 * STRIDE + 3 };
#define RING (BIT(HERE - STRIDE - 1) * 7 | BIT(HERE - 1) * 5 | BIT(HERE + STRIDE - 1) * 7)

static inline void find_moves(const Position *position, Moves *moves) {
    const Side *side = &position->side[position->mover];
    Set empty = empty_squares(position);
    int total = 0;
    for (int i = 0; i < side->count; i++) {
        int corner = side->square[i] - HERE;
        Word window = (Word)rotate(empty, corner);
        Set targets = spread(window & RING) & window;
        int count = __builtin_popcountll((Word)targets);
        if (side->pace[i] == 3) {
            corner = side->square[i] - HERE_WIDE;
            targets = spread_wide(targets << (HERE_WIDE - HERE)) & rotate(empty, corner);
            count = __builtin_popcountll((Word)targets);
            count += __builtin_popcountll((Word)(targets >> 64));
        }
        moves->targets[i] = targets;
        moves->corner[i] = corner;
        moves->count[i] = count;
        total += count;
    }
    moves->total = total;
}

/* The place of the n-th bit of a word, counted from 0. */
static inline int nth_bit(Word word, int n) {
#ifdef HAVE_PDEP
    return __builtin_ctzll(_pdep_u64(BIT(n), word));
#else
    while (n--)
        word &= word - 1;
    return __builtin_ctzll(word);
#endif
}

/* Split move number n into the piece that moves and its target. */
static inline int nth_move(const Moves *moves, int n, int *target) {
    int i = 0;
    while (n >= moves->count[i])
        n -= moves->count[i++];
    Word low = (Word)moves->targets[i], high = (Word)(moves->targets[i] >> 64);
    int below = __builtin_popcountll(low);
    int place = n < below ? nth_bit(low, n) : 64 + nth_bit(high, n - below);
    *target = (moves->corner[i] + place) & 127;
    return i;
}

/* Follow `men` from `square` in steps of `step`; the square where they stop. */
static int end_of_run(Set men, int square, int step) {
    do
        square += step;
    while (has(men, square));
    return square;
}

static Set run(int square, int end, int step) {
    Set squares = 0;
    for (square += step; square != end; square += step)
        squares |= bit(square);
    return squares;
}

/* All pieces of both sides that are trapped on lines through the arrival square, judged before
 * any is removed. A line can matter only if there is a piece next to the arrival square, which
 * is rare, so that is asked first. */
static Set trapped(Set own, Set foe, int arrival) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    Set lost = 0;
    Word window = (Word)rotate(own | foe, arrival - HERE);
    if (!(window & RING))
        return 0;
    for (int line = 0; line < 4; line++) {
        int step = steps[line];
        int ahead = window >> (HERE + step) & 1, behind = window >> (HERE - step) & 1;
        if (ahead && has(foe, arrival + step)) {
            int end = end_of_run(foe, arrival, step);
            if (has(own, end))
                lost |= run(arrival, end, step);
        }
        if (behind && has(foe, arrival - step)) {
            int end = end_of_run(foe, arrival, -step);
            if (has(own, end))
                lost |= run(arrival, end, -step);
        }
        if (ahead && behind) {
            int upper = end_of_run(own, arrival, step), lower = end_of_run(own, arrival, -step);
            if (has(foe, upper) && has(foe, lower))
                lost |= run(lower, upper, step);
        }
    }
    return lost;
}

static void remove_men(Side *side, Set lost) {
    side->men &= ~lost;
    for (int i = side->count - 1; i >= 0; i--)
        if (has(lost, side->square[i])) {
            int last = --side->count;
            side->square[i] = side->square[last];
            side->pace[i] = side->pace[last];
        }
}

static int verdict(const Position *position) {
    const Side *sparta = &position->side[SPARTA], *achaea = &position->side[ACHAEA];
    int s = sparta->count, a = achaea->count;
    if (achaea->cities == 0)
        return SPARTA;
    if (sparta->cities == 0)
        return ACHAEA;
    if ((s == 2 && a == 2) || (s <= 1 && a <= 1)) {
        int lead = __builtin_popcountll(sparta->cities) - __builtin_popcountll(achaea->cities);
        return lead > 0 ? SPARTA : lead < 0 ? ACHAEA : DRAW;
    }
    return s <= 1 ? ACHAEA : a <= 1 ? SPARTA : NONE;
}

/* Move piece i of the mover to the target, with all that follows. Whether the next player can
 * move at all is for the caller to find out. */
static inline void play(Position *position, int i, int target) {
    Side *own = &position->side[position->mover], *foe = &position->side[!position->mover];
    own->men ^= bit(own->square[i]) | bit(target);
    own->square[i] = (uint8_t)target;
    position->mover = !position->mover;

    Word city = target < 64 ? BIT(target) & (SOUTHERN | NORTHERN) : 0;
    Word conquered = city & foe->cities;
    if (city & own->cities)
        own->pace[i] = 3;
    own->cities |= conquered;
    foe->cities &= ~conquered;

    Set lost = trapped(own->men, foe->men, target);
    if (lost) {
        remove_men(own, lost);
        remove_men(foe, lost);
    }
    if (lost || conquered) /* nothing else can change what the verdict depends on */
        position->result = verdict(position);
}

static unsigned long long perft(const Position *position, int depth) {
    if (depth == 0)
        return 1;
    if (position->result != NONE)
        return 0;
    Moves moves;
    find_moves(position, &moves);
    if (depth == 1)
        return (unsigned long long)moves.total;
    unsigned long long count = 0;
    for (int n = 0; n < moves.total; n++) {
        Position next = *position;
        int target, i = nth_move(&moves, n, &target);
        play(&next, i, target);
        count += perft(&next, depth - 1);
    }
    return count;
}

/* splitmix64: one addition and two multiplications a number, good enough for dice. */
static inline Word next_random(Word *state) {
    Word z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number below the bound, each exactly as likely as any other: Lemire's method, which draws
 * again in the few cases that would favour some numbers. */
static inline uint32_t draw_below(Word *state, uint32_t bound) {
    Word product = (next_random(state) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t surplus = -bound % bound;
        while ((uint32_t)product < surplus)
            product = (next_random(state) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

static int outside(int square) { return square / STRIDE * SIZE + square % STRIDE; }

/* Play one random game. The result NONE means that the cap came first. */
static int playout(Word *random, long cap, long *made, int print) {
    Position position = start();
    Moves moves;
    for (long ply = 0;; ply++) {
        if (position.result == NONE) {
            find_moves(&position, &moves);
            if (moves.total == 0)
                position.result = !position.mover;
        }
        if (position.result != NONE || ply == cap) {
            *made += ply;
            return position.result;
        }
        int target, i = nth_move(&moves, (int)draw_below(random, (uint32_t)moves.total), &target);
        if (print)
            printf("%d %d\n", outside(position.side[position.mover].square[i]), outside(target));
        play(&position, i, target);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void playouts(long games, Word seed, long cap, int print) {
    long results[4] = {0}, moves = 0;
    double begun = now();
    for (long game = 0; game < games; game++) {
        if (print)
            printf("new\n");
        results[playout(&seed, cap, &moves, print)]++;
    }
    double seconds = now() - begun;
    if (print)
        return;
    printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.6f, \"moves_per_second\": %.0f, "
           "\"results\": {\"sparta\": %ld, \"achaea\": %ld, \"draw\": %ld, \"unfinished\": %ld}}\n",
           games, moves, seconds, seconds > 0 ? (double)moves / seconds : 0.0, results[SPARTA],
           results[ACHAEA], results[DRAW], results[NONE]);
}

/* One line: the mover, the result, the number of moves with a checksum of them, and for each
 * player the pieces (a hero is marked h) and the cities. crosscheck.py writes the same line. */
static void print_position(const Position *position) {
    Moves moves = {0};
    if (position->result == NONE)
        find_moves(position, &moves);
    unsigned long long sum = 0;
    for (int n = 0; n < moves.total; n++) {
        int target, i = nth_move(&moves, n, &target);
        int origin = outside(position->side[position->mover].square[i]);
        unsigned long long move = (unsigned long long)(100 * origin + outside(target) + 1);
        sum += move * move;
    }
    int result = position->result == NONE && moves.total == 0 ? !position->mover : position->result;
    printf("%s %s %d %llu", NAMES[position->mover], NAMES[result], moves.total, sum);
    for (int player = SPARTA; player <= ACHAEA; player++) {
        const Side *side = &position->side[player];
        printf(" |");
        for (int square = 0; square < SIZE * STRIDE; square++)
            if (has(side->men, square)) {
                int i = 0;
                while (side->square[i] != square)
                    i++;
                printf(" %d%s", outside(square), side->pace[i] == 3 ? "h" : "");
            }
        printf(" :");
        for (int square = 0; square < 64; square++)
            if (side->cities & BIT(square))
                printf(" %d", outside(square));
    }
    printf("\n");
}

/* Make the move between two squares numbered from outside; 0 if it is not legal. */
static int play_outside(Position *position, int origin, int goal) {
    Moves moves;
    find_moves(position, &moves);
    for (int n = 0; position->result == NONE && n < moves.total; n++) {
        int target, i = nth_move(&moves, n, &target);
        if (outside(position->side[position->mover].square[i]) == origin && outside(target) == goal) {
            play(position, i, target);
            return 1;
        }
    }
    return 0;
}

/* Read "new" before each game and then "FROM TO" for each move. */
static int replay(void) {
    Position position = start();
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        int origin, target;
        if (strcmp(line, "new\n") == 0) {
            position = start();
        } else if (sscanf(line, "%d %d", &origin, &target) != 2 ||
                   !play_outside(&position, origin, target)) {
            fprintf(stderr, "bitboards: not a legal move: %s", line);
            return 1;
        }
        print_position(&position);
    }
    return 0;
}

static int number(const char *text, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *value >= 0;
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "";
    long first = 0, seed = 0, cap = USUAL_CAP;
    int valid = (argc <= 2 || number(argv[2], &first)) && (argc <= 3 || number(argv[3], &seed)) &&
                (argc <= 4 || number(argv[4], &cap));
    if (valid && argc == 2 && strcmp(command, "replay") == 0)
        return replay();
    if (valid && argc == 3 && strcmp(command, "perft") == 0) {
        Position position = start();
        printf("%llu\n", perft(&position, (int)first));
        return 0;
    }
    int print = strcmp(command, "record") == 0;
    if (valid && (argc == 4 || argc == 5) && (print || strcmp(command, "playouts") == 0)) {
        playouts(first, (Word)seed, cap, print);
        return 0;
    }
    fprintf(stderr, "usage: bitboards perft DEPTH | playouts GAMES SEED [CAP] | "
                    "record GAMES SEED [CAP] | replay\n");
    return 2;
}
