#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""comments.py - finds names in comments of C files that the code does not have

comments.py FILE...

Prints a line for each of these:
- a kernel-doc comment that names another function than the one below it;
- a function, NAME(), that no FILE has;
- a parameter, @NAME, that no declaration of the paragraph has in which the
  comment stands or which follows it;
- a line of a comment in a .c or .h file that has more than 80 columns, with tab
  stops at every 8.
"""

import re
import sys

# Functions of other projects: of the kernel, which has no C header for them,
# and of VEX, whose optimiser the files of these folders replace or repeat.
FOREIGN = {"sched_getattr", "sched_setattr"}
FOREIGN_IN = ("vgtool/vexopt/", "vgtool/translate/")

MAX_COLUMNS = 80

COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def documented(text, comment):
    """Return the code that a comment is about: the rest of its paragraph, with
    the lines before it if it stands behind code, or to the end of the braces
    that the paragraph opens; the whole file if it is the file's comment."""
    if re.match(r"/\*\n \* [\w-]+\.[chS] - ", comment.group(0)):
        return COMMENT.sub("", text)
    start = text.rfind("\n\n", 0, comment.start())
    begin_of_line = text.rfind("\n", 0, comment.start()) + 1
    own_line = not text[begin_of_line:comment.start()].strip()
    end = text.find("\n\n", comment.end())
    code = text[comment.end() if own_line else start:end]
    last = code.rstrip().rsplit("\n", 1)[-1]
    if "{" in code and "\n}" not in code and not last.startswith("}"):
        end = text.find("\n}", comment.end())
        code = text[comment.end() if own_line else start:end]
    return code


def long_lines(text, comment):
    """Return the numbers of the comment's lines that have more than MAX_COLUMNS
    columns, with the code before it, without what follows it."""
    begin_of_line = text.rfind("\n", 0, comment.start()) + 1
    lines = text[begin_of_line:comment.end()].split("\n")
    first = text.count("\n", 0, begin_of_line) + 1
    return [number for number, line in enumerate(lines, first)
            if len(line.expandtabs(8)) > MAX_COLUMNS]


def check(path, text, identifiers):
    for comment in COMMENT.finditer(text):
        words = STRING.sub('""', comment.group(0))
        line = text.count("\n", 0, comment.start()) + 1
        code = documented(text, comment)
        head = re.match(r"/\*\*\n \* (\w+)\(\) - ", words)
        if head and not re.search(r"\b%s\b" % head.group(1), code):
            yield line, "%s() is not what follows" % head.group(1)
        if not path.startswith(FOREIGN_IN):
            for name in re.findall(r"\b([a-z]\w*_\w+)\(\)", words):
                if name not in identifiers and name not in FOREIGN:
                    yield line, "there is no %s()" % name
        present = set(re.findall(r"\w+", code))
        for name in re.findall(r"(?<![\w@.])@([a-z_]\w*)", words):
            if name not in present:
                yield line, "there is no parameter %s" % name
        if path.endswith((".c", ".h")):
            for number in long_lines(text, comment):
                yield number, "more than %d columns" % MAX_COLUMNS


def main():
    texts = {path: open(path).read() for path in sys.argv[1:]}
    identifiers = set()
    for text in texts.values():
        identifiers.update(re.findall(r"\w+", COMMENT.sub("", text)))
    for path, text in texts.items():
        for line, message in check(path, text, identifiers):
            print("%s:%d: %s" % (path, line, message))


main()
