"""The first cells of every position, the same in every game. All other cells are laid out by `layout`."""

from __future__ import annotations

STATUS = 0  # 0 while the game goes on, 1 when it has ended
WINNER = 1  # player who won; -1 nobody
ENDING = 2  # event that ended the game, plus 1; 0 while it goes on
ENDING_ARGS = 3  # … 6: arguments of that event
PC = 7  # block that waits for an answer, or where play starts
PLIES = 8  # statements completed by a choice, asked or silent
ANSWERS = 9  # answers given; steps of one statement count each
KNOWN = 10  # rises whenever somebody learns something: an undo never goes back past a rise
STEPS = 11  # steps of the apply under way; 0 between
RESULT = 12  # result of a pausing effect on its way to the caller; 0 between
RANDOM = 14  # … 17: the generator: 64 bits of state, then 64 bits of increment, low word first
MOVER = 18  # player whose turn it is in a phase with `each`; -1 before
HEADER = 20  # number of cells
