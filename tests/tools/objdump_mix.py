# SPDX-License-Identifier: GPL-2.0-or-later
"""objdump_mix.py - count the instructions of a trace by class with objdump

   objdump_mix.py PROGRAM REPORT <TRACE

TRACE has Lackey's lines of a program that is linked statically at a fixed
address. The instructions are looked up in `objdump -d` and counted by mnemonic;
a mnemonic becomes XED's class by the rules below. Prints each class of which
the count in REPORT's mix differs; 0 when none does."""
import collections
import json
import re
import subprocess
import sys

CONDITION = {'e': 'z', 'ne': 'nz', 'a': 'nbe', 'ae': 'nb', 'g': 'nle',
             'ge': 'nl'}
RENAMED = {'call': 'call_near', 'ret': 'ret_near', 'movabs': 'mov',
           'leave': 'leave', 'fwait': 'fwait', 'sal': 'shl',
           'int3': 'int3', 'fstcw': 'fnstcw', 'fstsw': 'fnstsw'}
STRING = {'BYTE': 'b', 'WORD': 'w', 'DWORD': 'd', 'QWORD': 'q'}
COMPARE = re.compile(r'(v?cmp)(eq|lt|le|unord|neq|nlt|nle|ord)([sp][sd])$')


def class_of(text):
    words = text.split()
    prefix = ''
    while words[0] in ('data16', 'addr32', 'cs', 'ds', 'es', 'ss', 'fs', 'gs', 'notrack',
                       'bnd', 'rex.W', 'lock', 'rep', 'repz', 'repnz'):
        word = words.pop(0)
        if word in ('lock', 'rep', 'repz', 'repnz'):
            prefix = word
    name, operands = words[0], ' '.join(words[1:])
    if name in ('movs', 'cmps', 'scas', 'lods', 'stos'):
        size = STRING[re.search(r'(\w+) PTR', operands).group(1)]
        before = {'': '', 'rep': 'rep_', 'repnz': 'repne_',
                  'repz': 'repe_'}[prefix]
        return before + name + size
    if name == 'xchg' and operands == 'ax,ax':
        return 'nop'
    match = re.match(r'(j|set|cmov)(e|ne|a|ae|g|ge)$', name)
    if match:
        name = match.group(1) + CONDITION[match.group(2)]
    match = COMPARE.match(name)
    if match:
        name = match.group(1) + match.group(3)
    if name in ('movsd', 'cmpsd'):
        name += '_xmm'
    name = RENAMED.get(name, name)
    return name + ('_lock' if prefix == 'lock' and name != 'xchg' else '')


def read_objdump(program):
    table = {}
    out = subprocess.run(['objdump', '-d', '-M', 'intel', '-w',
                          '--no-show-raw-insn', program],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in out.splitlines():
        match = re.match(r' *([0-9a-f]+):\t(.+)', line)
        if match:
            table[int(match.group(1), 16)] = match.group(2).split('#')[0]
    return table


def main():
    program, report = sys.argv[1:]
    executed = collections.Counter(
        int(line[3:].split(',')[0], 16) for line in sys.stdin
        if line.startswith('I'))
    with open(report) as file:
        mix = json.load(file)['analyses']['mix']
    ours, want = collections.Counter(), collections.Counter()
    for row in mix['classes']:
        ours[row['name']] += row['count']
    table = read_objdump(program)
    for address, times in executed.items():
        want[class_of(table[address]).upper()] += times
    print(f'# {len(want)} classes, {sum(want.values())} instructions')
    for name in sorted(set(ours) | set(want)):
        if ours[name] != want[name]:
            print(f'{name}: got {ours[name]}, objdump has {want[name]}')
    return len(want) < 30 or ours != want


sys.exit(main())
