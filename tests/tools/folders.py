#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""folders - check the sources against ARROWS

    folders.py RULE TOP [BUILD]

Prints a line for each place that breaks a rule, and one for each exception in
ARROWS that is no longer needed. RULE:

    arrows    ARROWS itself: each folder once, bottom up, at most three pairs
    includes  an include that ARROWS does not allow, or that is no path
    cycles    folders that include each other
    calls     folders that call each other, from the objects in BUILD
    names     two files or two exported symbols of one library with one name
    headers   a header with one declaration and one includer
    sizes     a folder with more than 45 sources
    verbs     a function that returns nothing, without a verb of doc/GLOSSARY.md
    lengths   a function whose name has more than 40 characters
    readmes   a folder without README, or whose README has no line "Must not:"
"""
import functools
import os
import re
import subprocess
import sys
from collections import defaultdict

MOST = 45  # sources of a folder
MOST_PAIRS = 3
MOST_CHARACTERS = 40  # of a function's name

# Libraries; a file belongs to the first that contains it.
LIBRARIES = ('liballeria/export', 'liballeria/sql', 'liballeria', 'base', 'lib',
             'analyzers', 'profile', 'daemon', 'cli', 'vgtool', 'proto')

# Folders whose files include what they like, and are included by tests only.
FREE = ('tests', 'bench', 'doc')


class Arrows:
    """The file ARROWS: may[folder], pairs, known[rule]."""

    def __init__(self, text):
        self.order, self.may, self.pairs = [], {}, set()
        self.known, self.used, self.bad = defaultdict(set), set(), []
        for n, line in enumerate(text.split('\n'), 1):
            line = line.split('#')[0].strip()
            if not line:
                continue
            name, _, rest = line.partition(':')
            words = rest.split()
            if name == 'pair':
                self.pairs.add(tuple(sorted(words[:2])))
                if len(words) < 3:
                    self.bad.append('ARROWS:%d: a pair without reason' % n)
            elif name == 'known':
                self.known[words[0]].add(' '.join(words[1:]))
            elif name in self.may:
                self.bad.append('ARROWS:%d: %s twice' % (n, name))
            else:
                self.order.append(name)
                self.may[name] = words

    def is_known(self, rule, what):
        if what in self.known[rule]:
            self.used.add((rule, what))
            return True
        return False

    def unused(self, rule):
        return ['ARROWS: not needed: known: %s %s' % (rule, what)
                for what in sorted(self.known[rule])
                if (rule, what) not in self.used]


def read(top, path):
    with open(os.path.join(top, path), encoding='utf-8') as file:
        return file.read()


def files_of(top):
    """Returns the .c and .h files, those that git ignores left out."""
    git = subprocess.run(['git', '-C', top, 'ls-files', '--cached', '--others',
                          '--exclude-standard'], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
    if git.returncode == 0 and 'Makefile.am\n' in git.stdout:
        found = git.stdout.split('\n')
    else:
        found = []
        for folder, below, names in os.walk(top):
            below[:] = [b for b in below
                        if not b.startswith(('.', 'build', '_'))]
            found += [os.path.relpath(os.path.join(folder, n), top)
                      for n in names]
    return sorted(f for f in set(found) if f.endswith(('.c', '.h')) and
                  os.path.isfile(os.path.join(top, f)))


def is_free(path):
    return path.split('/')[0] in FREE or path.endswith('_test.c')


def library_of(path):
    return next((l for l in LIBRARIES if path.startswith(l + '/')), None)


def includes_of(top, path):
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', read(top, path),
                      re.M)


def edges_by_include(top, files):
    """Returns {(folder, folder): places}."""
    edges = defaultdict(list)
    for path in files:
        if is_free(path):
            continue
        for name in includes_of(top, path):
            pair = os.path.dirname(path), os.path.dirname(name)
            if pair[0] != pair[1]:
                edges[pair].append('%s: %s' % (path, name))
    return edges


def objects_of(build):
    """Yields (folder, library, object) of what a library or program has."""
    for library in LIBRARIES:
        for folder, below, names in os.walk(os.path.join(build, library)):
            below[:] = [b for b in below if library_of(
                os.path.relpath(os.path.join(folder, b), build) + '/') ==
                library]
            for name in names:
                if name.endswith('.o') and '_test' not in name:
                    yield (os.path.relpath(folder, build), library,
                           os.path.join(folder, name))


@functools.cache
def symbols_by_object(build):
    """Returns {path: (names defined, names wanted)} of all objects."""
    paths = [path for _, _, path in objects_of(build)]
    text = subprocess.run(['nm', '-A', '-g', *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    symbols = {path: (set(), set()) for path in paths}
    for line in text.splitlines():
        path, _, rest = line.partition(':')
        words = rest.split()
        if len(words) == 2:
            symbols[path][1].add(words[1])
        elif len(words) == 3 and words[1] not in 'VWw':
            symbols[path][0].add(words[2])
    return symbols


def symbols_of(build, path):
    """Returns the sets of names that an object defines and wants."""
    return symbols_by_object(build)[path]


def edges_by_call(build):
    """Returns {(folder, folder): places} from the objects."""
    owner, wants, edges = {}, [], defaultdict(list)
    for folder, library, path in objects_of(build):
        defined, wanted = symbols_of(build, path)
        for name in defined:
            owner.setdefault(name, folder)
        wants.append((folder, path, wanted))
    for folder, path, wanted in wants:
        for name in wanted:
            if owner.get(name, folder) != folder:
                edges[folder, owner[name]].append(
                    '%s: %s' % (os.path.relpath(path, build), name))
    return edges


def cycles(pairs):
    """Returns the sets of folders that reach each other."""
    to = defaultdict(set)
    for a, b in pairs:
        to[a].add(b)

    def reach(a):
        seen, work = set(), [a]
        while work:
            for b in to[work.pop()]:
                if b not in seen:
                    seen.add(b)
                    work.append(b)
        return seen
    all_of = {a: reach(a) for a in list(to)}
    return {frozenset(b for b in seen if a in all_of.get(b, ()))
            for a, seen in all_of.items() if a in seen}


def print_cycles(edges, rule, arrows):
    left = {p: places for p, places in edges.items()
            if tuple(sorted(p)) not in arrows.pairs and
            not arrows.is_known(rule, '%s %s' % p)}
    for cycle in sorted(map(sorted, cycles(left))):
        print('cycle:', ' '.join(cycle))
        for (a, b), places in sorted(left.items()):
            if a in cycle and b in cycle:
                print('  %s -> %s, as %s' % (a, b, places[0]))


def rule_arrows(top, build, arrows, files):
    print(*arrows.bad, sep='\n', end='\n' if arrows.bad else '')
    if len(arrows.pairs) > MOST_PAIRS:
        print('ARROWS: more than %d pairs' % MOST_PAIRS)
    for i, folder in enumerate(arrows.order):
        if not os.path.isdir(os.path.join(top, folder)):
            print('ARROWS: no folder %s' % folder)
        for other in arrows.may[folder]:
            if other not in arrows.order[:i] and \
                    tuple(sorted((folder, other))) not in arrows.pairs:
                print('ARROWS: %s: %s does not stand above it' %
                      (folder, other))
    for folder in sorted({os.path.dirname(f) for f in files
                          if not is_free(f) and
                          not f.startswith('include/')}):
        if folder not in arrows.may:
            print('ARROWS: no line for %s' % folder)


def rule_includes(top, build, arrows, files):
    known = set(files)
    for path in files:
        if path.split('/')[0] in FREE:
            continue
        for name in includes_of(top, path):
            if name not in known:
                print('%s: "%s" is no path from the root' % (path, name))
    edges = edges_by_include(top, files)
    for (a, b), places in sorted(edges.items()):
        if b not in arrows.may.get(a, ()) and \
                tuple(sorted((a, b))) not in arrows.pairs and \
                not arrows.is_known('include', '%s %s' % (a, b)):
            print(*places, sep='\n')
    for a in arrows.may:
        for b in arrows.may[a]:
            if (a, b) not in edges:
                print('ARROWS: not needed: %s: %s' % (a, b))


def rule_cycles(top, build, arrows, files):
    print_cycles(edges_by_include(top, files), 'include', arrows)


def rule_calls(top, build, arrows, files):
    print_cycles(edges_by_call(build), 'call', arrows)


def rule_names(top, build, arrows, files):
    seen = defaultdict(list)
    for path in files:
        if library_of(path):
            seen[library_of(path), os.path.basename(path)].append(path)
    for folder, library, path in objects_of(build) if build else ():
        for name in symbols_of(build, path)[0]:
            seen[library, name].append(os.path.relpath(path, build))
    for (library, name), places in sorted(seen.items()):
        if len(places) > 1 and not arrows.is_known(
                'name', '%s %s' % (library, name)):
            print('%s: %s: %s' % (library, name, ' '.join(places)))


def declarations(text):
    """Returns how many things a header declares; a forward declaration of a
    type is none."""
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    text = re.sub(r'^[ \t]*#.*(\\\n.*)*$', '', text, flags=re.M)
    count, depth, part = 0, 0, ''
    for c in text:
        if c in '{':
            depth += 1
        elif c == '}':
            depth -= 1
            if depth == 0 and re.search(r'\)\s*$', part):
                count, part = count + 1, ''
        elif depth == 0:
            part += c
            if c == ';':
                if not re.match(r'\s*(struct|union|enum)\s+\w+\s*;$', part):
                    count += 1
                part = ''
    return count


def rule_headers(top, build, arrows, files):
    users = defaultdict(set)
    for path in files:
        for name in includes_of(top, path):
            users[name].add(path)
    for path in files:
        if not path.endswith('.h') or path.split('/')[0] in FREE + ('include',):
            continue
        own = {path[:-2] + '.c', path[:-2] + '_test.c'}
        if declarations(read(top, path)) == 1 and \
                len(users[path] - own) <= 1 and \
                not arrows.is_known('header', path):
            print('%s: one declaration, for %s' % (
                path, ' '.join(users[path] - own) or 'nobody'))


def verbs_of(glossary):
    """Returns the verbs of the section "Verbs"."""
    section = glossary.partition('\n## Verbs\n')[2]
    table, _, others = section.partition('usual meaning:\n')
    rows = re.findall(r'^\| ([a-z, ]+) \|', table, re.M)
    return {verb for row in rows for verb in row.split(', ')} | \
        set(re.findall(r'[a-z]+', others))


def rule_verbs(top, build, arrows, files):
    verbs = verbs_of(read(top, 'doc/GLOSSARY.md'))
    for path in files:
        if not path.endswith('.h') or path.split('/')[0] in FREE + ('include',):
            continue
        text = re.sub(r'/\*.*?\*/', ' ', read(top, path), flags=re.S)
        for name in re.findall(r'^(?:static inline )?void (\w+)\(', text,
                               re.M):
            if not verbs & set(name.split('_')):
                print('%s: %s: no verb' % (path, name))


def rule_lengths(top, build, arrows, files):
    for path in files:
        text = re.sub(r'/\*.*?\*/', ' ', read(top, path), flags=re.S)
        for name in re.findall(r'^[a-z][^;{}()=]*?\b(\w+)\(', text, re.M):
            if len(name) > MOST_CHARACTERS and not name.startswith('__'):
                print('%s: %s: %d characters' % (path, name, len(name)))


def rule_sizes(top, build, arrows, files):
    count = defaultdict(int)
    for path in files:
        count[os.path.dirname(path)] += 1
    for folder, n in sorted(count.items()):
        if n > MOST and folder != 'tests' and \
                not arrows.is_known('size', folder):
            print('%s: %d sources' % (folder, n))


def rule_readmes(top, build, arrows, files):
    for folder in sorted({os.path.dirname(f) for f in files}):
        if not os.path.isfile(os.path.join(top, folder, 'README')) and \
                not arrows.is_known('readme', folder):
            print('%s: no README' % folder)
        elif '\nMust not:' not in read(top, os.path.join(folder, 'README')):
            print('%s/README: no "Must not:"' % folder)


RULES = {'includes': 'include', 'cycles': 'include', 'calls': 'call',
         'names': 'name', 'headers': 'header', 'sizes': 'size',
         'readmes': 'readme', 'verbs': 'verb', 'lengths': 'length',
         'arrows': ''}


def main():
    rule, top = sys.argv[1:3]
    build = sys.argv[3] if len(sys.argv) > 3 else None
    arrows = Arrows(read(top, 'ARROWS'))
    files = files_of(top)
    globals()['rule_' + rule](top, build, arrows, files)
    if rule not in ('cycles', 'arrows') and (build or rule != 'names'):
        for line in arrows.unused(RULES[rule]):
            print(line)


if __name__ == '__main__':
    main()
