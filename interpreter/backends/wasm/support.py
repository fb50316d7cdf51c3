"""The fixed part of a module, in WebAssembly text: chance, scratch, and the loops around a program's blocks.

`$b` is the address of the position throughout. Chance follows `rng` to the letter; where a bounded draw needs a
remainder only to decide a rare case, the remainder is computed only then.
"""

from __future__ import annotations

from interpreter.backends.wasm import memory as m
from interpreter.backends.wasm.memory import Memory
from interpreter.core import header as h
from interpreter.core import rng


def signed(value: int) -> int:
    """64 bits as a signed number, as the text format of WebAssembly wants them."""
    return value - 2**64 if value >= 2**63 else value


GOLDEN, MULTIPLIER = signed(rng.GOLDEN), signed(rng.MULTIPLIER)


def helpers(uses: set[str], memory: Memory) -> list[str]:
    """The helpers that are called; `fault`, `reserve` and the like always are. Their constants are put into memory."""
    texts = [_ALWAYS, *(text for name, text in _HELPERS.items() if name in uses)]
    if "pick" in uses:
        texts = [text.replace("SELECT", str(memory.constant(_bits_of_bytes()))) for text in texts]
    return texts


def _bits_of_bytes() -> bytes:
    """Entry 256 r + b: where bit number r (from 0) of those set in byte b lies."""
    table = bytearray(8 * 256)
    for byte in range(256):
        for number, bit in enumerate(bit for bit in range(8) if byte >> bit & 1):
            table[256 * number + byte] = bit
    return bytes(table)


_ALWAYS = f"""
(func $fault (param $site i32) (param $x i32) (param $y i32)
  i32.const 0 local.get $site i32.const 1 i32.add i32.store offset={m.FAULT}
  i32.const 0 local.get $x i32.store offset={m.FAULT_A}
  i32.const 0 local.get $y i32.store offset={m.FAULT_B}
  unreachable)
(func $events_full
  i32.const 0 i32.const {m.EVENTS_FULL} i32.store offset={m.FAULT}
  unreachable)
;; Makes sure that memory reaches up to $upto, in steps of 16 pages at least.
(func $reserve (export "reserve") (param $upto i32) (local $pages i32)
  memory.size i32.const {m.PAGE} i32.mul global.set $limit
  local.get $upto global.get $limit i32.gt_u
  if
    local.get $upto global.get $limit i32.sub i32.const {m.PAGE} i32.div_u i32.const 16 i32.add local.set $pages
    local.get $pages memory.grow i32.const -1 i32.eq
    if
      i32.const 0 i32.const {m.MEMORY_FULL} i32.store offset={m.FAULT}
      unreachable
    end
    memory.size i32.const {m.PAGE} i32.mul global.set $limit
  end)
;; rng.splitmix64
(func $mix (param $z i64) (result i64)
  local.get $z i64.const {GOLDEN} i64.add local.tee $z
  local.get $z i64.const 30 i64.shr_u i64.xor i64.const {signed(0xBF58476D1CE4E5B9)} i64.mul local.tee $z
  local.get $z i64.const 27 i64.shr_u i64.xor i64.const {signed(0x94D049BB133111EB)} i64.mul local.tee $z
  local.get $z i64.const 31 i64.shr_u i64.xor)
;; rng.choice: answer number $answers of a random player, below $bound
(func $choice (param $key i64) (param $answers i32) (param $bound i32) (result i32) (local $x i64) (local $product i64)
  local.get $key local.get $answers i64.extend_i32_s i64.const {GOLDEN} i64.mul i64.add call $mix local.set $x
  loop $again
    local.get $x i64.const 32 i64.shr_u local.get $bound i64.extend_i32_u i64.mul local.set $product
    local.get $product i32.wrap_i64 local.get $bound i32.lt_u
    if
      local.get $product i32.wrap_i64
      i32.const 0 local.get $bound i32.sub local.get $bound i32.rem_u i32.lt_u
      if
        local.get $x call $mix local.set $x
        br $again
      end
    end
  end
  local.get $product i64.const 32 i64.shr_u i32.wrap_i64)
;; rng.seeded, into the position
(func $seed (param $b i32) (param $seed i64) (local $first i64) (local $increment i64)
  local.get $seed call $mix local.tee $first call $mix i64.const 1 i64.shl i64.const 1 i64.or local.set $increment
  local.get $b local.get $increment local.get $first i64.add i64.const {MULTIPLIER} i64.mul local.get $increment i64.add
  i64.store offset={4 * h.RANDOM}
  local.get $b local.get $increment i64.store offset={4 * h.RANDOM + 8})
"""

_HELPERS = {
    "draw": f"""
;; rng.bounded over the generator of the position
(func $draw (param $b i32) (param $bound i32) (result i32) (local $state i64) (local $out i32)
  loop $again
    local.get $b i64.load offset={4 * h.RANDOM} local.set $state
    local.get $b local.get $state i64.const {MULTIPLIER} i64.mul local.get $b i64.load offset={4 * h.RANDOM + 8} i64.add
    i64.store offset={4 * h.RANDOM}
    local.get $state i64.const 18 i64.shr_u local.get $state i64.xor i64.const 27 i64.shr_u i32.wrap_i64
    local.get $state i64.const 59 i64.shr_u i32.wrap_i64 i32.rotr local.set $out
    local.get $out local.get $bound i32.lt_u
    if
      local.get $out i32.const 0 local.get $bound i32.sub local.get $bound i32.rem_u i32.lt_u br_if $again
    end
  end
  local.get $out local.get $bound i32.rem_u)
""",
    "pick": """
;; Member number $r of the set at $at, from 0; there are more than $r. Within a word without branches, as nobody can
;; foresee them: Vigna's broadword selection (2008) finds the byte, a table, 256 bytes for each number, the bit.
(func $pick (param $at i32) (param $r i32) (result i32)
    (local $w i64) (local $c i32) (local $found i32) (local $sums i64)
  loop $again
    local.get $at i64.load local.tee $w i64.popcnt i32.wrap_i64 local.tee $c local.get $r i32.le_u
    if
      local.get $r local.get $c i32.sub local.set $r
      local.get $at i32.const 8 i32.add local.set $at
      local.get $found i32.const 64 i32.add local.set $found
      br $again
    end
  end
  local.get $w local.get $w i64.const 1 i64.shr_u i64.const 0x5555555555555555 i64.and i64.sub local.tee $sums
  i64.const 0x3333333333333333 i64.and
  local.get $sums i64.const 2 i64.shr_u i64.const 0x3333333333333333 i64.and i64.add local.tee $sums
  local.get $sums i64.const 4 i64.shr_u i64.add i64.const 0x0f0f0f0f0f0f0f0f i64.and
  i64.const 0x0101010101010101 i64.mul local.set $sums
  ;; byte i of $sums: how many members lie in bytes 0 ... i
  local.get $r i64.extend_i32_u i64.const 0x0101010101010101 i64.mul i64.const 0x8080808080808080 i64.or
  local.get $sums i64.sub i64.const 0x8080808080808080 i64.and i64.popcnt i32.wrap_i64 i32.const 3 i32.shl local.set $c
  local.get $r
  local.get $sums i64.const 8 i64.shl local.get $c i64.extend_i32_u i64.shr_u i32.wrap_i64 i32.const 255 i32.and
  i32.sub i32.const 8 i32.shl
  local.get $w local.get $c i64.extend_i32_u i64.shr_u i32.wrap_i64 i32.const 255 i32.and i32.or
  i32.load8_u offset=SELECT local.get $found i32.add local.get $c i32.add)
""",
    "range": """
;; The bits low … high of a word; either may lie outside.
(func $range (param $low i32) (param $high i32) (result i64)
  local.get $high local.get $low i32.lt_s
  local.get $high i32.const 0 i32.lt_s i32.or
  local.get $low i32.const 63 i32.gt_s i32.or
  if
    i64.const 0 return
  end
  local.get $low i32.const 0 local.get $low i32.const 0 i32.gt_s select local.set $low
  local.get $high i32.const 63 local.get $high i32.const 63 i32.lt_s select local.set $high
  i64.const -1 local.get $low i64.extend_i32_u i64.shl
  i64.const -1 i32.const 63 local.get $high i32.sub i64.extend_i32_u i64.shr_u i64.and)
""",
    "listed": """
(func $listed (param $at i32) (param $length i32) (param $item i32) (result i32)
  loop $again
    local.get $length
    if
      local.get $at i32.load local.get $item i32.eq
      if
        i32.const 1 return
      end
      local.get $at i32.const 4 i32.add local.set $at
      local.get $length i32.const 1 i32.sub local.set $length
      br $again
    end
  end
  i32.const 0)
""",
    "record": f"""
;; An event whose arguments are the $count integers at $row.
(func $record (param $event i32) (param $to i32) (param $row i32) (param $count i32) (local $at i32)
  i32.const 0 i32.load offset={m.EVENTS} local.tee $at
  local.get $count i32.const 3 i32.shl i32.add i32.const 12 i32.add i32.const 0 i32.load offset={m.EVENTS_END} i32.gt_u
  if
    call $events_full
  end
  local.get $at local.get $event i32.store
  local.get $at local.get $to i32.store offset=4
  local.get $at local.get $count i32.store offset=8
  local.get $at i32.const 12 i32.add local.set $at
  loop $again
    local.get $count
    if
      local.get $at i32.const -1 i32.store
      local.get $at local.get $row i32.load i32.store offset=4
      local.get $at i32.const 8 i32.add local.set $at
      local.get $row i32.const 4 i32.add local.set $row
      local.get $count i32.const 1 i32.sub local.set $count
      br $again
    end
  end
  i32.const 0 local.get $at i32.store offset={m.EVENTS})
""",
    "path": """
;; A cheapest path to $goal, written to $out; its length. $links: see `maps.links`; $starts, $through, $along, $costly:
;; addresses of sets (0: not given). $work: for each space its distance to the goal, a ring of spaces to visit, and
;; whether it is in the ring. The distance counts an edge as 1, a costly one as 1 + $size, which no path without costly
;; edges reaches. If none is costly, spaces are visited by rising distance, and the first start that is visited ends it:
;; by then all that are no farther have their distances.
(func $path
    (param $goal i32) (param $links i32) (param $size i32) (param $starts i32) (param $through i32) (param $along i32)
    (param $costly i32) (param $work i32) (param $out i32) (result i32)
    (local $ring i32) (local $marks i32) (local $head i32) (local $tail i32) (local $s i32) (local $link i32)
    (local $stop i32) (local $o i32) (local $d i32) (local $best i32) (local $from i32) (local $length i32)
  local.get $goal i32.const 0 i32.lt_s
  if
    i32.const 0 return
  end
  local.get $work local.get $size i32.const 2 i32.shl i32.add local.tee $ring
  local.get $size i32.const 2 i32.shl i32.add i32.const 4 i32.add local.set $marks
  loop $fill
    local.get $work local.get $s i32.const 2 i32.shl i32.add i32.const 0x3fffffff i32.store
    local.get $marks local.get $s i32.const 2 i32.shl i32.add i32.const 0 i32.store
    local.get $s i32.const 1 i32.add local.tee $s local.get $size i32.lt_s br_if $fill
  end
  local.get $work local.get $goal i32.const 2 i32.shl i32.add i32.const 0 i32.store
  local.get $ring local.get $goal i32.store
  i32.const 1 local.set $tail
  block $done
    loop $visit
      local.get $head local.get $tail i32.eq br_if $done
      local.get $ring local.get $head i32.const 2 i32.shl i32.add i32.load local.set $s
      local.get $head i32.const 1 i32.add local.get $size i32.const 1 i32.add i32.rem_u local.set $head
      local.get $marks local.get $s i32.const 2 i32.shl i32.add i32.const 0 i32.store
      local.get $costly i32.eqz local.get $starts local.get $s call $allowed i32.and br_if $done
      local.get $s local.get $goal i32.ne local.get $through local.get $s call $allowed i32.eqz i32.and br_if $visit
      local.get $links local.get $s i32.const 3 i32.shl i32.add local.tee $link i32.load offset=4 local.set $stop
      local.get $link i32.load local.set $link
      block $linked
        loop $next
          local.get $link local.get $stop i32.eq br_if $linked
          local.get $along local.get $link i32.load offset=4 call $allowed
          if
            local.get $link i32.load local.set $o
            local.get $work local.get $s i32.const 2 i32.shl i32.add i32.load
            local.get $costly local.get $link i32.load offset=4 local.get $size call $price i32.add local.tee $d
            local.get $work local.get $o i32.const 2 i32.shl i32.add i32.load i32.lt_s
            if
              local.get $work local.get $o i32.const 2 i32.shl i32.add local.get $d i32.store
              local.get $marks local.get $o i32.const 2 i32.shl i32.add i32.load i32.eqz
              if
                local.get $marks local.get $o i32.const 2 i32.shl i32.add i32.const 1 i32.store
                local.get $ring local.get $tail i32.const 2 i32.shl i32.add local.get $o i32.store
                local.get $tail i32.const 1 i32.add local.get $size i32.const 1 i32.add i32.rem_u local.set $tail
              end
            end
          end
          local.get $link i32.const 8 i32.add local.set $link
          br $next
        end
      end
      br $visit
    end
  end
  i32.const 0x3fffffff local.set $best
  i32.const 0 local.set $s
  loop $choose
    local.get $starts local.get $s call $allowed
    if
      local.get $work local.get $s i32.const 2 i32.shl i32.add i32.load local.tee $d local.get $best i32.lt_s
      if
        local.get $d local.set $best
        local.get $s local.set $from
      end
    end
    local.get $s i32.const 1 i32.add local.tee $s local.get $size i32.lt_s br_if $choose
  end
  local.get $best i32.const 0x3fffffff i32.eq
  if
    i32.const 0 return
  end
  loop $walk
    local.get $out local.get $length i32.const 2 i32.shl i32.add local.get $from i32.store
    local.get $length i32.const 1 i32.add local.set $length
    local.get $from local.get $goal i32.ne
    if
      local.get $links local.get $from i32.const 3 i32.shl i32.add i32.load local.set $link
      block $stepped
        loop $next
          local.get $link i32.load local.set $o
          local.get $along local.get $link i32.load offset=4 call $allowed
          local.get $o local.get $goal i32.eq local.get $through local.get $o call $allowed i32.or i32.and
          local.get $work local.get $o i32.const 2 i32.shl i32.add i32.load
          local.get $costly local.get $link i32.load offset=4 local.get $size call $price i32.add
          local.get $work local.get $from i32.const 2 i32.shl i32.add i32.load i32.eq i32.and br_if $stepped
          local.get $link i32.const 8 i32.add local.set $link
          br $next
        end
      end
      local.get $o local.set $from
      br $walk
    end
  end
  local.get $length)
;; Whether a member is in the set at $set; true if there is no set.
(func $allowed (param $set i32) (param $member i32) (result i32)
  local.get $set i32.eqz
  if
    i32.const 1 return
  end
  local.get $set local.get $member i32.const 3 i32.shr_u i32.add i32.load8_u
  local.get $member i32.const 7 i32.and i32.shr_u i32.const 1 i32.and)
(func $price (param $costly i32) (param $edge i32) (param $size i32) (result i32)
  local.get $costly i32.eqz
  if
    i32.const 1 return
  end
  local.get $costly local.get $edge call $allowed local.get $size i32.mul i32.const 1 i32.add)
""",
}
