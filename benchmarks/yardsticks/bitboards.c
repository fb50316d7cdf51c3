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
 * Outside the program squares are numbered as in plain.py, 0 to 99 by rows. */

#include "bitboards.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USUAL_CAP = 500 }; /* plies after which a random game is given up */

static const char *const NAMES[] = {"sparta", "achaea", "draw", "none"};

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
        int from = outside(position->side[position->mover].square[i]);
        if (from == origin && outside(target) == goal) {
            play(position, i, target);
            return 1;
        }
    }
    return 0;
}

/* Read "new" before each game and then "FROM TO" for each move; answer each line with one. */
static int replay(void) {
    Position position = start();
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        int origin, target;
        if (strcmp(line, "new\n") == 0) {
            position = start();
        } else if (sscanf(line, "%d %d", &origin, &target) != 2 ||
                   !play_outside(&position, origin, target)) {
            printf("not a legal move: %s", line);
            continue;
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
