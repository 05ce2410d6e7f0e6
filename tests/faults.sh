# SPDX-License-Identifier: GPL-2.0-or-later
#
# faults.sh - disturbing programs and daemons at known points
#
# Read after oracle.sh. The program is steady.S, whose counts are known; the
# test lets it go on. Everything that is waited for has a limit.

alleriad=$builddir/bin/alleriad
tool=../../../../../../../../../..$builddir/libexec/alleria
runtime=$XDG_RUNTIME_DIR/alleria
LIMIT=${LIMIT:-60} # [s] for what takes a second at most
started=

# Nothing outlives the test; private daemons are known by their socket.
sweep()
{
	# shellcheck disable=SC2086
	[ -z "$started" ] || kill -9 $started
	pkill -9 -f -- "--socket=$tmp/"
	rm -rf "$tmp"
} 2>/dev/null
trap sweep EXIT

if [ ! -x "$builddir/libexec/alleria-amd64-linux" ]; then
	skip "no Valgrind tool" "everything"
	done_testing
fi

# wait_until COMMAND...: polls until it succeeds; fails after $LIMIT seconds.
wait_until()
{
	tries=$((LIMIT * 25))
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.04
	done
}

# Is dead, or a zombie of ours.
is_over()
{
	! grep -q '^State:[[:space:]]*[A-WYa-z]' "/proc/$1/status" 2>/dev/null
}

# Waits long enough in the daemon's favour: asleep at ten looks in a row.
sleeps()
{
	for look in 1 2 3 4 5 6 7 8 9 10; do
		grep -q '^State:[[:space:]]*S' "/proc/$1/status" || return 1
		sleep 0.01
	done
}

is_stopped()
{
	grep -q '^State:[[:space:]]*T' "/proc/$1/status"
}

# ends PID: its status is left in $status; 1000 when it does not end.
ends()
{
	status=1000
	wait_until is_over "$1" || return 1
	wait "$1" 2>/dev/null
	status=$?
}

# only_in_background COMMAND...: as alike(), but $! is the command itself, no
# signal is ignored, as SIGHUP is under nohup, and with what $extra adds to its
# environment.
extra=
only_in_background()
{
	cd "$work" || exit 99
	# shellcheck disable=SC2086
	exec env --default-signal=HUP,INT,QUIT,USR1,USR2,ALRM -i $extra PATH="${PATH_OF_VALGRIND:-/usr/bin}:/usr/bin:/bin" \
		LC_ALL=C XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" "$@" 8>&-
}

# start_daemon OPTIONS...: a public one, its pid in $daemon; report and
# messages in $tmp/daemon.err
start_daemon()
{
	: >"$tmp/daemon.err"
	only_in_background "$alleriad" "$@" >"$tmp/daemon.out" \
		2>"$tmp/daemon.err" &
	daemon=$!
	started="$started $daemon"
	wait_until grep -q listening "$tmp/daemon.err"
}

# stop_daemon: its report is out when this returns.
stop_daemon()
{
	kill "$daemon"
	ends "$daemon"
}

# start_program COMMAND...: in the background, its pid in $program, what it
# writes in $tmp/out and $tmp/err. It reads from a pipe that let_go() feeds.
start_program()
{
	[ -p "$tmp/go" ] || mkfifo "$tmp/go"
	exec 8<>"$tmp/go"
	: >"$tmp/out"
	only_in_background "$@" <"$tmp/go" >"$tmp/out" 2>"$tmp/err" &
	program=$!
	started="$started $program"
}

# start_steady LETTER OPTIONS...: under the tool alone
start_steady()
{
	letter=$1
	shift
	start_program valgrind -q --tool="$tool" "$@" "$guests/steady" "$letter"
}

# run_steady LETTER OPTIONS...: under `alleria run`
run_steady()
{
	letter=$1
	shift
	start_program "$builddir/bin/alleria" run "$@" "$guests/steady" \
		"$letter"
}

is_ready()
{
	wait_until grep -q ready "$tmp/out"
}

let_go()
{
	echo >&8
}

# The private daemon of $program.
find_private()
{
	pgrep -f -- "--socket=$runtime/private-$program.sock"
}

# rounds LETTER: N of steady.S
rounds()
{
	echo $((1024 << $(($(printf %d "'$1") - 97))))
}

at_read() # LETTER
{
	n=$(rounds "$1")
	echo "$((16 + 4 * n)) $((2 + n)) $((2 * n)) $n"
}

at_end() # LETTER
{
	n=$(rounds "$1")
	echo "$((25 + 8 * n)) $((2 + 2 * n)) $((4 * n)) $((2 * n))"
}

# counted JSON: instructions, reads, writes, modifies
counted()
{
	json "$1" run.instructions run.reads run.writes run.modifies | xargs
}

# is_plausible JSON: of a steady killed in its first half, at any time: rounds
# of four instructions, two of them with an access, a modify and a store
is_plausible()
{
	counted "$1" | {
		read -r i r w m
		[ "$i" -lt 20 ] && exit 0
		[ "$w" -ge "$((2 * m - 1))" ] && [ "$w" -le "$((2 * m))" ] &&
			[ "$r" -eq "$((m + 2))" ] &&
			[ "$i" -ge "$((4 * m + 2))" ] &&
			[ "$i" -le "$((4 * m + 16))" ]
	}
}

# ended JSON: how
ended()
{
	json "$1" run.processes.0.exit run.status run.reason |
		tr -d '"{}' | xargs
}

# undisturbed FACT: the program did what it does without us.
undisturbed()
{
	is "$status $(xargs <"$tmp/out")" "7 ready done" \
		"$1: the program's output and status" || explain "$tmp/err"
}

# said_once FACT: that the daemon is gone, in one line and nothing else.
said_once()
{
	is "$(grep -c . "$tmp/err") $(grep -o 'alleria: the daemon is gone' \
		"$tmp/err")" "1 alleria: the daemon is gone" \
		"$1: said once" || explain "$tmp/err"
}

# nothing_left FACT: no process, no socket, no link
nothing_left()
{
	{
		find "$runtime" -mindepth 1
		pgrep -af -- "$tmp/"
	} >"$tmp/bad" 2>/dev/null
	none "$1: nothing is left behind"
}
