#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# profile_reader.py - reads a profile by what doc/PROFILE.md says, and by
# nothing else: the standard library and the zstd program
#
#   profile_reader.py PROFILE           what it has, and the counts of its units
#   profile_reader.py --blocks PROFILE  a line for each block: stream, kind,
#                                       position, bytes of units, instructions,
#                                       byte of the payload in the file
#
# Blocks are found one after the other, as where there is no index; the index
# is then compared with them. Whatever is not as it must be ends it with
# status 1.

import struct
import subprocess
import sys
import zlib

from profile_units import decode

HEAD = struct.Struct("<IHHHHIQIIQQQQQQ4Q4QIIQ")
EXTENTS = struct.Struct("<64I")  # behind it: 16 of data, 16 of code
HEAD_CRC_AT = 12
FIELDS = ("magic major minor kind head_bytes head_crc sequence stream "
          "payload_crc packed bytes position words begin_ns end_ns "
          "before_instructions before_reads before_writes before_modifies "
          "instructions reads writes modifies thread marks threads").split()
TAIL = struct.Struct("<IIQ")
RUN, IMAGE, LOG, UNITS, END, NAMES, DONE, INDEX = range(1, 9)
NAME = {RUN: "run", IMAGE: "image", LOG: "log", UNITS: "units", END: "end",
        NAMES: "names", DONE: "done", INDEX: "index"}
STATUS, FORK = 64, 21
NOT_DONE = 2**64 - 1


class Bad(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Bad(what)


def head_at(data, at):
    """The head at byte AT; None where there is no whole one."""
    if len(data) - at < HEAD.size + EXTENTS.size:
        return None
    head = dict(zip(FIELDS, HEAD.unpack_from(data, at)))
    if head["magic"] != int.from_bytes(b"AlrP", "little"):
        return None
    size = head["head_bytes"]
    raw = bytearray(data[at:at + size])
    raw[HEAD_CRC_AT:HEAD_CRC_AT + 4] = bytes(4)
    check(zlib.crc32(raw) == head["head_crc"], "a head is damaged")
    check(head["major"] == 2, "another version")
    touched = EXTENTS.unpack_from(raw, HEAD.size)
    head["data"] = list(zip(touched[0:32:2], touched[1:32:2]))
    head["code"] = list(zip(touched[32::2], touched[33::2]))
    head["at"] = at
    head["payload_at"] = at + size
    head["next"] = at + size + (head["packed"] + 7) // 8 * 8
    return head


def blocks_of(data):
    """Blocks in the order of the file, indexes too; and where they end."""
    blocks, at, sequence = [], 0, 0
    while True:
        head = head_at(data, at)
        if head is None or head["next"] > len(data):
            return blocks, at
        check(head["sequence"] == sequence, "a block is missing")
        packed = data[head["payload_at"]:head["payload_at"] + head["packed"]]
        check(zlib.crc32(packed) == head["payload_crc"], "a payload is damaged")
        head["frame"] = packed
        blocks.append(head)
        at = head["next"]
        sequence += head["kind"] != INDEX


def unpack(blocks):
    """Frames behind each other are unpacked behind each other."""
    plain = subprocess.run(["zstd", "-dcq"], check=True, stdout=subprocess.PIPE,
                           input=b"".join(b["frame"] for b in blocks)).stdout
    at = 0
    for b in blocks:
        b["payload"] = plain[at:at + b["bytes"]]
        at += b["bytes"]
    check(at == len(plain), "payloads are not as long as heads say")


def check_index(data, blocks, end):
    """Every block once, in order, where it is, with the head that it has."""
    magic, crc, last = TAIL.unpack(data[end:])
    check(magic == int.from_bytes(b"AlrT", "little"), "no tail")
    check(crc == zlib.crc32(data[end + 8:]), "the tail is damaged")
    indexes = [b for b in blocks if b["kind"] == INDEX]
    check(indexes and indexes[-1]["at"] == last, "the tail is wrong")
    before = 0
    entries = b""
    for index in indexes:
        check(index["position"] == before, "indexes are not chained")
        before = index["at"]
        entries += index["payload"]
    at = 0
    for b in blocks:
        if b["kind"] == INDEX:
            continue
        size = b["head_bytes"]
        check(entries[at:at + 8] == struct.pack("<Q", b["at"]) and
              entries[at + 8:at + 8 + size] == data[b["at"]:b["at"] + size],
              "the index is wrong")
        at += 8 + size
    check(at == len(entries), "the index has more than there is")


def records(payload):
    """Kinds and contents of records of 8 bytes' alignment."""
    at = 0
    while at < len(payload):
        kind, size = struct.unpack_from("<II", payload, at)
        check(size >= 8, "a record is none")
        yield kind, payload[at + 8:at + size]
        at += (size + 7) // 8 * 8


class Block:
    """A block of code: what each way out of it amounts to."""

    def __init__(self, record):
        (self.id, self.route, n_instrs, n_accesses, n_exits, n_code,
         n_slots) = struct.unpack_from("<IIHHHHH", record)
        self.code = [struct.unpack_from("<Q", record, 24 + 16 * i)[0] >> 12
                     for i in range(n_instrs)]  # pages
        at = 24 + 16 * n_instrs
        self.accesses = [struct.unpack_from("<QHHHBB", record, at + 16 * i)
                         for i in range(n_accesses)]
        at += 16 * n_accesses
        # target, instructions, accesses, bytes of the unit, jump, signal
        self.exits = [struct.unpack_from("<QHHHBB", record, at + 16 * i)
                      for i in range(n_exits)]

    def amount(self, n_accesses, slots):
        """Reads, writes and modifies of the first accesses, guards seen."""
        sums = [0, 0, 0]
        for delta, instr, slot, size, kind, flags in self.accesses[:n_accesses]:
            guarded = flags & 1 and slot != 0xffff
            if guarded and slots[slot] == NOT_DONE:
                continue
            sums[0] += kind != 1
            sums[1] += kind != 0
            sums[2] += kind == 2
        return sums


    def touch(self, n_accesses, slots, pages):
        """Adds the pages of the first accesses, guards seen."""
        for delta, instr, slot, size, kind, flags in self.accesses[:n_accesses]:
            value = 0 if slot == 0xffff else slots[slot]
            if flags & 1 and value == NOT_DONE:
                continue
            first = value + delta & NOT_DONE
            pages.add(first >> 12)
            pages.add((first + size - 1 & NOT_DONE) >> 12)


def check_extents(extents, pages):
    """That they are in order, with gaps between them, and have all pages."""
    used = [e for e in extents if e != (0, 0)]
    check(extents == used + [(0, 0)] * (len(extents) - len(used)) and
          all(n > 0 for _, n in used) and
          all(a + n < b for (a, n), (b, _) in zip(used, used[1:])),
          "extents are in no order")
    for page in pages:
        page = min(page, 2**32 - 2)
        check(any(a <= page < a + n for a, n in used),
              "a page is touched, but not told")


class Stream:
    def __init__(self, parent=None, n_blocks=0):
        self.blocks = list(parent.blocks[:n_blocks]) if parent else []
        self.exits = []  # by route
        for block in self.blocks:
            self.add_exits(block)
        self.counts = [0, 0, 0, 0]
        self.log = self.chunks = 0

    def add_exits(self, block):
        check(block.route == len(self.exits), "a route is missing")
        for i, e in enumerate(block.exits):
            plain = not any(a[5] & 1 for a in block.accesses[:e[2]])
            self.exits.append((block, e, block.amount(e[2], None)
                               if plain else None))

    def take_log(self, block):
        check(block["position"] == self.log, "log is missing")
        self.log += block["bytes"]
        for kind, content in records(block["payload"]):
            if kind == 1:
                new = Block(content)
                check(new.id == len(self.blocks), "a block is missing")
                self.blocks.append(new)
                self.add_exits(new)

    def count(self, instructions, amount):
        self.counts[0] += instructions
        for i in range(3):
            self.counts[1 + i] += amount[i]

    def take_cut(self, unit):
        """A block that a fault has stopped."""
        which, how = struct.unpack_from("<IQ", unit, len(unit) - 12)
        n = (len(unit) - 16) // 8
        slots = struct.unpack_from("<%dQ" % n, unit, 4)
        block = self.blocks[which]
        done, instrs, half = how & 0xffffffff, how >> 32 & 0x7fffffff, how >> 63
        amount = block.amount(done, slots)
        self.count(instrs, [amount[0] + half, amount[1], amount[2]])
        block.touch(done + half, slots, self.data)
        self.code.update(block.code[:instrs])

    def take_units(self, block):
        check(block["position"] == self.chunks, "a chunk is missing")
        self.chunks += 1
        before = list(self.counts)
        self.data, self.code = set(), set()
        looks = self.chunks % 8 == 1  # at each access: that takes its time
        words = decode(block["payload"], block["words"])
        at = 0
        while at < len(words):
            header, = struct.unpack_from("<I", words, at)
            size = 4 * (header & 0xff)
            if header & 1:
                owner, e, amount = self.exits[header >> 8]
                check(size == e[3], "a unit has a wrong length")
                slots = None
                if looks or amount is None:
                    slots = struct.unpack_from("<%dQ" % (size // 8), words,
                                               at + 4)
                if looks:
                    owner.touch(e[2], slots, self.data)
                    self.code.update(owner.code[:e[1]])
                if amount is None:
                    amount = owner.amount(e[2], slots)
                self.count(e[1], amount)
            elif header >> 8 == 2:
                self.take_cut(words[at:at + size])
            at += size
        check(at == len(words), "a chunk ends within a unit")
        told = [block[f] for f in ("instructions", "reads", "writes",
                                   "modifies")]
        check(told == [a - b for a, b in zip(self.counts, before)],
              "a head counts otherwise")
        check_extents(block["data"], self.data)
        check_extents(block["code"], self.code)


def streams_of(blocks):
    streams = {}
    for b in blocks:
        number = b["stream"]
        if b["kind"] == IMAGE:
            streams[number] = Stream()
            for kind, content in records(b["payload"]):
                if kind == FORK:
                    parent, n, log = struct.unpack("<3Q", content)
                    streams[number] = Stream(streams[parent], n)
        elif b["kind"] == LOG:
            streams[number].take_log(b)
        elif b["kind"] == UNITS:
            streams[number].take_units(b)
    return streams


def status_of(blocks):
    for b in blocks:
        if b["kind"] != DONE:
            continue
        for kind, content in records(b["payload"]):
            if kind == STATUS:
                return content.split(b"\0")[0].decode()
    return "unfinished"


def main():
    *options, path = sys.argv[1:]
    with open(path, "rb") as f:
        data = f.read()
    blocks, end = blocks_of(data)
    if "--blocks" in options:
        for b in blocks:
            print(b["stream"], NAME.get(b["kind"], b["kind"]), b["position"],
                  b["words"], b["instructions"], b["payload_at"])
        return
    unpack(blocks)
    if len(data) - end == TAIL.size:
        check_index(data, blocks, end)
    print("status", status_of(blocks))
    total = [0, 0, 0, 0]
    for stream in streams_of(blocks).values():
        total = [a + b for a, b in zip(total, stream.counts)]
    for name, n in zip(("instructions", "reads", "writes", "modifies"), total):
        print(name, n)


try:
    main()
except Bad as e:
    sys.exit("%s: %s" % (sys.argv[-1], e))
