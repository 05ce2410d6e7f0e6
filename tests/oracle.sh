# SPDX-License-Identifier: GPL-2.0-or-later
#
# oracle.sh - the same program under Alleria and under Valgrind's own tools
#
# Read after tap.sh. Everything runs in the folder $work, with one small
# environment: a byte more would move the program's stack. Programs that read
# /proc/self/maps (grep, diff, gawk) see the tool and differ between any two;
# they are left out, and awk is mawk. GNU sort is given -S: without it, the size
# of its buffer, and with it the count of instructions, depends on the free
# memory of the machine.

work=$tmp/work
mkdir -p "$work"
guests=$builddir/tests/guests

# alike COMMAND...
alike()
{
	(cd "$work" && exec env -i PATH="${PATH_OF_VALGRIND:-/usr/bin}:/usr/bin:/bin" \
		LC_ALL=C TZ=UTC HOME=/nonexistent \
		PERL_HASH_SEED=0 PYTHONHASHSEED=0 \
		XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" "$@")
}

if command -v valgrind >/dev/null; then
	PATH_OF_VALGRIND=$(dirname "$(command -v valgrind)")
else
	skip "no valgrind" "everything"
	done_testing
fi

# alleria OPTIONS... PROGRAM ARGS...; its messages and report go to $tmp/err
alleria()
{
	alike "$builddir/bin/alleria" run "$@" 2>"$tmp/err"
}

# Messages of Valgrind's tools go to a descriptor of their own: Python behaves
# otherwise when its standard error is not empty; and with --log-file a program
# would find descriptor 3 taken.

# lackey LOG PROGRAM ARGS...
lackey()
{
	log=$1
	shift
	alike valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$@" 9>"$log"
}

# cachegrind OUT OPTIONS... PROGRAM ARGS...
cachegrind()
{
	out=$1
	shift
	alike valgrind -q --tool=cachegrind --cache-sim=yes \
		--cachegrind-out-file="$out" --log-fd=9 "$@" 9>"$tmp/log" \
		2>"$tmp/err"
}

json()
{
	/usr/bin/python3 -S "$srcdir/tests/tools/report.py" "$@"
}

# Whether the analysis `count` has the counts that the run has. A modify is a
# read and a write of the run.
counts_as_run() # JSON
{
	# shellcheck disable=SC2046
	set -- $(json "$1" run.instructions run.reads run.writes run.modifies \
		analyses.count.instructions analyses.count.reads \
		analyses.count.writes analyses.count.modifies)
	[ "$*" = "$1 $2 $3 $4 $1 $2 $3 $4" ] && [ "$1" != - ]
}

compare_cachegrind()
{
	/usr/bin/python3 -S "$srcdir/tests/tools/cachegrind.py" "$@"
}

# explain FILE: shows it as TAP comments.
explain()
{
	head -n 20 "$1" | sed 's/^/# /'
}

# real_programs FUNCTION: calls FUNCTION NAME COMMAND... for each; standard
# input is to be $work/numbers.
real_programs()
{
	"$1" true true
	"$1" ls ls -lR tree
	if command -v mawk >/dev/null; then
		"$1" awk mawk '{ s += $1 * 2 } END { print s }'
	else
		skip "no mawk here" "awk"
	fi
	"$1" sed sed -e 's/1/one/g; 3d'
	"$1" sort sort -rn
	"$1" gzip gzip -c text
	"$1" bzip2 bzip2 -c numbers
	"$1" perl perl -e 'my %h; $h{$_ % 17} += $_ for 1 .. 300;
		print join ",", map { "$_=$h{$_}" } sort keys %h'
	"$1" sqlite3 sqlite3 :memory: 'create table t(a, b);
		insert into t values (1, 2), (3, 4), (5, 6);
		create index i on t(b);
		select sum(a * b) from t where b > 2;'
}

# avx needs AVX2, xsave needs xsave.
small_guests()
{
	for guest in strings cas x87 smc straddle unused; do
		"$1" "$guest" "$guests/$guest"
	done
	if grep -qw avx2 /proc/cpuinfo; then
		"$1" avx "$guests/avx"
	else
		skip "no AVX2 here" "avx"
	fi
	if grep -qw xsave /proc/cpuinfo; then
		"$1" xsave "$guests/xsave"
	else
		skip "no xsave here" "xsave"
	fi
}

# make_objects: $work/first.so and other.so, for the guest that loads them
make_objects()
{
	for name in first other; do
		${CC:-cc} -O1 -g -shared -fPIC -Wl,-soname,$name.so \
			-o "$work/$name.so" -x c - <<-EOF
			static volatile long n;
			void run(void);
			static __attribute__((noinline)) void in_$name(void)
			{
				for (n = 1000; n > 0; n--)
					;
			}
			void run(void)
			{
				in_$name();
			}
		EOF
	done
}

mkdir -p "$work/tree/a/b" "$work/tree/c"
for i in 1 2 3 4 5; do
	echo "$i" >"$work/tree/a/$i"
	echo "$i$i" >"$work/tree/a/b/$i"
done
seq 1 200 >"$work/numbers"
awk 'BEGIN { for (i = 0; i < 120; i++)
	printf "line %d of a text, %d words\n", i, i * i % 23 }' >"$work/text"
find "$work/tree" -exec touch -d '2020-01-02 03:04:05' {} +
touch -d '2020-01-02 03:04:05' "$work/text" "$work/numbers"

# Whether programs of other makers can load the library: not with a sanitizer.
loads_elsewhere()
{
	! nm -D "$builddir/liballeria/liballeria.so.0" | grep -qE '__(asan|tsan|ubsan)_'
}
