# SPDX-License-Identifier: GPL-2.0-or-later
#
# data_model.py - a model of heap blocks, for data-python.test
#
# data_model.py PROFILE REPORT. Applies the births and deaths of a profile of one
# process to a sorted list of live blocks, and looks up each access in it. Prints
# what differs from the library's data objects, and from the reads, writes and
# bytes of heap blocks in the report; otherwise the number of blocks and whether
# there were accesses to them.

import bisect
import json
import sys

import alleria

BORN, DIED = 15, 16


class Blocks:
    """Live blocks, by address: `start` is sorted, `block` has address, end and
    number of birth of each."""

    def __init__(self):
        self.start, self.block, self.n, self.last_death = [], [], 0, None

    def end(self, i):
        del self.start[i]
        return self.block.pop(i)

    def apply(self, event):
        i = bisect.bisect_left(self.start, event.value)
        found = i < len(self.start) and self.start[i] == event.value
        if event.kind == DIED:
            if found:
                self.last_death = event.instruction, self.end(i)
            return
        number = self.number_of_birth(event)
        last = event.value + max(event.detail, 1)
        while i < len(self.start) and self.start[i] < last:
            self.end(i)
        if i and self.block[i - 1][1] > event.value:
            i -= 1
            self.end(i)
        self.start.insert(i, event.value)
        self.block.insert(i, (event.value, event.value + event.detail, number))

    def number_of_birth(self, event):
        """That of the block at this address if realloc() has resized it."""
        if self.last_death:
            instruction, (start, _, number) = self.last_death
            self.last_death = None
            if (instruction, start) == (event.instruction, event.value):
                return number
        self.n += 1
        return self.n

    def find(self, address):
        i = bisect.bisect_right(self.start, address) - 1
        return self.block[i] if i >= 0 and address < self.block[i][1] else None


def check(profile, report):
    data = profile.data()
    heap = [d.id for d in data if d.kind == "heap"]
    thread_local = {d.id for d in data if d.kind == "tls"}
    number_of = {id_: n + 1 for n, id_ in enumerate(heap)}
    events = (e for batch in profile.events() for e in batch
              if e.kind in (BORN, DIED))
    event, blocks = next(events, None), Blocks()
    counts = [0] * 4
    for batch in profile.accesses():
        for a in batch:
            while event and event.access <= a.number:
                blocks.apply(event)
                event = next(events, None)
            block, found = blocks.find(a.address), data.at(a)
            # A thread-local variable can lie in a heap block, and is the owner.
            if found and found[0] in thread_local:
                block = None
            of = (block[2], a.address - block[0]) if block else None
            if found and found[0] in number_of:
                found = number_of[found[0]], found[1]
            else:
                found = None
            if of != found:
                return f"access {a.number}: {found}, by the model {of}"
            if block:
                for k in range(2):
                    if a.kind in (alleria.MODIFY, k):
                        counts[k] += 1
                        counts[2 + k] += a.size
    rows = [g for g in report["analyses"]["data"]["groups"]
            if g["kind"] == "heap"]
    wanted = [sum(g[key] for g in rows)
              for key in ("reads", "writes", "read_bytes", "written_bytes")]
    if counts != wanted:
        return f"reads, writes and bytes {wanted}, by the model {counts}"
    while event:
        blocks.apply(event)
        event = next(events, None)
    if blocks.n != len(heap):
        return f"{len(heap)} heap blocks, by the model {blocks.n}"
    return f"{blocks.n} blocks, {'accessed' if min(counts) else 'unused'}"


with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
with alleria.open(sys.argv[1]) as profile:
    print(check(profile, report))
