# SPDX-License-Identifier: GPL-2.0-or-later
"""bbv.py - reads and compares basic-block vectors

counts OURS TRACE THEIRS PCS INFO
    Whether the file of Alleria's bbv gives each instruction the count of
    exp-bbv, run with blocks of one instruction, and its --pc-out-file. exp-bbv
    counts the repetitions of a string instruction as one, and counts it with
    the next instruction that is none; TRACE (of Lackey) has all of them, in
    order. String instructions are known by their bytes, which are read from
    the objects that INFO (JSON of `alleria info`) lists. Prints the sums, and
    the number of string instructions and of their repetitions.
sums OURS TRACE N
    Whether each interval has at least N instructions, the last one excepted,
    all together have those of TRACE, and each count is a multiple of the length
    of its block.
"""

import collections
import json
import re
import struct
import sys


def vectors(path):
    """Return the lines T as dictionaries, and {id: (address, length)}."""
    lines, blocks = [], {}
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("# block"):
                number, address, length = line.split()[2:5]
                blocks[int(number)] = int(address, 16), int(length)
            elif line[0] == "T":
                lines.append({int(i): int(n) for i, n in
                              re.findall(r":(\d+):(\d+)", line)})
    return lines, blocks


def read_trace(path):
    """Return the sizes of instructions by address, and the addresses."""
    size, executed = {}, []
    with open(path, encoding="ascii") as file:
        for line in file:
            if line[:2] == "I ":
                address, length = line[3:].split(",")
                executed.append(int(address, 16))
                size[executed[-1]] = int(length)
    return size, executed


def segments(path):
    """Return (address, file offset, size) of the segments of an ELF file."""
    with open(path, "rb") as file:
        data = file.read()
    first, = struct.unpack_from("<Q", data, 32)
    size, number = struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQ", data, first + i * size)
               for i in range(number)]
    return data, [(h[3], h[2], h[5]) for h in headers if h[0] == 1]


def code_reader(info):
    """Return a function (address, size) that returns bytes of code."""
    with open(info, encoding="utf-8") as file:
        process, = json.load(file)["run"]["processes"]
    files = {}

    def read(address, size):
        for o in process["objects"]:
            if o["start"] <= address < o["start"] + o["size"]:
                if o["path"] not in files:
                    files[o["path"]] = segments(o["path"])
                data, loads = files[o["path"]]
                address -= o["bias"]
                for start, offset, length in loads:
                    if start <= address < start + length:
                        at = address - start + offset
                        return data[at:at + size]
        return b""
    return read


def is_string_instruction(code):
    """Whether it is movs, cmps, stos, lods, scas, ins or outs with rep."""
    prefixes = len(code) - len(code.lstrip(b"\x66\x67\x48\xf2\xf3"))
    return bool({0xf2, 0xf3} & set(code[:prefixes])
                and code[prefixes:prefixes + 1] in
                {bytes([i]) for i in (*range(0x6c, 0x70), *range(0xa4, 0xa8),
                                      *range(0xaa, 0xb0))})


def without_repetitions(executed, strings):
    """Return exp-bbv's counts: those of `strings` are with the next one."""
    want, pending = collections.Counter(), 0
    for address in executed:
        if address in strings:
            pending = 1
        else:
            want[address] += 1 + pending
            pending = 0
    return want


def counts_of_instructions(lines, blocks, size):
    """Return the executions of each instruction by address."""
    counts = collections.Counter()
    for line in lines:
        for block, n in line.items():
            address, length = blocks[block]
            for _ in range(length):
                counts[address] += n // length
                address += size[address]
    return counts


def differing(got, want, title):
    bad = [pc for pc in set(got) | set(want) if got[pc] != want[pc]]
    for pc in sorted(bad):
        print(title, hex(pc), got[pc], want[pc])
    return len(bad)


def exp_bbv_counts(theirs, pcs):
    address = {}
    with open(pcs, encoding="ascii") as file:
        for line in file:
            _, number, pc = line.rstrip("\n").split(":")[:3]
            address[int(number)] = int(pc, 16)
    want = collections.Counter()
    for line in vectors(theirs)[0]:
        for number, n in line.items():
            want[address[number]] += n
    return want


def counts(ours, trace, theirs, pcs, info):
    lines, blocks = vectors(ours)
    size, executed = read_trace(trace)
    got = counts_of_instructions(lines, blocks, size)
    want = exp_bbv_counts(theirs, pcs)
    code = code_reader(info)
    strings = {pc for pc in size if is_string_instruction(code(pc, size[pc]))}
    repeated = sum(a == b for a, b in zip(executed, executed[1:])
                   if a in strings)
    print(sum(got.values()), sum(want.values()), len(strings), repeated)
    return (not want
            or differing(got, collections.Counter(executed), "trace")
            or differing(without_repetitions(executed, strings), want,
                         "exp-bbv"))


def sums(ours, trace, interval):
    lines, blocks = vectors(ours)
    executed = len(read_trace(trace)[1])
    sizes = [sum(line.values()) for line in lines]
    print(len(sizes), sum(sizes), executed)
    return (sum(sizes) != executed
            or any(n < int(interval) for n in sizes[:-1])
            or any(n % blocks[i][1] for line in lines
                   for i, n in line.items()))


sys.exit(bool({"counts": counts, "sums": sums}[sys.argv[1]](*sys.argv[2:])))
