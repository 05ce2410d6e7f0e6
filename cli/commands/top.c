/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.c - alleria top: shows the programs that a daemon records
 *
 * Threads: main.
 *
 * Rates are differences of two answers to `status`. Misses are those of a
 * report, which costs the daemon more, and is asked for less often.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/printable.h"
#include "base/text/yaml.h"
#include "daemon/control/control.h"
#include "daemon/core/runtime_dir.h"

enum {
	PERIOD_MS = 500,
	REPORT_PERIODS = 10, /* periods of the screen between two reports
				fetched from the daemon */
	MAX_PROGRAMS = 256,
	FIXED_COLUMNS = 61, /* of the table, left of the command */
	MIN_COMMAND = 8,    /* columns of a command, at least */
	MIN_COLUMNS = FIXED_COLUMNS + MIN_COMMAND,
	OTHER_ROWS = 4, /* of the screen: two of heads, "... more", keys */
	/* [bytes] of the text of a program's command line, or of the names of
	   its open windows, with the NUL */
	COMMAND = 256,
};

const char cl_top_help[] =
	"usage: alleria top [--socket=PATH | --pid=PID] [options]\n"
	"\n"
	"Shows the programs that a running daemon records: instructions and\n"
	"accesses per second, buffers that wait for analysis, misses so far, "
	"open\n"
	"windows. Writes nothing to the terminals of the programs.\n"
	"\n"
	"  --socket=PATH       socket of the daemon [that of alleriad]\n"
	"  --pid=PID           show the daemon that records this process\n"
	"  --once              print the table once, without terminal control\n"
	"  --json              print it once, as JSON\n"
	"  --help\n"
	"\n"
	"Keys: q quits, s changes the order: by accesses, by misses, by "
	"process id.\n";

enum order { BY_ACCESSES, BY_MISSES, BY_PID, N_ORDERS };

struct program {
	uint64_t pid, instructions, accesses, waiting;
	double instructions_rate, accesses_rate; /* [1/s] */
	uint64_t d1_misses, ll_misses;
	bool has_misses;
	char state[32];
	char command[COMMAND];
	char windows[COMMAND]; /* names of open windows, joined by spaces */
};

struct sample {
	struct program program[MAX_PROGRAMS];
	unsigned n;
	uint64_t elapsed_ns;
};

struct top {
	char socket[DM_PATH];
	bool is_once, is_json;
	enum order order;
	unsigned columns, rows; /* of the screen; 0: no limit */
	struct sample now, before;
	struct al_node *report; /* the daemon's last report, parsed; or NULL */
	char message[AL_MESSAGE];
};

/* ---- answers of the daemon ---- */

static uint64_t get_yaml_number_or_0(const struct al_node *map, const char *key)
{
	const struct al_node *node = al_yaml_get(map, key);
	uint64_t n = 0;

	if (node && node->text && al_number_parse_digits_only(node->text, &n))
		n = 0;
	return n;
}

/* Write the texts of the list that @map has under @key to @text_out, [COMMAND],
   separated by spaces and cut to fit. "" if there is no such list. */
static void join_yaml_list_by_spaces(const struct al_node *map, const char *key,
				     char *text_out)
{
	const struct al_node *list = al_yaml_get(map, key);
	size_t used = 0;

	text_out[0] = '\0';
	for (const struct al_node *n = list ? list->child : NULL; n;
	     n = n->next) {
		if (used + 1 < COMMAND)
			used += (size_t)snprintf(
				text_out + used, COMMAND - used, "%s%s",
				used ? " " : "", n->text ? n->text : "");
	}
}

/* Send a command to the daemon, and parse its answer as YAML. Return: the tree,
   for al_yaml_free_with_siblings(); NULL with the error in t->message, or with
   t->message "" if the daemon's answer is an error, which is printed to
   stderr. */
static struct al_node *
send_command_and_parse_answer(struct top *t, const char *const *command_words)
{
	int fd = memfd_create("alleria-top", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
	struct al_node *tree = NULL;
	char path[64];
	int rc;

	if (!f) {
		al_message_return_einval(t->message,
					 "cannot make a file in memory: %s",
					 strerror(errno));
		return NULL;
	}
	t->message[0] = '\0';
	rc = dm_control_send_command_print_answer(t->socket, command_words, f,
						  stderr, t->message);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (rc == 0 && !fflush(f))
		(void)al_yaml_read_json_report_with_max_bytes(path, &tree,
							      t->message);
	fclose(f);
	return tree;
}

static void parse_daemon_status_of_program(const struct al_node *node,
					   struct program *p)
{
	const struct al_node *state = al_yaml_get(node, "state");

	*p = (struct program){
		.pid = get_yaml_number_or_0(node, "pid"),
		.instructions = get_yaml_number_or_0(node, "instructions"),
		.accesses = get_yaml_number_or_0(node, "reads") +
			    get_yaml_number_or_0(node, "writes"),
		.waiting = get_yaml_number_or_0(node, "buffers_waiting"),
	};
	snprintf(p->state, sizeof(p->state), "%s",
		 state && state->text ? state->text : "");
	join_yaml_list_by_spaces(node, "command", p->command);
	join_yaml_list_by_spaces(node, "open", p->windows);
}

/* Compute the rates of @p since the previous sample; they stay 0 if its process
   is not in that sample. */
static void compute_program_rates(const struct top *t, struct program *p)
{
	double seconds =
		(double)(t->now.elapsed_ns - t->before.elapsed_ns) / 1e9;

	for (unsigned i = 0; i < t->before.n; i++) {
		const struct program *old = &t->before.program[i];

		if (old->pid != p->pid || seconds <= 0 ||
		    old->instructions > p->instructions)
			continue;
		p->instructions_rate =
			(double)(p->instructions - old->instructions) / seconds;
		p->accesses_rate =
			(double)(p->accesses - old->accesses) / seconds;
	}
}

static void set_misses_from_last_report(const struct top *t, struct program *p)
{
	const struct al_node *run_node =
		t->report ? al_yaml_get(t->report, "run") : NULL;
	const struct al_node *list =
		run_node ? al_yaml_get(run_node, "processes") : NULL;

	for (const struct al_node *n = list ? list->child : NULL; n;
	     n = n->next) {
		if (get_yaml_number_or_0(n, "pid") != p->pid ||
		    !al_yaml_get(n, "D1mr"))
			continue;
		p->has_misses = true;
		p->d1_misses = get_yaml_number_or_0(n, "D1mr") +
			       get_yaml_number_or_0(n, "D1mw");
		p->ll_misses = get_yaml_number_or_0(n, "DLmr") +
			       get_yaml_number_or_0(n, "DLmw");
	}
}

/* Move the last sample from t->now to t->before, ask the daemon for its
   programs, and store them in t->now. @fetch_report: also ask for a new report,
   with the misses, if there are programs. Return: 0; -EIO with t->message as
   send_command_and_parse_answer() sets it. */
static int fetch_daemon_sample_of_all_programs(struct top *t, bool fetch_report)
{
	static const char *const status[] = {"status", NULL};
	static const char *const report[] = {"report", "json", NULL};
	struct al_node *tree = send_command_and_parse_answer(t, status);
	const struct al_node *list;

	if (!tree)
		return -EIO;
	t->before = t->now;
	t->now.n = 0;
	t->now.elapsed_ns = get_yaml_number_or_0(tree, "elapsed_ns");
	list = al_yaml_get(tree, "programs");
	if (fetch_report && list && list->child) {
		al_yaml_free_with_siblings(t->report);
		t->report = send_command_and_parse_answer(t, report);
	}
	for (const struct al_node *n = list ? list->child : NULL;
	     n && t->now.n < MAX_PROGRAMS; n = n->next) {
		struct program *p = &t->now.program[t->now.n++];

		parse_daemon_status_of_program(n, p);
		compute_program_rates(t, p);
		set_misses_from_last_report(t, p);
	}
	al_yaml_free_with_siblings(tree);
	return 0;
}

/* ---- the table ---- */

static enum order sort_order;

static int compare_programs_by_sort_order(const void *a, const void *b)
{
	const struct program *p = a, *q = b;
	double d = q->accesses_rate - p->accesses_rate;

	if (sort_order == BY_MISSES)
		d = (double)q->d1_misses - (double)p->d1_misses;
	else if (sort_order == BY_PID)
		d = (double)p->pid - (double)q->pid;
	if (d == 0)
		return p->pid < q->pid ? -1 : 1;
	return d < 0 ? -1 : 1;
}

static void sort_programs_by_chosen_order(struct top *t)
{
	sort_order = t->order;
	qsort(t->now.program, t->now.n, sizeof(struct program),
	      compare_programs_by_sort_order);
}

static void print_miss_count_or_dash(bool are_misses_known, uint64_t miss_count)
{
	char text[AL_NUMBER_BYTES];

	printf(" %13s", are_misses_known
				? al_number_format_grouped(text, miss_count)
				: "-");
}

/* Print the command and the open windows of a program, "ls -l [roi]", in at
   most @columns characters: a command that does not fit ends in "...". 0: any
   number. */
static void print_command_and_windows(const struct program *p, size_t columns)
{
	char command[COMMAND], windows[COMMAND + sizeof(" []")] = "";
	size_t room = SIZE_MAX, command_room = SIZE_MAX, n;

	n = al_copy_unprintable_as_question_marks(command, sizeof(command),
						  p->command);
	if (*p->windows)
		snprintf(windows, sizeof(windows), " [%s]", p->windows);
	if (columns) {
		room = columns - MIN_COMMAND;
		if (strlen(windows) < room)
			room = strlen(windows);
		command_room = columns - room;
	}
	if (n > command_room) {
		al_copy_unprintable_as_question_marks(command, command_room - 2,
						      p->command);
		strcat(command, "...");
	}
	fputs(command, stdout);
	al_write_unprintable_as_question_marks(stdout, windows, room);
}

static void print_program_row(const struct program *p,
			      size_t terminal_width_or_0)
{
	printf("%8llu %8.1f %8.1f %4llu", (unsigned long long)p->pid,
	       p->instructions_rate / 1e6, p->accesses_rate / 1e6,
	       (unsigned long long)p->waiting);
	print_miss_count_or_dash(p->has_misses, p->d1_misses);
	print_miss_count_or_dash(p->has_misses, p->ll_misses);
	fputs("  ", stdout);
	print_command_and_windows(p, terminal_width_or_0 ? terminal_width_or_0 -
								   FIXED_COLUMNS
							 : 0);
}

/* Sort the programs of the last sample, and print them as a table: all or, if
   t->rows is not 0, as many as fit on the screen, each in one line.
   @line_suffix: text to print before the newline of each line. */
static void sort_and_print_table(struct top *t, const char *line_suffix)
{
	static const char *const orders[] = {"accesses", "misses",
					     "process id"};
	unsigned shown = t->now.n, room;

	room = t->rows > OTHER_ROWS ? t->rows - OTHER_ROWS : 1;
	if (t->rows && shown > room)
		shown = room;
	sort_programs_by_chosen_order(t);
	printf("alleria: %u program%s, %.0f s, by %s%s\n", t->now.n,
	       t->now.n == 1 ? "" : "s", (double)t->now.elapsed_ns / 1e9,
	       orders[t->order], line_suffix);
	printf("%8s %8s %8s %4s %13s %13s  %s%s\n", "PID", "MINSTR/S", "MACC/S",
	       "WAIT", "D1 MISSES", "LL MISSES", "PROGRAM", line_suffix);
	for (unsigned i = 0; i < shown; i++) {
		print_program_row(&t->now.program[i], t->columns);
		printf("%s\n", line_suffix);
	}
	if (shown < t->now.n)
		printf("  ... and %u more%s\n", t->now.n - shown, line_suffix);
}

static void sort_and_print_json(struct top *t)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	sort_programs_by_chosen_order(t);
	al_json_init(&json, stdout);
	out->begin(out, NULL);
	out->string(out, "socket", t->socket);
	out->number(out, "elapsed_ns", t->now.elapsed_ns);
	out->begin_list(out, "programs");
	for (unsigned i = 0; i < t->now.n; i++) {
		const struct program *p = &t->now.program[i];

		out->begin(out, NULL);
		out->number(out, "pid", p->pid);
		out->string(out, "state", p->state);
		out->string(out, "command", p->command);
		out->string(out, "open", p->windows);
		out->number(out, "instructions", p->instructions);
		out->number(out, "accesses", p->accesses);
		out->number(out, "instructions_per_second",
			    (uint64_t)p->instructions_rate);
		out->number(out, "accesses_per_second",
			    (uint64_t)p->accesses_rate);
		out->number(out, "buffers_waiting", p->waiting);
		if (p->has_misses) {
			out->number(out, "D1_misses", p->d1_misses);
			out->number(out, "LL_misses", p->ll_misses);
		}
		out->end(out);
	}
	out->end(out);
	out->end(out);
}

/* ---- the screen ---- */

static sig_atomic_t has_signal;

static void store_received_signal(int signal_number)
{
	has_signal = signal_number;
}

/* Wait at most PERIOD_MS for a key on standard input. Return: the key; 0: none
   was pressed, or standard input is at its end. */
static char read_key_within_period(void)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
	char key = 0;

	if (poll(&fd, 1, PERIOD_MS) <= 0 || read(STDIN_FILENO, &key, 1) == 1)
		return key;
	usleep(PERIOD_MS * 1000); /* standard input is at its end */
	return 0;
}

/* Set the size of the table to that of the terminal, but to at least
   MIN_COLUMNS columns; to 80 columns and 24 rows if the terminal's is not
   known. */
static void set_size_to_terminal(struct top *t)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		size.ws_col = size.ws_row = 0;
	t->columns = size.ws_col ? size.ws_col : 80;
	t->rows = size.ws_row ? size.ws_row : 24;
	if (t->columns < MIN_COLUMNS)
		t->columns = MIN_COLUMNS;
}

/* Draw the table and fetch a new sample each period and after each key, until q
   is pressed or a signal arrives. Return: 0; -EIO as of
   fetch_daemon_sample_of_all_programs(). */
static int redraw_until_quit_or_set_message(struct top *t)
{
	int err = 0;

	for (unsigned n = 1; !err && !has_signal; n++) {
		set_size_to_terminal(t);
		fputs("\033[H", stdout);
		sort_and_print_table(t, "\033[K");
		fputs("\033[Jq: quit, s: order", stdout);
		fflush(stdout);
		switch (read_key_within_period()) {
		case 'q':
			return 0;
		case 's':
			t->order = (t->order + 1) % N_ORDERS;
		}
		err = fetch_daemon_sample_of_all_programs(
			t, n % REPORT_PERIODS == 0);
	}
	return has_signal ? 0 : err;
}

/* Like redraw_until_quit_or_set_message(), with signal handlers, and with the
   terminal set to pass on each key at once and without echo; its mode is
   restored. */
static int redraw_in_raw_mode_until_quit(struct top *t)
{
	const struct sigaction action = {.sa_handler = store_received_signal};
	struct termios old, raw;
	bool has_terminal = !tcgetattr(STDIN_FILENO, &old);
	int err;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (has_terminal) {
		raw = old;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	fputs("\033[2J", stdout);
	err = redraw_until_quit_or_set_message(t);
	if (has_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &old);
	if (has_signal)
		clearerr(stdout); /* the signal can interrupt a write */
	putchar('\n');
	return err;
}

/* Fetch two samples, PERIOD_MS apart. Print the programs with their rates once
   if --json or --once is given or standard output is no terminal, else redraw
   them until the user ends the command. Print errors. Return: exit status. */
static int run_top_once_or_until_quit_get_status(struct top *t)
{
	int err = fetch_daemon_sample_of_all_programs(t, false);

	if (!err) {
		usleep(PERIOD_MS * 1000);
		err = fetch_daemon_sample_of_all_programs(t, true);
	}
	if (!err && t->is_json)
		sort_and_print_json(t);
	else if (!err && (t->is_once || !isatty(STDOUT_FILENO)))
		sort_and_print_table(t, "");
	else if (!err)
		err = redraw_in_raw_mode_until_quit(t);
	al_yaml_free_with_siblings(t->report);
	if (!err)
		return has_signal ? 128 + has_signal : 0;
	if (*t->message)
		fprintf(stderr, "alleria: %s\n", t->message);
	return CL_WRONG_USAGE;
}

/* ---- options ---- */
static int set_socket_path_of_pid(struct top *t, const char *pid_text)
{
	uint64_t pid;

	if (al_number_parse_digits_only(pid_text, &pid) || pid == 0 ||
	    pid > INT32_MAX)
		return al_message_return_einval(
			t->message, "'%.100s' is no process id", pid_text);
	return dm_runtime_find_process_socket((pid_t)pid, t->socket,
					      t->message);
}

static int parse_option(struct top *t, const char *arg)
{
	if (!strncmp(arg, "--socket=", 9) && arg[9]) {
		if (strlen(arg + 9) >= sizeof(t->socket))
			return al_message_return_einval(
				t->message,
				"'%.100s...' cannot be a socket's "
				"path",
				arg + 9);
		strcpy(t->socket, arg + 9);
		return 0;
	}
	if (!strncmp(arg, "--pid=", 6))
		return set_socket_path_of_pid(t, arg + 6);
	if (!strcmp(arg, "--once"))
		t->is_once = true;
	else if (!strcmp(arg, "--json"))
		t->is_json = true;
	else
		return al_message_return_einval(
			t->message,
			"'top' takes no '%.100s'; there are "
			"--socket=PATH, --pid=PID, --once, --json",
			arg);
	return 0;
}

int cl_top_display_recorded_programs(int argc, char **argv)
{
	static struct top t;
	int err = 0;

	for (int i = 0; !err && i < argc; i++)
		err = parse_option(&t, argv[i]);
	if (!err && !t.socket[0])
		err = dm_runtime_build_socket_path_create_dir(
			"alleriad.sock", t.socket, t.message);
	if (!err)
		return run_top_once_or_until_quit_get_status(&t);
	fprintf(stderr, "alleria: %s\n", t.message);
	return CL_WRONG_USAGE;
}
