"""The syntax tree of the effect language. Every node has a span; nothing here knows what a name means.

The trees are built by `parse` and read by `check`. Expressions are pure; only statements may pause.
"""

from interpreter.lang.nodes.expressions import *
from interpreter.lang.nodes.statements import *
