#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh - builds the fuzzer by clang and runs each target, or those named, for
# FUZZ_SECONDS; from the build directory, by make fuzz. What it finds lies in
# fuzz/found

set -e
cc=${FUZZ_CC:-clang-14}
seconds=${FUZZ_SECONDS:-60}
command -v "$cc" >/dev/null || {
	echo "fuzz: no $cc here" >&2
	exit 1
}
if [ -n "$(find "$srcdir" -name '*.h' -newer fuzz/obj 2>/dev/null)" ]; then
	rm -rf fuzz/obj
fi
mkdir -p fuzz/obj fuzz/found
flags="-std=gnu11 -D_GNU_SOURCE -I$srcdir -I$srcdir/include -I. -g -O1
	-DPACKAGE_VERSION=\"fuzz\" -DALLERIA_CACHEDIR=\"/nowhere\"
	-fsanitize=address,undefined -fno-sanitize-recover=undefined"
for f in $(find "$srcdir"/base "$srcdir"/proto "$srcdir"/profile \
	"$srcdir"/analyzers "$srcdir"/lib "$srcdir"/liballeria "$srcdir"/tests/fuzz \
	-name '*.c'); do
	case $f in
	*_test.c | */fuzz/replay.c) continue ;;
	esac
	o=fuzz/obj/$(echo "${f#"$srcdir"/}" | tr / -).o
	if [ ! "$o" -nt "$f" ]; then
		# shellcheck disable=SC2086
		"$cc" $flags -fsanitize=fuzzer-no-link $FUZZ_CFLAGS -c -o "$o" "$f"
	fi
	objects="$objects $o"
done
# shellcheck disable=SC2086
"$cc" -fsanitize=fuzzer,address,undefined -pthread -o fuzz/fuzz $objects $LIBS
for target in ${FUZZ_TARGETS:-code units records log cache file profile window plan calls}; do
	mkdir -p "fuzz/corpus/$target"
	echo "fuzz: $target, $seconds s"
	FUZZ=$target fuzz/fuzz -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
		-artifact_prefix="fuzz/found/$target-" -verbosity=0 \
		"fuzz/corpus/$target" "$srcdir/tests/fuzz/corpus/$target"
done
