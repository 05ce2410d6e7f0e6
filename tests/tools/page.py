#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page - read and check a page of alleria report

    page.py data PAGE              print the data, as one JSON value
    page.py whole PAGE JSON        all rows of the report are in the data
    page.py others PAGE JSON       the rows and the others add up to the report's
    page.py static PAGE JSON       the parts without script have the report's numbers
    page.py diff PAGE JSON         the comparison is in the data, and its totals are
                                   in the page without script
    page.py safe PAGE              well-formed, loads nothing, policy by hashes
    page.py hostile PAGE JSON      no hostile name is markup
    page.py sources PAGE           source lines are those of the files
    page.py sizes PAGE             print bytes of code and of packed data

Prints each error; if there is one, the status is 1.
"""
import base64
import gzip
import hashlib
import html.parser
import json
import re
import sys

VOID = {'meta', 'br', 'img', 'input', 'link', 'hr'}
CODE = re.compile(r'<(style|script)>(.*?)</\1>', re.S)
DATA = re.compile(r'<script type="application/octet-stream" id=data>'
                  r'([A-Za-z0-9+/=]*)</script>')
bad = []


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return file.read()


def packed(page):
    return base64.b64decode(DATA.search(page).group(1), validate=True)


def data_of(page):
    return json.loads(gzip.decompress(packed(page)))


def expand(value):
    """Returns a value with tables as lists of objects."""
    if isinstance(value, list):
        return [expand(v) for v in value]
    if not isinstance(value, dict):
        return value
    if '@list' in value:
        return expand(value['@list'])
    if '@columns' not in value:
        return {k: expand(v) for k, v in value.items()}
    rows = [{} for _ in range(value['@rows'])]
    for key, column in value['@columns'].items():
        cells = column.get('value')
        if cells is None:
            cells = [None if i is None else value['@text'][i]
                     for i in column['text']]
        for row, cell in zip(rows, cells):
            if cell is not None:
                row[key] = cell
    return rows


def check_whole(page, report):
    if expand(data_of(page)['report']) != report:
        bad.append('the data are not the report')


def check_others(page, report):
    table = data_of(page)['report']['analyses']['cache']['functions']
    rows = expand(table)
    full = report['analyses']['cache']['functions']
    if table['@all'] != len(full) or len(rows) >= len(full):
        bad.append('%d of %d rows' % (len(rows), table['@all']))
    for key in [k for k, v in full[0].items() if isinstance(v, int)]:
        got = sum(r[key] for r in rows) + table['@others'][key]
        want = sum(r[key] for r in full)
        if got != want:
            bad.append('%s: %d, not %d' % (key, got, want))
    share = {}
    for key in table['@others']:
        total = sum(r[key] for r in full) or 1
        for r in full:
            share[r['name']] = max(share.get(r['name'], 0), r[key] / total)
    least = min(share[r['name']] for r in rows)
    kept = {r['name'] for r in rows}
    if max(v for n, v in share.items() if n not in kept) > least:
        bad.append('a row with a larger share was left out')


def flat(row):
    """Returns a row of a comparison with members a:EVENT and b:EVENT."""
    out = {}
    for key, value in row.items():
        if isinstance(value, dict):
            out.update({'a:' + key: value['a'], 'b:' + key: value['b']})
        elif value is not None:
            out[key] = value
    return out


def check_diff(page, diff):
    got = expand(data_of(page)['diff'])
    for key in ('functions', 'lines'):
        if got[key] != [flat(r) for r in diff[key]]:
            bad.append(key + ' are not those of the comparison')
    if got['totals'] != diff['totals']:
        bad.append('totals are not those of the comparison')
    shown = re.findall(r'data-diff="([ab]):(\w+)">(.*?)</td>', page)
    for side, event, cell in shown[:18]:
        number = re.sub(r'<[^>]*>', '', cell)
        if int(number) != diff['totals'][event][side]:
            bad.append('%s of %s: %s' % (event, side, number))
    if len(shown) < 18:
        bad.append('%d totals' % len(shown))


class Text(html.parser.HTMLParser):
    """Elements and texts of a page; checks that tags are closed in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.cells, self.texts = [], [], {}
        self.names, self.attributes = set(), []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]
        if tag in VOID:
            return
        self.open.append((tag, dict(attrs)))
        if 'data-level' in dict(attrs):
            self.cells.append([dict(attrs), ''])

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1][0] != tag:
            bad.append('</%s> closes %s' % (tag, self.open[-1:]))
        else:
            self.open.pop()

    def handle_data(self, text):
        if any('data-level' in a for _, a in self.open):
            self.cells[-1][1] += text
        section = next((a['id'] for t, a in self.open if t == 'section' and
                        'id' in a), None)
        self.texts[section] = self.texts.get(section, '') + text


def parse(page):
    text = Text()
    text.feed(DATA.sub('', CODE.sub('', page)))
    text.close()
    if text.open:
        bad.append('not closed: %s' % text.open)
    return text


def check_static(page, report):
    text = parse(page)
    got = sorted((a['data-level'], a['data-event'], int(a['data-value']),
                  int(shown)) for a, shown in text.cells)
    events = ('reads', 'read_misses', 'writes', 'write_misses', 'writebacks')
    want = sorted((level['name'], e, level[e], level[e])
                  for level in report['analyses']['cache']['levels']
                  for e in events)
    if got != want:
        bad.append('levels: %s, not %s' % (got, want))
    for sentence in report['verdict']:
        if sentence not in text.texts.get('verdict', ''):
            bad.append('no sentence: ' + sentence)
    for section in ('functions', 'lines', 'pipeline', 'glossary', 'again'):
        if not text.texts.get(section):
            bad.append('no section ' + section)


def check_safe(page, _):
    text = parse(page)
    for tag, key, value in text.attributes:
        if key in ('src', 'href', 'style', 'srcset') or key.startswith('on'):
            bad.append('<%s %s=%s>' % (tag, key, value))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    for kind, code in CODE.findall(page):
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest())
        wanted = "'sha256-%s'" % digest.decode()
        rule = next(r for r in policy.group(1).split('; ')
                    if r.startswith(kind + '-src'))
        if wanted not in rule:
            bad.append('the policy lacks the hash of a ' + kind)
    if len(CODE.findall(page)) != 3 or \
            "default-src 'none'" not in policy.group(1) or \
            'unsafe' in policy.group(1):
        bad.append('the policy is ' + policy.group(1))


def check_hostile(page, report):
    plain = DATA.sub('', CODE.sub('', page))
    for name in {f['name'] for f in report['analyses']['cache']['functions']}:
        if re.search(r'<[!/a-zA-Z]', name) and name in plain:
            bad.append('markup: ' + name)
    allowed = set('html head meta title style body div nav main noscript p '
                  'header h1 code strong section h2 ol li table thead tbody '
                  'tr th td i dl dt dd pre script small'.split())
    bad.extend('element ' + n for n in parse(page).names - allowed)


def check_sources(page, _):
    found = 0
    for source in data_of(page)['sources']:
        lines = read(source['path']).split('\n')
        for r in source['ranges']:
            for i, text in enumerate(r['text']):
                found += 1
                if lines[r['from'] - 1 + i] != text:
                    bad.append('%s:%d' % (source['path'], r['from'] + i))
    if found == 0:
        bad.append('no source lines')


def main():
    what, page = sys.argv[1], read(sys.argv[2])
    if what == 'data':
        print(json.dumps(data_of(page)))
    elif what == 'sizes':
        code = sum(len(c.encode()) for _, c in CODE.findall(page))
        print(code, len(packed(page)))
    else:
        report = json.loads(read(sys.argv[3])) if len(sys.argv) > 3 else None
        globals()['check_' + what](page, report)
    print('\n'.join(bad[:20]), end='\n' if bad else '')
    sys.exit(1 if bad else 0)


main()
