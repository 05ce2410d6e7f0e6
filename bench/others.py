# SPDX-License-Identifier: GPL-2.0-or-later
"""others.py - programs that nothing was tuned for: compressors, interpreters, a
C++ compiler

They tell whether what was gained on the other workloads is gained anywhere."""
import sys
import zlib

import inputs

# Words, how often each comes, and some arithmetic.
AWK = ('{ for (i = 1; i <= NF; i++) { n[$i]++; letters += length($i) } } '
       'END { for (word in n) words++; print words, letters }')
PERL = ('while (<>) { for my $word (split) { $n{$word}++; '
        '$letters += length $word if $word =~ /[aeiou][b-f]+[aeiou]/ } } '
        'print scalar(keys %n), " $letters\\n"')
PYTHON = ('''import re, sys
count = {}
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
with open(sys.argv[1], encoding='latin-1') as file:
    for line in file:
        for word in line.split():
            count[word] = count.get(word, 0) + 1
print(len(count), fibonacci(18),
      len(re.findall('[aeiou][b-f]+', ''.join(count))))
''')
CXX = '''#include <%s>
#include <string>
#include <iostream>
int main(int, char **argv)
{
	std::string name = argv[0];
#ifdef SEARCH
	std::cout << std::regex_search(name, std::regex("a(b|c)*d"));
#endif
	std::cout << name;
}
'''

# Words of each command before the file name.
COMMANDS = {
    'xz': ['xz', '-c', '-T1'],
    'zstd': ['zstd', '-q', '-c', '-9', '--single-thread'],
    'gzip': ['gzip', '-c', '-9'],
    'mawk': ['mawk', AWK],
    'perl': ['perl', '-e', PERL],
    # Not by name: that may be a script which looks for the real one.
    'python3': [sys.executable, '-c', PYTHON],
    'g++': ['g++', '-O1', '-S', '-o', '-'],
}
SIZES = {
    'full': {'xz': 3000000, 'zstd': 10000000, 'gzip': 5000000,
             'mawk': 12000000, 'perl': 5000000, 'python3': 5000000,
             'g++': 'regex'},
    'small': {'xz': 300000, 'zstd': 1000000, 'gzip': 500000,
              'mawk': 1200000, 'perl': 500000, 'python3': 500000,
              'g++': 'map'},
    'tiny': {'xz': 1000, 'zstd': 1000, 'gzip': 1000, 'mawk': 1000,
             'perl': 1000, 'python3': 1000, 'g++': 'cstddef'},
}
TOOLS = ('none', 'alleria', 'cachegrind')


def workload(name, size, use):
    """Of @size bytes; g++ compiles with a header of that name. @use keeps a
    file."""
    if name == 'g++':
        text = CXX % size
        file = use('header-%08x.cc' % zlib.crc32(text.encode()),
                   text.encode)
        search = ['-DSEARCH'] if size == 'regex' else []
        return [*COMMANDS[name], *search, file], '/dev/null', True
    file = use('mixed-%d' % size, lambda: inputs.mixed(size))
    return [*COMMANDS[name], file], '/dev/null', False
