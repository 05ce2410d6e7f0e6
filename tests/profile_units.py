# SPDX-License-Identifier: GPL-2.0-or-later
#
# profile_units.py - units of a chunk from their code, as doc/PROFILE.md has it;
# part of profile_reader.py

import struct

SURE = 4  # degrees of sureness
HOWS = 11
UNIT_RUNS = 0
VALUE_RUNS = UNIT_RUNS + 2 * SURE
RUNS = VALUE_RUNS + HOWS * SURE
UNIT_HOW = RUNS
VALUE_HOW = UNIT_HOW + 1
AGAIN = VALUE_HOW + 4
HEADERS = AGAIN + 1
NUMBERS = HEADERS + 1
COLUMNS = NUMBERS + 8
SECOND, AFTER, NEW = range(3)
STRIDE, DIFF, LAST, NUMBER = range(4)
NEW_DIFF = 16
MASK = 2**64 - 1


def hashed(key, bits):
    return (key * 0x9e3779b97f4a7c15 & MASK) >> 64 - bits


class Columns:
    def __init__(self, code):
        counts = struct.unpack_from("<%dI" % COLUMNS, code)
        at = 4 * COLUMNS
        self.column = []
        for i, n in enumerate(counts):
            width = 1
            if i == HEADERS:
                width = 4
            elif i >= NUMBERS:
                width = i - NUMBERS + 1
            parts = [code[at + k * n:at + (k + 1) * n] for k in range(width)]
            self.column.append(map(
                lambda t: int.from_bytes(bytes(t), "little"), zip(*parts)))
            at += width * n
        self.whole = at == len(code)

    def take(self, column):
        return next(self.column[column])

    def run(self, column):
        """How often it will be true; None: not told, not asked any more."""
        n = 0
        while True:
            byte = next(self.column[column], None)
            if byte is None:
                return None
            n += byte
            if byte != 255:
                return n


class Place:
    __slots__ = ("last", "stride", "diff", "at", "back", "expected", "sure")

    def __init__(self):
        self.last = self.stride = self.diff = self.at = self.back = 0
        self.expected = self.sure = 0


class Decoder:
    def __init__(self, code):
        self.columns = Columns(code)
        self.runs = [self.columns.run(i) for i in range(RUNS)]
        self.before = self.missed = 0
        self.n = 1
        self.next = {}
        self.after = {}
        self.place = {}
        self.past = [0] * 1024

    def hit(self, run):
        if self.runs[run]:
            self.runs[run] -= 1
            return True
        self.runs[run] = self.columns.run(run)
        return False

    def header(self):
        n = self.next.setdefault(hashed(self.before, 14), [0, 0, 0])
        after = hashed(self.before >> 32, 13)
        run = UNIT_RUNS + 2 * n[2] + self.missed
        if self.hit(run):
            header = n[0]
            self.missed = 0
            n[2] = min(n[2] + 1, SURE - 1)
        else:
            how = self.columns.take(UNIT_HOW)
            if how == SECOND:
                header = n[1]
            elif how == AFTER:
                header = self.after.get(after, 0)
            else:
                header = self.columns.take(HEADERS)
            self.missed = 1
            self.after[after] = header
            if n[2] > 1:
                n[2] -= 1
                n[1] = header
            else:
                n[0], n[1], n[2] = header, n[0], 0
        self.before = self.before >> 32 | header << 32
        return header

    def ago(self, n, back):
        return self.past[(n - 1 - back) % 1024]

    def told(self, p, how):
        """The value of place P, told by HOW."""
        n = self.n
        if how == STRIDE:
            return p.last + p.stride
        if how == DIFF:
            return self.ago(n, p.back) + p.diff
        if how == LAST:
            return self.ago(n, self.columns.take(AGAIN) - 1)
        if how < NEW_DIFF:
            number = self.columns.take(NUMBERS + how - NUMBER)
            return p.last + (number >> 1 ^ -(number & 1))
        p.back = how - NEW_DIFF
        return self.ago(n, p.back) + p.last - self.ago(p.at, p.back)

    def value(self, place):
        p = self.place.get(place)
        if p is None:
            p = self.place[place] = Place()
        if self.hit(VALUE_RUNS + SURE * p.expected + p.sure):
            value = self.told(p, p.expected) & MASK
            p.sure = min(p.sure + 1, SURE - 1)
        else:
            how = self.columns.take(VALUE_HOW + min(p.expected, NUMBER))
            value = self.told(p, how) & MASK
            if p.sure > 1:
                p.sure -= 1
            else:
                p.expected, p.sure = how if how < NEW_DIFF else DIFF, 0
        p.stride = value - p.last & MASK
        p.diff = value - self.ago(self.n, p.back) & MASK
        p.last = value
        p.at = self.n
        self.past[self.n % 1024] = value
        self.n += 1
        return value

    def unit(self):
        header = self.header()
        out = [struct.pack("<I", header)]
        place = hashed(header, 15)
        if not header & 1:
            out.append(struct.pack("<Q", self.value(place))[:4])
            place += 1
        for i in range(((header & 0xff) - 1) // 2):
            out.append(struct.pack("<Q", self.value((place + i) % 2**15)))
        return b"".join(out)


def decode(code, size):
    d = Decoder(code)
    units, done = [], 0
    while done < size:
        units.append(d.unit())
        done += len(units[-1])
    return b"".join(units)
