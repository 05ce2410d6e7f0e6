# SPDX-License-Identifier: GPL-2.0-or-later
"""inputs.py - the files that the benchmarks read, the same on every machine

Only Random.random() and getrandbits() are used: Python promises that their
sequence for a seed does not change."""
import hashlib
import itertools
import os
import random

LETTERS = 'etaoinshrdlucmfwypvbgkjqxz'


def pick(rng, things):
    """Zipf-like: the first of them most often."""
    return things[int(len(things) ** rng.random()) - 1]


def words(rng, n):
    return [''.join(pick(rng, LETTERS)
                    for _ in range(2 + int(rng.random() * 8)))
            for _ in range(n)]


def text(rng, vocabulary, size):
    out = []
    while size > 0:
        line = ' '.join(pick(rng, vocabulary) for _ in range(12)) + '.\n'
        out.append(line)
        size -= len(line)
    return ''.join(out).encode()


def records(rng, n):
    """16 bytes each: a counter, a value that drifts, four random bits."""
    value = 1 << 20
    for i in range(n):
        value += int(rng.random() * 64) - 32
        yield i.to_bytes(4, 'little') + value.to_bytes(8, 'little') + \
            rng.getrandbits(4).to_bytes(4, 'big')


def mixed(size):
    """Text, binary records, zeros and noise in turn: 10, 4, 1 and 1 of 16."""
    rng = random.Random(20)
    vocabulary = words(rng, 5000)
    part = min(max(size // 160, 160), 64000)
    pieces = itertools.cycle((
        lambda: text(rng, vocabulary, 10 * part)[:10 * part],
        lambda: b''.join(records(rng, part // 4)),
        lambda: bytes(part),
        lambda: rng.getrandbits(8 * part).to_bytes(part, 'little')))
    out = bytearray()
    while len(out) < size:
        out += next(pieces)()
    return bytes(out[:size])


def sql(rows):
    """Inserts in one transaction, an index, then queries of several kinds."""
    rng = random.Random(3)
    vocabulary = words(rng, 500)
    out = ['create table t(id integer primary key, name text, a int, b real);',
           'create table u(a int, title text);', 'begin;']
    for i in range(rows):
        out.append("insert into t values (%d, '%s %s', %d, %.4f);" % (
            i, pick(rng, vocabulary), pick(rng, vocabulary),
            int(rng.random() * 1000), rng.random()))
    for i in range(1000):
        out.append("insert into u values (%d, '%s');" % (
            i, pick(rng, vocabulary)))
    out += ['commit;', 'create index t_a on t(a);',
            'select count(*), sum(b) > 0, min(name), max(name) from t;',
            'select a, count(*) from t group by a order by 2 desc, 1 limit 9;',
            "select count(*) from t where name like '%ta%';",
            'select u.title, count(*) from t join u using (a)'
            ' group by u.title order by 2 desc, 1 limit 9;',
            'update t set b = b * 2 where a < 100;',
            'delete from t where a between 500 and 600;',
            'select count(*), sum(a) from t;']
    return ('\n'.join(out) + '\n').encode()


def keep(path, make):
    """Writes what make() gives to path, where there is no such file yet."""
    if not os.path.exists(path):
        with open(path + '.new', 'wb') as file:
            file.write(make())
        os.rename(path + '.new', path)
    return path


def describe(path):
    with open(path, 'rb') as file:
        data = file.read()
    return {'file': os.path.basename(path), 'bytes': len(data),
            'sha256': hashlib.sha256(data).hexdigest()}
