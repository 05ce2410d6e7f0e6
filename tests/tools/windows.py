# SPDX-License-Identifier: GPL-2.0-or-later
"""windows.py - what a window records, cut out of the trace of the whole program

   windows.py yaml WORD...                   the window file that WORDs say
   windows.py check INFO FULL OURS WORD...   whether the trace OURS is what such
                                             windows leave of FULL; prints a few
                                             words about it
   windows.py warm INFO FULL WORD...         what caches see of FULL with such
                                             windows; a line that does not count
                                             begins with '-'
   windows.py names INFO FULL N              N functions that were called, as
                                             FUNC below, and how often each

FULL and OURS are traces in Lackey's format of one thread that takes no signal,
INFO is what 'alleria info --json' says of FULL's run. WORDs, a '+' between those
of two windows:

   on=EVENT till=EVENT  reopen  in=FUNC,...  mem  own
   sample=EVERY/FOR/UNIT  intervals=START+DURATION,...  warmup=N

EVENT is call:FUNC:NTH, return:FUNC:NTH, KIND:COUNT, of which KIND is
instructions, accesses, reads or writes; with :opening behind it, it counts from
the opening. any(EVENT,...) and all(EVENT,...) are events. FUNC is
IMAGE/FUNCTION, or FUNCTION of the main executable. Own is per_window_output."""
import json
import os
import re
import shutil
import subprocess
import sys

COUNTS = 'instructions', 'accesses', 'reads', 'writes'


# ---- words ----

def parse_event(text):
    """As (kind, argument, count, since opening), or (any or all, events)."""
    for kind in 'any', 'all':
        if text.startswith(kind + '('):
            return kind, [parse_event(e) for e in text[4:-1].split(',')]
    words = text.split(':')
    opening = words[-1] == 'opening'
    words = words[:len(words) - opening]
    if words[0] in COUNTS:
        return words[0], None, int(words[1]), opening
    return words[0], words[1], int(words[2]), opening


def parse(words):
    windows = [{}]
    for word in words:
        key, _, value = word.partition('=')
        if key == '+':
            windows.append({})
        elif key in ('on', 'till'):
            windows[-1][key] = parse_event(value)
        elif key == 'in':
            windows[-1][key] = value.split(',')
        elif key == 'sample':
            every, length, unit = value.split('/')
            windows[-1][key] = int(every), int(length), unit
        elif key == 'warmup':
            windows[-1][key] = int(value)
        elif key == 'intervals':
            windows[-1][key] = [tuple(map(int, i.split('+')))
                                for i in value.split(',')]
        else:
            windows[-1][key] = True
    return windows


# ---- the file ----

def event_yaml(event):
    if event[0] in ('any', 'all'):
        return '%s: [%s]' % (event[0], ', '.join(
            '{%s}' % event_yaml(e) for e in event[1]))
    kind, function, count, opening = event
    since = ', since: opening' if opening else ''
    if kind == 'instructions':
        return 'instructions: {count: %d%s}' % (count, since)
    if kind in COUNTS:
        key = 'total' if kind == 'accesses' else kind
        return 'accesses: {%s: %d%s}' % (key, count, since)
    image, _, name = function.rpartition('/')
    image = ', image_name: ' + image if image else ''
    return '%s: {function: %s, nth: %d%s%s}' % (kind, name, count, image,
                                               since)


def profile_yaml(window):
    select = ', instructions: [{category: any_mem}]' if 'mem' in window else ''
    images = {}
    for function in window.get('in', ()):
        image, _, name = function.rpartition('/')
        images.setdefault(image, []).append(name)
    if not images:
        return '{threads: [{images: [{functions: [{%s}]}]}]}' % select[2:]
    return '{threads: [{images: [%s]}]}' % ', '.join(
        '{%s, functions: [%s]}' % (
            'name: ' + image if image else 'main: true',
            ', '.join('{name: %s%s}' % (name, select) for name in names))
        for image, names in images.items())


def yaml(windows, intervals='intervals.csv'):
    print('windows:')
    for i, window in enumerate(windows):
        print('- name: w%d' % i)
        for key in 'on', 'till':
            if key in window:
                print('  %s: {%s}' % (key, event_yaml(window[key])))
        if 'reopen' in window:
            print('  reopenable: true')
        if 'own' in window:
            print('  per_window_output: true')
        if 'sample' in window:
            print('  sample: {every: %d, for: %d, unit: %s}' %
                  window['sample'])
        if 'warmup' in window:
            print('  warmup: %d' % window['warmup'])
        if 'intervals' in window:
            print('  intervals: ' + intervals)
            with open(intervals, 'w') as file:
                for interval in window['intervals']:
                    file.write('%d,%d\n' % interval)
        print('  profile: [%s]' % profile_yaml(window))


# ---- the whole program ----

def functions_of(info, wanted=None):
    """{FUNC: [(start, end)]}"""
    found = {}
    process = info['run']['processes'][0]
    main_path = os.path.realpath(shutil.which(process['command'][0]))
    for o in process['objects']:
        main = o['path'] == main_path
        for option in '-D', '-a':
            out = subprocess.run(['nm', '-S', '--defined-only', option,
                                  o['path']], capture_output=True, text=True,
                                 check=False).stdout
            for line in out.splitlines():
                words = line.split()
                if len(words) != 4 or words[2] not in 'tTwW':
                    continue
                name = words[3].split('@')[0]
                if not main:
                    name = o['path'].split('/')[-1] + '/' + name
                start = int(words[0], 16) + o['bias']
                extent = start, start + int(words[1], 16)
                if wanted is None or name in wanted:
                    found.setdefault(name, set()).add(extent)
    return found


class Step:
    """An instruction and what it did."""
    __slots__ = 'addr', 'len', 'accesses', 'lines'

    def __init__(self, line):
        where, length = line[3:].split(',')
        self.addr, self.len = int(where, 16), int(length)
        self.accesses = []
        self.lines = [line]


def read_trace(path):
    steps = []
    with open(path) as file:
        for line in file:
            if line[0] == 'I':
                steps.append(Step(line))
            else:
                where, size = line[3:].split(',')
                steps[-1].accesses.append((line[1], int(where, 16),
                                           int(size)))
                steps[-1].lines.append(line)
    return steps


class Calls:
    """What each instruction is: calls that begin with it, or that are over."""

    def __init__(self, steps, wanted):
        self.entries = {}
        for name, extents in wanted.items():
            for extent in extents:
                self.entries.setdefault(extent[0], []).append((name, extent))
        self.steps, self.stack, self.active = steps, [], []
        self.serial = 0

    def at(self, i):
        """[(FUNC, serial)] that begin before step @i; {serial} that ended."""
        step, ended, begun = self.steps[i], set(), []
        before = self.steps[i - 1] if i else None
        called = False
        if before and before.accesses:
            kind, where, size = before.accesses[-1]
            turned = before.addr + before.len != step.addr
            if kind == 'S' and size == 8 and turned:
                self.stack.append((where, before.addr + before.len))
                called = True
            elif kind == 'L' and size == 8 and turned:
                self.go_back(where, step.addr, ended)
        for name, (start, end) in self.entries.get(step.addr, ()):
            if before and start <= before.addr < end and not called:
                continue
            self.serial += 1
            self.active.append((self.stack[-1][0] if self.stack else 0,
                                self.serial))
            begun.append((name, self.serial))
        return begun, ended

    def go_back(self, where, addr, ended):
        while self.stack and self.stack[-1][0] < where:
            self.stack.pop()
        if self.stack and self.stack[-1] == (where, addr):
            self.stack.pop()
        while self.active and self.active[-1][0] <= where:
            ended.add(self.active.pop()[1])


# ---- a window ----

class Event:
    def __init__(self, words):
        self.kind = words[0]
        self.parts = [Event(w) for w in words[1]] \
            if self.kind in ('any', 'all') else []
        if not self.parts:
            self.function, self.count, self.opening = words[1:]
        self.rearm(dict.fromkeys(COUNTS, 0))

    def rearm(self, totals):
        for part in self.parts:
            part.rearm(totals)
        self.happened, self.calls, self.waits = False, 0, None
        self.base = totals.get(self.kind, 0)

    def opens(self, totals):
        for part in self.parts:
            part.opens(totals)
        if not self.parts and self.opening:
            self.rearm(totals)

    def note(self, begun, ended, totals):
        for part in self.parts:
            part.note(begun, ended, totals)
        if self.kind in totals:
            self.happened |= totals[self.kind] - self.base >= self.count
        if self.waits in ended:
            self.happened = True
        for name, serial in begun:
            if not self.parts and name == self.function:
                self.calls += 1
                if self.calls == self.count:
                    self.happened |= self.kind == 'call'
                    self.waits = serial

    def holds(self):
        if self.parts:
            return {'any': any, 'all': all}[self.kind](
                p.holds() for p in self.parts)
        return self.happened


class Window:
    def __init__(self, words, functions):
        self.words = words
        self.on = Event(words['on']) if 'on' in words else None
        self.till = Event(words['till']) if 'till' in words else None
        self.extents = [e for f in words.get('in', ()) for e in functions[f]]
        self.open, self.over, self.openings = False, False, 0
        self.base = self.closed = 0
        self.recorded = False

    def step(self, begun, ended, totals):
        for event in self.on, self.till:
            if event:
                event.note(begun, ended, totals)
        if not self.open and not self.over and \
                (not self.on or self.on.holds()):
            self.open = True
            self.openings += 1
            if 'sample' in self.words:
                self.base = totals[self.words['sample'][2]]
            if self.till:
                self.till.opens(totals)
        if self.open and self.till and self.till.holds():
            self.open = False
            self.over = 'reopen' not in self.words
            for event in self.on, self.till:
                if event and not self.over:
                    event.rearm(totals)

    def records(self, totals):
        if not self.open:
            return False
        if 'sample' in self.words:
            every, length, unit = self.words['sample']
            if (totals[unit] - self.base) % every >= length:
                return False
        if 'intervals' in self.words and \
                not any(a <= totals['instructions'] < a + n
                        for a, n in self.words['intervals']):
            return False
        return True

    def wants(self, step, mem):
        if 'mem' in self.words and step.addr not in mem:
            return False
        return not self.extents or any(a <= step.addr < b
                                       for a, b in self.extents)

    def takes(self, step, totals, mem):
        return self.records(totals) and self.wants(step, mem)

    def warm_up(self, i, totals):
        """The numbers of steps that may be simulated before step @i."""
        before, self.recorded = self.recorded, self.records(totals)
        if before and not self.recorded:
            self.closed = i
        if before or not self.recorded:
            return range(0)
        return range(max(self.closed, i - self.words.get('warmup', 0)), i)


def named(event):
    if event is None:
        return set()
    if event[0] in ('any', 'all'):
        return set().union(*map(named, event[1]))
    return {event[1]} - {None}


def cut(steps, windows, functions):
    """The steps that the windows take, how often they opened, and what comes
    before step n of these to warm up: (n, step)."""
    wanted = set().union(*(named(w.get(k)) for w in windows
                           for k in ('on', 'till')))
    calls = Calls(steps, {f: functions[f] for f in wanted})
    windows = [Window(w, functions) for w in windows]
    totals = dict.fromkeys(COUNTS, 0)
    mem = {step.addr for step in steps if step.accesses}
    taken, warmed, last = [], [], -1
    for i, step in enumerate(steps):
        begun, ended = calls.at(i)
        for w in windows:
            w.step(begun, ended, totals)
        ranges = [(w, w.warm_up(i, totals)) for w in windows]
        first = min([r.start for _, r in ranges if r], default=i)
        for j in range(max(first, last + 1), i):
            if any([j in r and w.wants(steps[j], mem) for w, r in ranges]):
                last = j
                warmed.append((len(taken), steps[j]))
        if any([w.takes(step, totals, mem) for w in windows]):
            taken.append(step)
            last = i
        totals['instructions'] += 1
        for kind, _, _ in step.accesses:
            totals['reads'] += kind in 'LM'
            totals['writes'] += kind in 'SM'
        totals['accesses'] = totals['reads'] + totals['writes']
    return taken, sum(w.openings for w in windows), warmed


def alike(a, b):
    """Where a program uses random bytes, addresses of data may differ."""
    return a[0] == b[0] == ' ' and a[1] == b[1] and \
        a.split(',')[1] == b.split(',')[1]


def functions_for(info, windows):
    wanted = set().union(*(named(w.get(k)) for w in windows
                           for k in ('on', 'till')),
                         *(w.get('in', ()) for w in windows))
    functions = functions_of(info, wanted)
    return functions, wanted - functions.keys()


def warm(info, full, words):
    windows = parse(words)
    taken, _, warmed = cut(read_trace(full), windows,
                           functions_for(info, windows)[0])
    warmed.reverse()
    for i, step in enumerate(taken):
        while warmed and warmed[-1][0] == i:
            print(''.join('-' + line for line in warmed.pop()[1].lines),
                  end='')
        print(''.join(step.lines), end='')
    return 0


def check(info, full, ours, words):
    windows = parse(words)
    functions, missing = functions_for(info, windows)
    if missing:
        print('no function', *missing)
        return 1
    taken, openings, _ = cut(read_trace(full), windows, functions)
    want = [line for step in taken for line in step.lines]
    with open(ours) as file:
        got = file.readlines()
    if not want:
        print('nothing to be seen')
        return 1
    other = [i for i, (a, b) in enumerate(zip(got, want)) if a != b]
    wrong = [i for i in other if not alike(got[i], want[i])]
    if len(got) == len(want) and not wrong and \
            len(other) <= 4 + len(want) / 1000:
        print('%d lines, %d openings' % (len(want), openings))
        return 0
    at = (wrong or [min(len(got), len(want))])[0]
    print('%d lines, not %d; line %d differs' % (len(got), len(want), at + 1))
    for name, lines in ('got', got), ('want', want):
        for i in range(max(0, at - 3), min(len(lines), at + 4)):
            print(name, '%d:' % (i + 1), lines[i].rstrip())
    return 1


def names(info, full, n):
    functions = functions_of(info)
    steps = read_trace(full)
    calls = Calls(steps, functions)
    count = {}
    for i in range(len(steps)):
        for name, _ in calls.at(i)[0]:
            count[name] = count.get(name, 0) + 1
    plain = [f for f in count if re.fullmatch(r'[\w./+-]*', f)]
    for f in sorted(plain, key=lambda f: (-count[f], f))[:n]:
        print(f, count[f])
    return 0


def main():
    mode, *rest = sys.argv[1:]
    if mode == 'yaml':
        yaml(parse(rest))
        return 0
    with open(rest[0]) as file:
        info = json.load(file)
    if mode == 'warm':
        return warm(info, rest[1], rest[2:])
    if mode == 'names':
        return names(info, rest[1], int(rest[2]))
    return check(info, rest[1], rest[2], rest[3:])


sys.exit(main())
