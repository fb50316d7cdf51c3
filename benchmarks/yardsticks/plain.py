"""Grid Sparta in plain Python: the slow yardstick.

This is the program one would write by hand for this one game, with lists and dicts and
without tricks. Squares are numbered 0 to 99, row by row from a1, so a1 is 0, j1 is 9 and
a2 is 10. The interpreter and the C program beside it are measured against this program.

    python plain.py perft DEPTH
    python plain.py playouts GAMES SEED [CAP]
"""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import dataclass

SPARTA = "sparta"
ACHAEA = "achaea"
DRAW = "draw"
UNFINISHED = "unfinished"

RIVAL = {SPARTA: ACHAEA, ACHAEA: SPARTA}

SIZE = 10
CITY_COLUMNS = (1, 3, 6, 8)  # b, d, g, i
USUAL_CAP = 500  # plies after which a random game is given up

# North, north-east and so on clockwise; the opposite of a direction is four further on.
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))

Board = list[str | None]
Move = tuple[int, int]


def ray(square: int, direction: tuple[int, int]) -> list[int]:
    """Return the squares from `square` (not included) to the edge, nearest first."""
    row, column = divmod(square, SIZE)
    across, up = direction
    squares = []
    column, row = column + across, row + up
    while 0 <= column < SIZE and 0 <= row < SIZE:
        squares.append(row * SIZE + column)
        column, row = column + across, row + up
    return squares


RAYS = [[ray(square, direction) for direction in DIRECTIONS] for square in range(SIZE * SIZE)]
NEIGHBOURS = [[squares[0] for squares in rays if squares] for rays in RAYS]


@dataclass(slots=True)
class Position:
    """Everything that can change during a game.

    `board` gives for each square the player whose piece stands there, or None. `men` gives
    for each player the squares with a piece, and whether it is a hero. `result` is None
    until the game is over; then it is the winner or `DRAW`.
    """

    board: Board
    men: dict[str, dict[int, bool]]
    cities: dict[int, str]
    mover: str = SPARTA
    result: str | None = None

    def copy(self) -> Position:
        """Return a position that can be played on without touching this one."""
        men = {player: dict(heroes) for player, heroes in self.men.items()}
        return Position(list(self.board), men, dict(self.cities), self.mover, self.result)


def start() -> Position:
    """Return the opening position."""
    board: Board = [None] * (SIZE * SIZE)
    men: dict[str, dict[int, bool]] = {SPARTA: {}, ACHAEA: {}}
    for player, row in ((SPARTA, 0), (ACHAEA, SIZE - 1)):
        for column in range(1, SIZE - 1):
            board[row * SIZE + column] = player
            men[player][row * SIZE + column] = False
    cities = {}
    for column in CITY_COLUMNS:
        cities[4 * SIZE + column] = SPARTA
        cities[5 * SIZE + column] = ACHAEA
    return Position(board, men, cities)


def destinations(board: Board, origin: int, steps: int) -> list[int]:
    """Return the empty squares within `steps` steps of the piece on `origin`.

    The origin itself is occupied, so no walk can end on it.
    """
    seen = [False] * len(board)
    reached = []
    frontier = [origin]
    for _ in range(steps):
        following = []
        for square in frontier:
            for neighbour in NEIGHBOURS[square]:
                if board[neighbour] is None and not seen[neighbour]:
                    seen[neighbour] = True
                    following.append(neighbour)
        reached += following
        frontier = following
    return reached


def legal_moves(position: Position) -> list[Move]:
    """Return every (from, to) pair open to the mover; none once the game is over."""
    if position.result is not None:
        return []
    return [
        (origin, target)
        for origin, hero in position.men[position.mover].items()
        for target in destinations(position.board, origin, 3 if hero else 2)
    ]


def play(position: Position, move: Move) -> None:
    """Make a legal move, with all that follows from it, and pass the turn.

    Whether the next player can move at all is not looked into here: see `outcome`.
    """
    origin, target = move
    board, men, mover = position.board, position.men, position.mover
    board[origin] = None
    board[target] = mover
    men[mover][target] = men[mover].pop(origin)
    visit_city(position, target)
    for square in trapped(board, target, mover):
        owner = board[square]
        if owner is not None:
            del men[owner][square]
        board[square] = None
    position.result = verdict(position)
    position.mover = RIVAL[mover]


def visit_city(position: Position, square: int) -> None:
    """Promote the piece that arrived in an own city, or conquer the enemy's city."""
    mover = position.mover
    owner = position.cities.get(square)
    if owner == mover:
        position.men[mover][square] = True
    elif owner is not None:
        position.cities[square] = mover


def trapped(board: Board, arrival: int, mover: str) -> set[int]:
    """Return the squares of all pieces that the arrival leaves trapped, on either side.

    Only lines through the arrival square count, and all are judged on the same board, before
    anything is taken off it.
    """
    rays = RAYS[arrival]
    lost: set[int] = set()
    for squares in rays:
        lost.update(held_run(board, squares, RIVAL[mover]) or ())
    for squares, opposite in zip(rays[:4], rays[4:], strict=True):
        ahead = held_run(board, squares, mover)
        behind = held_run(board, opposite, mover)
        if ahead is not None and behind is not None:
            lost.update(ahead, behind, [arrival])
    return lost


def held_run(board: Board, squares: list[int], owner: str) -> list[int] | None:
    """Return the unbroken run of `owner`'s pieces that `squares` begin with.

    None means that the far end of the run is open: an empty square or the edge. The run is
    empty if the first square already holds a piece of the other side.
    """
    run: list[int] = []
    for square in squares:
        occupant = board[square]
        if occupant is None:
            return None
        if occupant != owner:
            return run
        run.append(square)
    return None


def verdict(position: Position) -> str | None:
    """Return the result of the game, or None if it goes on."""
    owners = list(position.cities.values())
    for player in (SPARTA, ACHAEA):
        if owners.count(player) == len(owners):
            return player
    sparta, achaea = len(position.men[SPARTA]), len(position.men[ACHAEA])
    if sparta == achaea == 2 or (sparta <= 1 and achaea <= 1):
        lead = owners.count(SPARTA) - owners.count(ACHAEA)
        if lead == 0:
            return DRAW
        return SPARTA if lead > 0 else ACHAEA
    if sparta <= 1:
        return ACHAEA
    if achaea <= 1:
        return SPARTA
    return None


def outcome(position: Position, moves: list[Move]) -> str | None:
    """Return the result, given the mover's legal moves: a player without a move loses."""
    if position.result is None and not moves:
        return RIVAL[position.mover]
    return position.result


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves; a finished game has none."""
    if depth == 0:
        return 1
    count = 0
    for move in legal_moves(position):
        following = position.copy()
        play(following, move)
        count += perft(following, depth - 1)
    return count


def playout(chance: random.Random, cap: int = USUAL_CAP) -> tuple[str, list[Move]]:
    """Play one random game and return its result with the moves made."""
    position = start()
    made: list[Move] = []
    while True:
        moves = legal_moves(position)
        result = outcome(position, moves)
        if result is not None:
            return result, made
        if len(made) == cap:
            return UNFINISHED, made
        move = chance.choice(moves)
        play(position, move)
        made.append(move)


def playouts(games: int, seed: int, cap: int = USUAL_CAP) -> dict[str, object]:
    """Play random games against the clock and return what the command prints."""
    chance = random.Random(seed)
    results = {SPARTA: 0, ACHAEA: 0, DRAW: 0, UNFINISHED: 0}
    moves = 0
    begun = time.perf_counter()
    for _ in range(games):
        result, made = playout(chance, cap)
        results[result] += 1
        moves += len(made)
    seconds = time.perf_counter() - begun
    return {
        "games": games,
        "moves": moves,
        "seconds": round(seconds, 6),
        "moves_per_second": round(moves / seconds) if seconds else 0,
        "results": results,
    }


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit code."""
    command, *words = arguments or [""]
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        numbers = []
    if min(numbers, default=0) >= 0:
        if command == "perft" and len(numbers) == 1:
            print(perft(start(), numbers[0]))
            return 0
        if command == "playouts" and len(numbers) in (2, 3):
            print(json.dumps(playouts(*numbers)))
            return 0
    print("usage: plain.py perft DEPTH | playouts GAMES SEED [CAP]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
