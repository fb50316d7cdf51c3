/* The board and the rules of Grid Sparta, a part of bitboards.c and of no other file.
 *
 * The board. A row takes 11 bits of a 128-bit word: ten squares and one bit that is always 0. A
 * step over the left or right edge therefore ends on an unused bit. The 18 bits above the last
 * row are 0 too, and word and indices are taken modulo 128, so a step over the upper or lower edge
 * ends on an unused bit as well. No step ever needs an edge test. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("popcnt,bmi,bmi2") /* plain -O2 would count bits by a function call */
#include <immintrin.h>
#define HAVE_PDEP 1
#endif

#include <stdint.h>

typedef uint64_t Word;
typedef unsigned __int128 Set;

enum { SPARTA, ACHAEA, DRAW, NONE };

enum { SIZE = 10, STRIDE = 11, MEN = 8 };

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

/* The targets of piece i, as seen through a window: bit 0 of `low[i]` stands for the square
 * `corner[i]`, bit 0 of `high[i]` for the one 64 further on, both modulo 128. */
typedef struct {
    int total;
    int count[MEN], corner[MEN];
    Word low[MEN], high[MEN];
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

/* A set to be looked at through windows. The lower word follows the upper once more, so that a
 * window needs the word of its corner and the next one. They are picked with a load, not with a
 * condition: the processor cannot guess in which half of the board a piece stands. */
typedef struct {
    Word word[3];
} Pane;

static inline Pane pane(Set set) {
    return (Pane){{(Word)set, (Word)(set >> 64), (Word)set}};
}

/* The 64 squares from the corner on, modulo 128. */
static inline Word window(const Pane *pane, int corner) {
    const Word *word = pane->word + (corner >> 6 & 1);
    return word[0] >> (corner & 63) | word[1] << 1 << (~corner & 63);
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
 * third step needs 73 bits. Two rows beyond the edge the window may show squares from the
 * opposite side of the board, but no walk gets there: the first row beyond the edge is always 0. */
enum { HERE = 2 * STRIDE + 2, HERE_WIDE = 3 * STRIDE + 3 };
#define RING (BIT(HERE - STRIDE - 1) * 7 | BIT(HERE - 1) * 5 | BIT(HERE + STRIDE - 1) * 7)

static inline void find_moves(const Position *position, Moves *moves) {
    const Side *side = &position->side[position->mover];
    Pane empty = pane(empty_squares(position));
    int total = 0;
    for (int i = 0; i < side->count; i++) {
        int corner = side->square[i] - HERE;
        Word here = window(&empty, corner);
        Word low = spread(here & RING) & here, high = 0;
        int count = __builtin_popcountll(low);
        if (side->pace[i] == 3) {
            Set third = spread_wide((Set)low << (HERE_WIDE - HERE));
            corner = side->square[i] - HERE_WIDE;
            low = (Word)third & window(&empty, corner);
            high = (Word)(third >> 64) & window(&empty, corner + 64);
            count = __builtin_popcountll(low) + __builtin_popcountll(high);
        }
        moves->low[i] = low;
        moves->high[i] = high;
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
    Word low = moves->low[i], high = moves->high[i];
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
 * any is removed. A run of foes must begin next to that square, and the mover's own run needs
 * occupied squares on both sides of it; mostly there are none, so that is asked first. */
static inline Set trapped(Set own, Set foe, int arrival) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    Set lost = 0;
    Pane all = pane(own | foe), foes = pane(foe);
    Word near = window(&all, arrival - HERE) & RING;
    if (!near)
        return 0;
    for (Word rest = near & window(&foes, arrival - HERE); rest; rest &= rest - 1) {
        int step = __builtin_ctzll(rest) - HERE;
        int end = end_of_run(foe, arrival, step);
        if (has(own, end))
            lost |= run(arrival, end, step);
    }
    if (!(near & (near - 1)))
        return lost;
    for (int line = 0; line < 4; line++) {
        int step = steps[line];
        if (near >> (HERE + step) & near >> (HERE - step) & 1) {
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
