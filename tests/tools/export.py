# SPDX-License-Identifier: GPL-2.0-or-later
"""export.py - check what was exported, record by record

   export.py FORMAT FILE LACKEY [FILE...]

LACKEY is what Lackey prints of the same run's accesses; where a format has a
file for each thread, FILE and those behind LACKEY are they, and the run has one
thread unless there are several: then only sums are compared. Prints what is
wrong; 0 when nothing is. Knows the formats from their own documents."""
import struct
import sys
from collections import Counter
from itertools import zip_longest


def instructions(lackey):
    """(address, size, [(kind, address, size)...]); a modify is two."""
    now = None
    with open(lackey) as f:
        for text in f:
            addr, _, size = text[3:].partition(',')
            addr, size, kind = int(addr, 16), int(size), text[:3].strip()
            if kind == 'I':
                if now:
                    yield now
                now = (addr, size, [])
                continue
            if kind in ('L', 'M'):
                now[2].append(('R', addr, size))
            if kind in ('S', 'M'):
                now[2].append(('W', addr, size))
    if now:
        yield now


def din(path, sized):
    letters = {'2': 'I', '0': 'R', '1': 'W', 'i': 'I', 'r': 'R', 'w': 'W'}
    with open(path) as f:
        for text in f:
            word = text.split()
            if len(word) != (3 if sized else 2):
                raise ValueError(text)
            yield (letters[word[0]],) + tuple(int(w, 16) for w in word[1:])


def flat(lackey, sized):
    for addr, size, accesses in instructions(lackey):
        for one in [('I', addr, size)] + accesses:
            yield one if sized else one[:2]


def same(got, want):
    n = 0
    for n, (a, b) in enumerate(zip_longest(got, want), 1):
        if a != b:
            print(f'record {n}: {a}, not {b}')
            return 1
    return n == 0


def npy(path):
    with open(path, 'rb') as f:
        magic, major, _, length = struct.unpack('<6sBBH', f.read(10))
        header = eval(f.read(length), {'__builtins__': {}}, {})
        assert magic == b'\x93NUMPY' and major == 1, magic
        assert (10 + length) % 64 == 0 and not header['fortran_order']
        code = {'<u8': 'Q', '<u4': 'I', '<u2': 'H', '|u1': 'B'}
        form = '<' + ''.join(code[kind] for _, kind in header['descr'])
        names = [name for name, _ in header['descr']]
        size, n = struct.calcsize(form), header['shape'][0]
        for i in range(n):
            yield dict(zip(names, struct.unpack(form, f.read(size))))
        assert f.read(1) == b'', 'more than its shape says'


def check_npy(path, lackey):
    def want():
        n = 0
        for number, (code, _, accesses) in enumerate(instructions(lackey)):
            for kind, addr, size in accesses:
                yield kind, addr, size, code, number
                n += 1

    def got():
        for n, a in enumerate(npy(path)):
            assert a['number'] == n, a
            for kind in ('R', 'W', 'RW')[a['kind']]:
                yield kind, a['address'], a['size'], a['code'], \
                    a['instruction']
    return same(got(), want())


BRANCHES = {  # what ChampSim makes of registers that are read and written
    (26,): {(26,): 'jump', (1,): 'indirect', (26, 25): 'conditional'},
    (26, 6): {(26, 6): 'call', (26, 6, 1): 'indirect call', (6,): 'return'},
}


def champsim(path):
    with open(path, 'rb') as f:
        data = f.read()
    assert len(data) % 64 == 0, len(data)
    for ip, branch, taken, *rest in struct.iter_unpack('<QBB2B4B2Q4Q', data):
        to, fr = (tuple(r for r in regs if r) for regs in
                  (rest[:2], rest[2:6]))
        kind = BRANCHES[to][fr] if branch else None
        assert branch or not (to or fr or taken), hex(ip)
        yield ip, kind, taken, [a for a in rest[6:8] if a], \
            [a for a in rest[8:] if a]


def check_champsim(path, lackey):
    def want():
        for ip, _, accesses in instructions(lackey):
            yield ip, [a for k, a, _ in accesses if k == 'W' and a][:2], \
                [a for k, a, _ in accesses if k == 'R' and a][:4]
    bad = same(((r[0], r[3], r[4]) for r in champsim(path)), want())
    return bad or check_control([(r[0], r[1], r[2]) for r in champsim(path)],
                                [i[1] for i in instructions(lackey)])


def check_control(records, sizes, signals=None):
    """Control goes elsewhere than on only by a branch that says so, to do a
    string instruction again, or by a signal, of which there are ten at most,
    there and back; or as many as are told."""
    kinds, odd = Counter(), 0
    for n in range(len(records) - 1):
        ip, kind, taken = records[n]
        goes = records[n + 1][0] not in (ip + sizes[n], ip)
        kinds[kind] += 1
        if kind is None or not taken:
            odd += goes
        elif kind == 'conditional':
            odd += not goes and records[n + 1][0] != ip
    if odd > 10 or signals not in (None, odd) or len(kinds) < 3:
        print(f'{odd} wrong turns', kinds)
        return 1
    return 0


TYPES = {10: None, 11: 'jump', 12: 'indirect', 14: 'call',
         15: 'indirect call', 16: 'return', 29: None, 48: 'conditional',
         49: 'conditional'}


class Record:
    """An instruction of drmemtrace's, with what comes around it."""
    def __init__(self, addr, size, kind, target, code):
        self.addr, self.size, self.kind = addr, size, kind
        self.branch, self.target, self.code = TYPES[kind], target, code
        self.accesses, self.marks = [], []

    def onward(self):
        return self.addr + self.size

    def goes(self):
        """Where its bytes and its type say; None: they do not."""
        if self.branch in ('jump', 'call') or self.kind == 48:
            far = 4 if self.size > 4 else 1
            return self.onward() + int.from_bytes(
                self.code[-far:], 'little', signed=True)
        if self.branch in ('indirect', 'indirect call', 'return'):
            return self.target
        return self.onward() if self.kind == 49 else None


def drmemtrace(path):
    """Instructions with their accesses; checks what comes around them."""
    with open(path, 'rb') as f:
        data = f.read()
    assert len(data) % 12 == 0, len(data)
    entry = list(struct.iter_unpack('<HHQ', data))
    head = [e[0] if e[0] != 28 else (28, e[1]) for e in entry[:9]]
    assert head == [25, (28, 12), (28, 9), 22, 24, (28, 10), (28, 18),
                    (28, 2), (28, 3)], head
    assert entry[0][2] == entry[1][2] == 5 and entry[2][2] == 0x240, entry[:3]
    assert entry[3][2] % (1 << 22) == entry[4][2] % (1 << 22), entry[3:5]
    assert entry[5][2] == 64 and entry[6][2] == 4096, entry[5:7]
    assert entry[-2][:1] == (23,) and entry[-2][2] == entry[3][2]
    assert entry[-1] == (26, 0, 0), entry[-1]
    now = target = None
    time = entry[7][2]
    code, known = b'', {}
    for kind, size, addr in entry[9:-2]:
        if kind == 47:
            assert 0 < size <= 8 and len(code) in (0, 8), (size, code)
            code += addr.to_bytes(8, 'little')[:size]
        elif kind == 28 and size < 2:
            now.marks.append((size, addr))
        elif kind == 28 and size == 2:
            assert addr > time and not code and target is None, (addr, time)
            time = addr
        elif kind == 28 and size == 3:
            assert addr == (1 << 64) - 1, addr
        elif kind == 28:
            assert size == 29 and target is None, (size, addr)
            target = addr
        elif kind in (0, 1):
            now.accesses.append(('RW'[kind], addr, size))
        else:
            if now:
                yield now
            if code:
                known[addr] = code
            assert len(known[addr]) == size, (hex(addr), size, known[addr])
            now = Record(addr, size, kind, target, known[addr])
            now.time = time
            assert (target is not None) == (now.branch in (
                'indirect', 'indirect call', 'return')), (kind, addr)
            target, code = None, b''
    yield now


def check_turn(r, after, interrupted):
    """What says of an instruction where it goes says the same."""
    to = after.addr
    for mark, value in r.marks:
        if mark == 1:
            assert value == r.onward() and r.code == b'\x0f\x05', r.marks
            assert interrupted.pop() == to, 'a handler returns'
        else:
            interrupted.append(value)
            to = value
    assert r.goes() in (None, to), 'a branch goes'
    assert (after.kind == 29) == (after.branch is None and
                                  r.addr == after.addr), 'fetched or not'


def parts(lackey):
    """What is longer than an instruction may be is several, of four bytes."""
    for addr, size, accesses in instructions(lackey):
        at = size - 1 & ~3 if size > 15 else 0
        for before in range(0, at, 4):
            yield addr + before, 4, []
        yield addr + at, size - at, accesses


def check_drmemtrace(path, lackey):
    records = list(drmemtrace(path))
    bad = same(((r.addr, r.size, r.accesses) for r in records), parts(lackey))
    if bad:
        return bad
    interrupted = []
    for r, after in zip(records, records[1:]):
        try:
            check_turn(r, after, interrupted)
        except AssertionError as e:
            print(e, hex(r.addr), r.kind, r.marks, hex(after.addr))
            return 1
    if interrupted:
        print('handlers without an end', interrupted)
        return 1
    # A handler that is entered behind a taken branch is no wrong turn.
    odd = sum(mark == 1 or r.branch is None or r.kind == 49
              for r in records for mark, _ in r.marks)
    return check_control([(r.addr, r.branch, r.branch and r.kind != 49)
                          for r in records], [r.size for r in records], odd)


def check_threads(read, accesses, paths, lackey):
    """Of several threads: every instruction, and every access, once."""
    got, want = Counter(), Counter()
    for path in paths:
        for r in read(path):
            addr, made = accesses(r)
            got[addr] += 1
            got.update(made)
    for ip, _, made in instructions(lackey):
        want[ip] += 1
        want.update(a for _, a, _ in made if a)
    bad = got - want if read is champsim else (got - want) + (want - got)
    lost = sum((want - got).values())
    if bad or lost * 50 > sum(want.values()) or len(paths) < 2:
        print(len(bad), lost, paths)
        return 1
    return 0


def check_order(paths, lackey):
    """Threads that are interleaved by their time stamps, as DynamoRIO's
    scheduler does it, do what all did, in order."""
    records = [r for p in paths for r in drmemtrace(p)]
    records.sort(key=lambda r: r.time)  # keeps the order within a thread
    times = [{r.time for r in drmemtrace(p)} for p in paths]
    if len(paths) < 2 or set.intersection(*times) or \
            min(len(t) for t in times) < 1 or max(len(t) for t in times) < 2:
        print('times', [len(t) for t in times])
        return 1
    return same(((r.addr, r.size, r.accesses) for r in records), parts(lackey))


def main(what, path, lackey, *more):
    if what == 'order':
        return check_order((path,) + more, lackey)
    if more:
        read, accesses = {
            'champsim': (champsim, lambda r: (r[0], r[3] + r[4])),
            'drmemtrace': (drmemtrace, lambda r: (
                r.addr, [a[1] for a in r.accesses])),
        }[what]
        return check_threads(read, accesses, (path,) + more, lackey)
    if what in ('din', 'xdin'):
        sized = what == 'xdin'
        return same(din(path, sized), flat(lackey, sized))
    return {'npy': check_npy, 'champsim': check_champsim,
            'drmemtrace': check_drmemtrace}[what](path, lackey)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
