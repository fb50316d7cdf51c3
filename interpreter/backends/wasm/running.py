"""The exports of a module, in WebAssembly text: the loops around a program's blocks.

`$b` is the address of the position throughout.
"""

from __future__ import annotations

from interpreter.backends.wasm import memory as m
from interpreter.backends.wasm.memory import Layout
from interpreter.backends.wasm.support import GOLDEN, signed
from interpreter.core import header as h


def exports(layout: Layout, cells: int, bulk: int) -> str:
    """What the host calls. `bulk`: address of one byte a decision, 1 if each of its candidates completes a
    statement."""
    status, plies, answers, pc = 4 * h.STATUS, 4 * h.PLIES, 4 * h.ANSWERS, 4 * h.PC
    return f"""
;; Runs blocks from $pc on until play stops.
(func $run (param $b i32) (param $pc i32)
  loop $on
    local.get $b local.get $pc call $dispatch local.tee $pc i32.const 0 i32.ge_s br_if $on
  end)
;; How many candidates the question that waits has; -1 if the game has ended.
(func $advance (export "advance") (param $b i32) (result i32)
  i32.const 0 i32.load offset={m.ARENA} global.set $top
  local.get $b call $forward)
(func $forward (param $b i32) (result i32)
  i32.const 0 global.set $steps
  local.get $b i32.load offset={status} i32.eqz
  if
    local.get $b local.get $b i32.load offset={pc} call $run
  end
  local.get $b call $waiting)
(func $waiting (param $b i32) (result i32)
  i32.const 0 global.get $decision i32.store offset={m.ASKED}
  i32.const 0 global.get $player i32.store offset={m.ASKED + 4}
  i32.const 0 global.get $top i32.store offset={m.ASKED + 8}
  i32.const 0 global.get $end i32.store offset={m.ASKED + 12}
  i32.const -1 global.get $count local.get $b i32.load offset={status} select)
;; Takes candidate $k of the question whose records lie on the stack, then advances.
(func $answer (export "answer") (param $b i32) (param $k i32) (result i32)
  local.get $b local.get $b i32.load offset={answers} i32.const 1 i32.add i32.store offset={answers}
  i32.const 0 global.set $steps
  local.get $b local.get $b global.get $decision local.get $k call $take call $run
  local.get $b call $waiting)
;; The same from a position alone; -2 if there is no such candidate.
(func (export "apply") (param $b i32) (param $k i32) (result i32) (local $count i32)
  local.get $b call $advance local.tee $count i32.const 0 i32.lt_s
  local.get $k local.get $count i32.ge_u i32.or
  if
    i32.const -2 return
  end
  local.get $b local.get $k call $answer)
(func $playout (export "playout") (param $b i32) (param $seed i64) (param $most i32) (local $key i64)
  local.get $seed call $mix local.set $key
  local.get $b call $advance drop
  loop $on
    local.get $b i32.load offset={status} local.get $b i32.load offset={plies} local.get $most i32.ge_s i32.or i32.eqz
    if
      local.get $b
      local.get $key
      global.get $player i32.const 1 i32.add i64.extend_i32_s i64.const {GOLDEN} i64.mul i64.xor call $mix
      local.get $b i32.load offset={answers} global.get $count call $choice
      call $answer drop
      br $on
    end
  end)
;; Games $first … $last - 1, each from a copy of the start with its own seed, $seed + its number. For each at $out:
;; status, winner, ending, plies, answers, 0, digest; and, if $finals is not 0, its last position there.
(func (export "playouts")
    (param $first i32) (param $last i32) (param $seed i64) (param $most i32) (param $out i32) (param $finals i32)
    (local $to i32) (local $own i64)
  loop $on
    local.get $first local.get $last i32.lt_s
    if
      i32.const 0 local.get $first i32.store offset={m.GAME}
      i32.const {layout.work} i32.const {layout.start} i32.const {4 * cells} memory.copy
      local.get $seed local.get $first i64.extend_i32_s i64.add local.set $own
      i32.const {layout.work} local.get $own call $seed
      i32.const {layout.work} local.get $own local.get $most call $playout
      local.get $out local.get $first i32.const 5 i32.shl i32.add local.tee $to
      i64.const 0 i64.store offset=16
      local.get $to i32.const {layout.work} i64.load offset={4 * h.STATUS} i64.store
      local.get $to i32.const {layout.work} i32.load offset={4 * h.ENDING} i32.store offset=8
      local.get $to i32.const {layout.work} i32.load offset={plies} i32.store offset=12
      local.get $to i32.const {layout.work} i32.load offset={answers} i32.store offset=16
      local.get $to i32.const {layout.work} call $digest i64.store offset=24
      local.get $finals
      if
        local.get $finals local.get $first i32.const {layout.position} i32.mul i32.add
        i32.const {layout.work} i32.const {4 * cells} memory.copy
      end
      local.get $first i32.const 1 i32.add local.set $first
      br $on
    end
  end)
;; FNV-1a in 64 bits, over cells in place of bytes.
(func $digest (export "digest") (param $b i32) (result i64) (local $end i32) (local $hash i64)
  local.get $b i32.const {4 * cells} i32.add local.set $end
  i64.const {signed(0xCBF29CE484222325)} local.set $hash
  loop $on
    local.get $b local.get $end i32.lt_u
    if
      local.get $hash local.get $b i64.load32_u i64.xor i64.const {0x100000001B3} i64.mul local.set $hash
      local.get $b i32.const 4 i32.add local.set $b
      br $on
    end
  end
  local.get $hash)
(func (export "perft") (param $b i32) (param $depth i32) (result i64) (local $target i32)
  local.get $b i32.load offset={plies} local.get $depth i32.add local.set $target
  local.get $b call $advance drop
  local.get $b local.get $target call $sequels)
;; Sequences from an advanced position, whose candidates lie on the stack, until PLIES reaches $target. What follows the
;; choice that completes the last ply is not played, and where every choice does, not even the choices are made.
(func $sequels (param $b i32) (param $target i32) (result i64)
    (local $top i32) (local $copy i32) (local $k i32) (local $count i32) (local $decision i32) (local $pc i32)
    (local $total i64)
  local.get $b i32.load offset={plies} local.get $target i32.ge_s
  if
    i64.const 1 return
  end
  local.get $b i32.load offset={status}
  if
    i64.const 0 return
  end
  global.get $count local.set $count
  global.get $decision local.set $decision
  local.get $b i32.load offset={plies} i32.const 1 i32.add local.get $target i32.eq
  local.get $decision i32.load8_u offset={bulk} i32.and
  if
    local.get $count i64.extend_i32_u return
  end
  global.get $top local.set $top
  global.get $end i32.const 7 i32.add i32.const -8 i32.and local.set $copy
  local.get $copy i32.const {layout.position} i32.add call $reserve
  loop $on
    local.get $k local.get $count i32.lt_u
    if
      local.get $copy local.get $b i32.const {4 * cells} memory.copy
      local.get $top global.set $top
      local.get $count global.set $count
      local.get $copy local.get $copy i32.load offset={answers} i32.const 1 i32.add i32.store offset={answers}
      i32.const 0 global.set $steps
      local.get $copy local.get $decision local.get $k call $take
      local.set $pc
      local.get $copy i32.load offset={plies} local.get $target i32.ge_s
      if (result i64)
        i64.const 1
      else
        local.get $copy i32.const {layout.position} i32.add global.set $top
        local.get $copy local.get $pc call $run
        local.get $copy local.get $target call $sequels
      end
      local.get $total i64.add local.set $total
      local.get $k i32.const 1 i32.add local.set $k
      br $on
    end
  end
  local.get $total)
"""
