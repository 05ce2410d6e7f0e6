# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - draws the ratios of a CSV file as SVG

  plot.py ratios.csv >../doc/ratios.svg

Each row of the file is a ratio of two tools' wall times on one workload. Current
rows are those with the date and the machine of the last one. The plot has a row
for each of their workloads and shows ratios to Cachegrind: current ones as filled
marks, others as hollow ones."""
import csv
import html
import math
import sys

LEFT, TOP, WIDTH, STEP = 90, 66, 560, 26  # [px]
LIMIT = 1.6                               # largest ratio on the axis
OVER = 'cachegrind'
# Tool, its colour, its name in the legend.
TOOLS = (('none', '#888888', '--tool=none'),
         ('alleria-none', '#1f77b4', '--analyze=none'),
         ('alleria', '#d62728', 'live caches'),
         ('alleria-record', '#2ca02c', 'recording a profile'))


def read(path):
    """Return the rows over Cachegrind."""
    with open(path, newline='') as file:
        return [row for row in csv.DictReader(file) if row['over'] == OVER]


def mark(x, y, colour, is_filled, title):
    """Return a circle with a tooltip."""
    return ('<circle cx="%.1f" cy="%.1f" r="4" fill="%s" stroke="%s">'
            '<title>%s</title></circle>' % (
                x, y, colour if is_filled else 'none', colour,
                html.escape(title)))


def text(x, y, words, anchor='start', colour='#222'):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>' % (
        x, y, anchor, colour, html.escape(words))


def line(x1, y1, x2, y2, colour):
    return '<path d="M%.1f %.1fL%.1f %.1f" stroke="%s"/>' % (
        x1, y1, x2, y2, colour)


def position(ratio):
    """Return the abscissa of a ratio; the axis is logarithmic from 0.1 on."""
    share = math.log(max(ratio, 0.1) / 0.1) / math.log(LIMIT / 0.1)
    return LEFT + WIDTH * min(share, 1)


def draw_axis(height):
    """Yield the vertical lines and their numbers."""
    for ratio in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5):
        x = position(ratio)
        yield line(x, TOP - 8, x, height - 24,
                   '#666' if ratio == 1 else '#ddd')
        yield text(x, height - 8, '%g' % ratio, 'middle')


def draw_legend():
    x = LEFT
    for _, colour, label in TOOLS:
        yield mark(x, 40, colour, True, label)
        yield text(x + 8, 44, label)
        x += 24 + 6.6 * len(label)


def is_current(row, rows):
    return all(row[key] == rows[-1][key] for key in ('date', 'machine'))


def draw_workload(name, y, rows):
    """Yield the marks of a workload, current ones last, so that they cover
    the others."""
    yield text(LEFT - 12, y + 4, name, 'end')
    yield line(LEFT, y, LEFT + WIDTH, y, '#eee')
    for row in sorted((row for row in rows if row['workload'] == name),
                      key=lambda row: is_current(row, rows)):
        for offset, (tool, colour, _) in enumerate(TOOLS):
            if row['tool'] != tool:
                continue
            yield mark(position(float(row['ratio'])), y - 4.5 + 3 * offset,
                       colour, is_current(row, rows),
                       '%(tool)s / %(over)s %(ratio)s, %(workload)s, '
                       '%(date)s, %(machine)s' % row)


def draw(rows):
    """Yield the elements of the picture."""
    names = list(dict.fromkeys(row['workload'] for row in rows
                               if is_current(row, rows)))
    height = TOP + STEP * len(names) + 30
    yield ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
           'font-family="sans-serif" font-size="12">' % (
               LEFT + WIDTH + 20, height))
    yield '<rect width="100%" height="100%" fill="#fff"/>'
    yield text(LEFT - 4, 20, 'Wall time, Cachegrind = 1 (%s; hollow: earlier '
               'dates, other machines)' % rows[-1]['date'])
    yield from draw_legend()
    yield from draw_axis(height)
    for number, name in enumerate(names):
        yield from draw_workload(name, TOP + STEP * (number + 0.5), rows)
    yield '</svg>'


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: plot.py FILE.csv')
    rows = read(sys.argv[1])
    if not rows:
        sys.exit('plot.py: %s: no ratio to %s' % (sys.argv[1], OVER))
    print('\n'.join(draw(rows)))


if __name__ == '__main__':
    main()
