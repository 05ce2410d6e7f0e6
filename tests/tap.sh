# SPDX-License-Identifier: GPL-2.0-or-later
#
# tap.sh - results of a shell test, in the Test Anything Protocol
#
# Read by every .test: . "$srcdir/tests/tap.sh". $srcdir and $builddir come
# from make; by hand, set them first. $tmp is an empty folder that is removed
# at the end; the runtime directory of daemons lies in it.

: "${srcdir:?source root}" "${builddir:?build root}"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/alleria-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
mkdir -m 700 "$tmp/runtime"
XDG_RUNTIME_DIR=$tmp/runtime
LC_ALL=C
unset COLUMNS
export XDG_RUNTIME_DIR LC_ALL tmp
tap_n=0
tap_failed=0

# ok STATUS FACT: FACT holds when STATUS is 0; usually ok $? "...".
ok()
{
	tap_n=$((tap_n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_n - $2"
	else
		echo "not ok $tap_n - $2"
		tap_failed=$((tap_failed + 1))
	fi
	return "$1"
}

# is GOT WANT FACT: FACT holds when the strings are equal.
is()
{
	[ "$1" = "$2" ]
	ok $? "$3" || {
		printf '%s\n' "$1" | sed 's/^/# got  /'
		printf '%s\n' "$2" | sed 's/^/# want /'
		return 1
	}
}

# none FACT: FACT holds when the file $tmp/bad, a list of offenders, is empty.
none()
{
	[ ! -s "$tmp/bad" ]
	ok $? "$1" || {
		sort -u "$tmp/bad" | sed 's/^/# /'
		return 1
	}
}

# skip WHY FACT: FACT cannot be tested here.
skip()
{
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $2 # SKIP $1"
}

# has_cxx: whether the C compiler's command compiles C++, too.
has_cxx()
{
	echo 'int x;' | ${CC:-cc} -x c++ -std=c++11 -fsyntax-only - 2>/dev/null
}

# done_testing: the last command of a test.
done_testing()
{
	echo "1..$tap_n"
	[ "$tap_failed" -eq 0 ]
	exit
}
