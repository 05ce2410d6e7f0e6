/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feeder.c - plays a dump to a daemon and measures the daemon
 *
 * Threads: main. The players are processes, forked before other threads start.
 *
 * The daemon is the unchanged code of alleriad. It runs in this process or,
 * with --socket, in another. The measured time begins when all players have
 * filled their rings, and ends when all their chunks have been analysed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzers/cache/parallel/partitions.h"
#include "base/text/number.h"
#include "bench/figures.h"
#include "bench/play.h"
#include "daemon/client/state.h"
#include "daemon/core/clock.h"
#include "daemon/daemon.h"
#include "lib/config/options.h"
#include "proto/ring.h"

enum {
	WRONG_USAGE = 2,
	MAX_STREAMS = 1024,
	STOP_MS = 60000,
	LOOK_MS = 20,
	MAX_LOOKS = 250
};

static const char help[] =
	"usage: feeder [options] DUMP\n"
	"\n"
	"Plays a ring stream that bench/recorder has dumped to a daemon, and\n"
	"prints how fast that was.\n"
	"\n"
	"  --streams=N      so many at once [1]\n"
	"  --repeat=N       each so many times over [1]\n"
	"  --rate=SIZE      of units per second and stream [as fast as it "
	"goes]\n"
	"  --ring=N         buffers in a ring, written again and again as a "
	"tool does\n"
	"                   [as many as the dump has: each is written once]\n"
	"  --socket=PATH    of an alleriad [the daemon is inside]\n"
	"  --still          sets never change hands, whatever it costs\n"
	"  --json=FILE      the figures, and the daemon's report\n"
	"  --help\n"
	"\n"
	"The options of alleriad are for the daemon inside.\n"
	"\n";

/* The linker replaces calls of an_partitions_begin_chunk_is_rebalanced() by
   calls of its __wrap_ function below (-Wl,--wrap); __real_ is the replaced
   one. */
__typeof__(an_partitions_begin_chunk_is_rebalanced)
	__real_an_partitions_begin_chunk_is_rebalanced,
	__wrap_an_partitions_begin_chunk_is_rebalanced;

static bool still; /* --still was given; constant once threads run */

/* Call the replaced function and return its result. With --still, first set
   the count of chunks to 0: then the function does not compare the loads of the
   partitions, and no cache set moves to another one. */
bool __wrap_an_partitions_begin_chunk_is_rebalanced(struct an_partitions *p,
						    unsigned lane)
{
	if (still)
		p->chunks = 0;
	return __real_an_partitions_begin_chunk_is_rebalanced(p, lane);
}

struct arguments {
	struct play play;
	uint64_t streams, ring;
	const char *dump, *json;
	bool help;
	struct al_options *options;
	struct al_settings settings;
	char message[AL_MESSAGE];
};

struct player {
	pid_t pid;
	int channel;
};

static int parse_feeder_option(struct arguments *a, const char *arg)
{
	struct {
		const char *name;
		const char **text; /* receives the value; NULL: @number does */
		uint64_t *number;
	} own[] = {
		{"--streams=", NULL, &a->streams},
		{"--repeat=", NULL, &a->play.repeat},
		{"--rate=", NULL, &a->play.rate},
		{"--ring=", NULL, &a->ring},
		{"--socket=", &a->play.socket, NULL},
		{"--json=", &a->json, NULL},
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		size_t n = strlen(own[i].name);

		if (strncmp(arg, own[i].name, n))
			continue;
		if (own[i].text) {
			*own[i].text = arg + n;
			return 1;
		}
		if (!al_size_parse_optional_kmg(arg + n, own[i].number) &&
		    *own[i].number)
			return 1;
		snprintf(a->message, AL_MESSAGE,
			 "'%.100s': not a number from 1", arg);
		return -1;
	}
	return 0;
}

static int parse_argument(struct arguments *a, const char *arg)
{
	int rc;

	if (!strcmp(arg, "--help")) {
		a->help = true;
		return 0;
	}
	if (!strcmp(arg, "--still")) {
		still = true;
		return 0;
	}
	if (arg[0] != '-' && !a->dump) {
		a->dump = arg;
		return 0;
	}
	rc = parse_feeder_option(a, arg);
	if (!rc)
		rc = al_options_try_parse_argument(a->options, arg, a->message);
	if (!rc)
		snprintf(a->message, AL_MESSAGE, "'%.100s': unknown", arg);
	return rc == 1 ? 0 : -1;
}

static int parse_and_check_arguments(struct arguments *a, int argc, char **argv)
{
	const struct al_settings *s;
	int i;

	for (i = 1; i < argc; i++)
		if (parse_argument(a, argv[i]))
			return -1;
	if (a->help)
		return 0;
	if (!a->dump || a->streams > MAX_STREAMS || a->ring > PT_MAX_CHUNKS) {
		snprintf(a->message, AL_MESSAGE,
			 "give one DUMP, at most %d streams, rings of at most "
			 "%d",
			 MAX_STREAMS, PT_MAX_CHUNKS);
		return -1;
	}
	s = al_options_finish(a->options, a->message);
	if (!s)
		return -1;
	a->settings = *s;
	return 0;
}

/* Set the number of chunks of a ring: --ring, else as many as the dump has,
   within 2..PT_MAX_CHUNKS; set their size to that of the dump's chunks, and
   lift the limit of memory. */
static void set_ring_size_for_dump(struct arguments *a, const struct dump *d)
{
	uint64_t n = a->ring ? a->ring : d->n_chunks;

	n = n < 2 ? 2 : n > PT_MAX_CHUNKS ? PT_MAX_CHUNKS : n;
	a->settings.chunks = (unsigned)n;
	a->settings.chunk_bytes = d->head.chunk_bytes;
	a->settings.memory = SIZE_MAX;
}

static int fork_player_with_channel(struct player *all, size_t index,
				    const struct play *p)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	all[index].pid = fork();
	if (all[index].pid) {
		close(ends[1]);
		all[index].channel = ends[0];
		return all[index].pid < 0 ? -1 : 0;
	}
	/* In the child: close the parent's ends of channels. A player ends when
	   each copy of the other end of its channel is closed. */
	for (size_t k = 0; k < index; k++)
		close(all[k].channel);
	close(ends[0]);
	_exit(play(p, ends[1]) ? 1 : 0);
}

static int send_signal_to_all_players(const struct player *all, size_t n,
				      enum play_signal signal)
{
	char c = (char)signal;

	for (size_t i = 0; i < n; i++)
		if (send(all[i].channel, &c, 1, MSG_NOSIGNAL) != 1)
			return -1;
	return 0;
}

static int receive_signal_from_all_players(const struct player *all, size_t n,
					   enum play_signal signal)
{
	char c;

	for (size_t i = 0; i < n; i++)
		if (read(all[i].channel, &c, 1) != 1 || c != (char)signal)
			return -1;
	return 0;
}

static uint64_t process_cpu_time_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) *
		       DM_SECOND +
	       ((uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec) *
		       1000;
}

/* Wait until this process uses at most 1 ms of CPU time in LOOK_MS, but for at
   most MAX_LOOKS * LOOK_MS ms: the daemon reads symbols before the chunks, and
   that time is not to be measured. */
static void wait_until_process_is_idle(void)
{
	const struct timespec look = {.tv_nsec = LOOK_MS * DM_MS};
	uint64_t before;
	unsigned looks = MAX_LOOKS;

	do {
		before = process_cpu_time_ns();
		nanosleep(&look, NULL);
	} while (process_cpu_time_ns() - before > DM_MS && --looks);
}

/* Add the present wall-clock time, the CPU time of this process, and the busy
   and idle time of the workers of @d (unless NULL), each times @sign (1 or
   -1), to @f. Two calls, with -1 and then 1, give the times between them. */
static void add_signed_clock_times(struct figures *f, struct dm_daemon *d,
				   uint64_t sign)
{
	uint64_t busy = 0, idle = 0;

	if (d)
		dm_workers_sum_times_return_now_ns(&d->workers, &busy, &idle);
	f->wall_ns += sign * dm_now_ns();
	f->cpu_ns += sign * process_cpu_time_ns();
	f->busy_ns += sign * busy;
	f->idle_ns += sign * idle;
}

static int run_players_and_time_them(const struct player *all, size_t n,
				     struct dm_daemon *d, struct figures *f)
{
	if (send_signal_to_all_players(all, n, PLAY_CONNECT) ||
	    receive_signal_from_all_players(all, n, PLAY_READY))
		return -1;
	wait_until_process_is_idle();
	add_signed_clock_times(f, d, (uint64_t)-1);
	if (send_signal_to_all_players(all, n, PLAY_GO) ||
	    receive_signal_from_all_players(all, n, PLAY_DONE))
		return -1;
	add_signed_clock_times(f, d, 1);
	return send_signal_to_all_players(all, n, PLAY_LEAVE);
}

/* Close the channels of the players and wait until all have ended. Return
   whether all of them exited with status 0. */
static bool wait_players_end_is_success(struct player *all, size_t n)
{
	bool well = true;
	int status;

	for (size_t i = 0; i < n; i++) {
		close(all[i].channel);
		well &= waitpid(all[i].pid, &status, 0) == all[i].pid &&
			status == 0;
	}
	return well;
}

static struct dm_daemon *start_daemon_or_print_error(const struct arguments *a)
{
	struct dm_options o = {.socket = a->play.socket};
	char message[AL_MESSAGE];
	struct dm_daemon *d = dm_daemon_start(&a->settings, &o, message);

	if (!d)
		fprintf(stderr, "feeder: %s\n", message);
	return d;
}

/* Wait until the clients of the daemon have ended, and store the daemon's
   figures in @f. Return 0; -1, with a message, if the recording is not
   complete. */
static int wait_clients_end_store_daemon_figures(struct figures *f,
						 struct dm_daemon *d)
{
	bool complete = dm_daemon_wait_clients_end_saved(d, STOP_MS) &&
			dm_daemon_is_run_complete(d);

	pthread_mutex_lock(&d->lock);
	dm_daemon_store_times_in_run(d);
	pthread_mutex_unlock(&d->lock);
	f->workers = d->settings->workers;
	f->run = d->run;
	if (!complete)
		fprintf(stderr, "feeder: the recording is not complete\n");
	return complete ? 0 : -1;
}

static int run_daemon_and_players_print_figures(struct arguments *a,
						struct figures *f)
{
	struct player all[MAX_STREAMS];
	struct dm_daemon *d = NULL;
	char socket[DM_PATH], name[32];
	bool inside = !a->play.socket;
	size_t n = 0;
	int err = 0;

	snprintf(name, sizeof(name), "feed-%d.sock", (int)getpid());
	if (inside &&
	    dm_runtime_build_socket_path_create_dir(name, socket, a->message)) {
		fprintf(stderr, "feeder: %s\n", a->message);
		return -1;
	}
	if (inside)
		a->play.socket = socket;
	while (!err && n < a->streams)
		err = fork_player_with_channel(all, n++, &a->play);
	if (!err && inside)
		err = (d = start_daemon_or_print_error(a)) ? 0 : -1;
	if (!err)
		err = run_players_and_time_them(all, n, d, f);
	err = wait_players_end_is_success(all, n) && !err ? 0 : -1;
	if (!err && d)
		err = wait_clients_end_store_daemon_figures(f, d);
	if (!err)
		err = figures_print_and_write_json(f, stdout, a->json);
	if (d)
		dm_daemon_stop_and_free(d);
	return err;
}

int main(int argc, char **argv)
{
	struct arguments a = {
		.streams = 1, .play.repeat = 1, .options = al_options_new()};
	struct dump dump = {.file = NULL};
	struct figures f = {.dump = &dump};
	int status = WRONG_USAGE;

	if (!a.options || parse_and_check_arguments(&a, argc, argv) ||
	    (!a.help && dump_read(&dump, a.dump, a.message))) {
		fprintf(stderr, "feeder: %s\n", a.message);
	} else if (a.help) {
		fputs(help, stdout);
		al_options_print_help(stdout, AL_HELP_FOR_RUN);
		status = 0;
	} else {
		a.play.dump = &dump;
		set_ring_size_for_dump(&a, &dump);
		f.chunks = a.streams * a.play.repeat * dump.n_chunks;
		f.bytes = a.streams * a.play.repeat * dump.bytes;
		f.streams = a.streams;
		status = run_daemon_and_players_print_figures(&a, &f) ? 1 : 0;
	}
	dump_release(&dump);
	al_options_free(a.options);
	return status;
}
