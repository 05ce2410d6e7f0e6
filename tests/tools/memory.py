# SPDX-License-Identifier: GPL-2.0-or-later
"""memory.py - check a trace of memory against the trace of all accesses

   memory.py accesses TRACE LACKEY            'LD 0x...', 'ST 0x...'
   memory.py memory TRACE LACKEY I1 D1 LL     '0x... R', '0x... W'; levels as
                                              SIZE,WAYS,LINE

LACKEY is what Lackey prints of the same accesses. Levels are simulated here
again, in the simplest way there is. Prints how many records there are, and the
first one that is wrong."""
import sys
from itertools import zip_longest


class Level:
    def __init__(self, text):
        size, self.ways, self.line = [int(w) for w in text.split(',')]
        self.sets = [{} for _ in range(size // self.ways // self.line)]

    def use(self, line, write):
        """Whether the line was missing, and which was written back for it."""
        held = self.sets[line % len(self.sets)]
        out = None
        dirty = held.pop(line, None)
        if dirty is None and len(held) == self.ways:
            oldest = next(iter(held))
            out = oldest if held.pop(oldest) else None
        held[line] = write or bool(dirty)
        return dirty is None, out

    def lines(self, addr, size):
        return range(addr // self.line, (addr + size - 1) // self.line + 1)


def accesses(lackey):
    with open(lackey) as f:
        for text in f:
            if not text.startswith(('=', '-')):
                addr, _, size = text[3:].partition(',')
                yield text[:3].strip(), int(addr, 16), int(size)


def every(lackey):
    for kind, addr, _ in accesses(lackey):
        if kind in ('L', 'M'):
            yield f'LD {addr:#x}'
        if kind in ('S', 'M'):
            yield f'ST {addr:#x}'


def beyond(lackey, *geometry):
    code, data, last = [Level(g) for g in geometry]
    most = min(level.line for level in (code, data, last))
    for kind, addr, size in accesses(lackey):
        first = code if kind == 'I' else data
        write = kind in ('S', 'M')
        size = size if kind == 'I' else min(size, most)
        if not any([first.use(line, write)[0]
                    for line in first.lines(addr, size)]):
            continue
        for line in last.lines(addr, size):
            missing, out = last.use(line, write)
            if missing:
                yield f'{line * last.line:#x} R'
            if out is not None:
                yield f'{out * last.line:#x} W'


def main(what, trace, *rest):
    want = every(*rest) if what == 'accesses' else beyond(*rest)
    n = 0
    with open(trace) as f:
        for n, (got, one) in enumerate(zip_longest(f, want), 1):
            if got is None or got.rstrip('\n') != one:
                print(f'record {n}: {got!r}, not {one!r}')
                return 1
    print(n)
    return n == 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
