/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.c - executes commands in a daemon; see control.h
 *
 * The answer is a memory file whose descriptor is sent, so the daemon never
 * waits for a reader.
 */
#include "daemon/control/control.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text/number.h"
#include "base/text/suggest.h"
#include "daemon/client/connection.h"
#include "daemon/client/outbox.h"
#include "daemon/control/live_report.h"
#include "daemon/control/status.h"
#include "lib/config/options.h"
#include "lib/config/window/windows.h"

enum { WRONG_USAGE = 2, ANSWERED_LATER = -1, MAX_WORDS = 3 };

struct command {
	const char *word[MAX_WORDS + 1]; /* NULL-terminated */
	unsigned n;
};

bool dm_control_is_command_packet(const void *packet, size_t bytes)
{
	const struct pt_control *c = packet;

	return bytes >= sizeof(*c) && c->magic == PT_CONTROL_MAGIC;
}

/* Split a packet into the words of a command, which stay in @packet. Return: 0;
   WRONG_USAGE with one line in @error_out. */
static int parse_command_words(const void *packet, size_t bytes,
			       struct command *c, FILE *error_out)
{
	const struct pt_control *head = packet;
	const char *next = (const char *)(head + 1);
	const char *end = (const char *)packet + bytes;

	*c = (struct command){.n = head->n_strings};
	if (head->major != PT_MAJOR) {
		fprintf(error_out,
			"the daemon speaks protocol %d.%d, not %u.%u\n",
			PT_MAJOR, PT_MINOR, head->major, head->minor);
		return WRONG_USAGE;
	}
	if (head->bytes != bytes || c->n == 0 || c->n > MAX_WORDS ||
	    next == end || end[-1] != '\0') {
		fputs("malformed command\n", error_out);
		return WRONG_USAGE;
	}
	for (unsigned i = 0; i < c->n; i++) {
		if (next == end) {
			fputs("malformed command\n", error_out);
			return WRONG_USAGE;
		}
		c->word[i] = next;
		next += strlen(next) + 1;
	}
	return 0;
}

/* Find a window by its name. Return: 0 with its index in *@window_index;
   WRONG_USAGE if there is none: one line, perhaps with a similar name, is
   printed to @error_out. */
static int find_window_by_name_or_suggest(const struct al_windows *w,
					  const char *name,
					  uint32_t *window_index,
					  FILE *error_out)
{
	const char *names[PT_MAX_WINDOWS + 1] = {NULL}, *near;

	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS]; i++) {
		names[i] = w->string + w->window[i].name;
		if (!strcmp(names[i], name)) {
			*window_index = i;
			return 0;
		}
	}
	near = al_suggest_word(name, names);
	fprintf(error_out, "there is no window '%s'%s%s%s\n", name,
		near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	return WRONG_USAGE;
}

/* A command that is sent to the tools of several programs. */
struct tool_order {
	/* queues it for a client; returns false if it cannot be queued */
	bool (*send)(struct dm_client *, const struct tool_order *);
	uint32_t window;  /* index of the window to be opened or closed */
	bool open;	  /* true: open the window; false: close it */
	const char *name; /* name of the mark to be recorded */
};

static bool queue_window_open_or_close_command(struct dm_client *c,
					       const struct tool_order *o)
{
	return dm_outbox_queue_window_command(c, o->window, o->open);
}

static bool queue_command_to_record_mark(struct dm_client *c,
					 const struct tool_order *o)
{
	return dm_outbox_queue_mark_command(c, o->name);
}

static bool send_flush_order(struct dm_client *c, const struct tool_order *o)
{
	(void)o;
	return dm_outbox_queue_flush_command(c);
}

/* Whether the client's tool receives a command to the process @pid_or_0 (0: to
   all processes): the client is being recorded, its process is followed, and
   the process id is that one. */
static bool is_command_recipient(const struct dm_client *c, uint64_t pid_or_0)
{
	return c->stage == DM_LIVE && !dm_is_no_more_input_accepted(c) &&
	       al_process_is_followed(c->process) &&
	       (pid_or_0 == 0 || (uint64_t)c->pid == pid_or_0);
}

/* Print that the program @pid_or_0 (0: any program) is not being recorded. */
static void report_that_no_program_is_recorded(uint64_t pid_or_0,
					       FILE *error_out)
{
	if (pid_or_0)
		fprintf(error_out,
			"no program with process id %" PRIu64
			" is being recorded\n",
			pid_or_0);
	else
		fputs("no program is being recorded\n", error_out);
}

/* Queue @o for the program with the process id in word @optional_pid_word_index
   of command @c; for all recorded programs if @c has no such word. Return:
   number of programs for which @o was queued; if 0, one line is printed to
   @error_out. */
static unsigned
send_order_return_program_count(struct dm_daemon *d, const struct tool_order *o,
				const struct command *c,
				unsigned optional_pid_word_index,
				FILE *error_out)
{
	unsigned sent = 0, full = 0;
	uint64_t pid = 0;

	if (c->n > optional_pid_word_index &&
	    (al_number_parse_digits_only(c->word[optional_pid_word_index],
					 &pid) ||
	     pid == 0)) {
		fprintf(error_out, "'%s' is no process id\n",
			c->word[optional_pid_word_index]);
		return 0;
	}
	for (struct dm_client *x = d->clients; x; x = x->next) {
		if (!is_command_recipient(x, pid))
			continue;
		if (o->send(x, o))
			sent++;
		else
			full++;
	}
	if (!sent && full)
		fputs("too many commands are queued for the program\n",
		      error_out);
	else if (!sent)
		report_that_no_program_is_recorded(pid, error_out);
	return sent;
}

static const char *program_singular_or_plural(unsigned program_count)
{
	return program_count == 1 ? "program" : "programs";
}

static int execute_window_open_or_close(struct dm_daemon *d,
					const struct command *c, FILE *out)
{
	struct tool_order o = {
		.send = queue_window_open_or_close_command,
		.open = !strcmp(c->word[0], "open"),
	};
	unsigned n;

	if (c->n < 2) {
		fprintf(out, "missing window name: %s WINDOW [PID]\n",
			c->word[0]);
		return WRONG_USAGE;
	}
	if (find_window_by_name_or_suggest(d->settings->windows, c->word[1],
					   &o.window, out))
		return WRONG_USAGE;
	n = send_order_return_program_count(d, &o, c, 2, out);
	if (n == 0)
		return WRONG_USAGE;
	fprintf(out, "'%s' %s in %u %s\n", c->word[1],
		o.open ? "opens" : "closes", n, program_singular_or_plural(n));
	return 0;
}

static int execute_mark_command(struct dm_daemon *d, const struct command *c,
				FILE *out)
{
	struct tool_order o = {.send = queue_command_to_record_mark};
	unsigned n;

	if (c->n < 2 || !*c->word[1]) {
		fputs("missing mark name: mark NAME [PID]\n", out);
		return WRONG_USAGE;
	}
	if (strlen(c->word[1]) > PT_MAX_NAME) {
		fprintf(out, "the name of a mark has %d bytes at most\n",
			PT_MAX_NAME);
		return WRONG_USAGE;
	}
	o.name = c->word[1];
	n = send_order_return_program_count(d, &o, c, 2, out);
	if (n == 0)
		return WRONG_USAGE;
	fprintf(out, "'%s' is marked in %u %s\n", o.name, n,
		program_singular_or_plural(n));
	return 0;
}

static int send_flush_order_to_programs_and_answer(struct dm_daemon *d,
						   const struct command *c,
						   FILE *out)
{
	const struct tool_order o = {.send = send_flush_order};
	unsigned n = send_order_return_program_count(d, &o, c, 1, out);

	if (n == 0)
		return WRONG_USAGE;
	fprintf(out, "%u %s to flush\n", n,
		n == 1 ? "program is" : "programs are");
	return 0;
}

/* Execute "report": start the thread that makes the report and sends it later
   through a duplicate of the connection. Return: ANSWERED_LATER; after an error
   WRONG_USAGE, with one line in @error_out. */
static int start_live_report_return_answered_later(struct dm_client *from,
						   const struct command *c,
						   FILE *error_out)
{
	bool json = c->n > 1 && !strcmp(c->word[1], "json");
	uint64_t pid = 0;
	int fd, err;

	if (c->n < 2 || (!json && strcmp(c->word[1], "text") != 0)) {
		fputs("missing report format: report text|json [PID]\n",
		      error_out);
		return WRONG_USAGE;
	}
	if (c->n > 2 && (al_number_parse_digits_only(c->word[2], &pid) ||
			 pid == 0 || pid > INT32_MAX)) {
		fprintf(error_out, "'%s' is no process id\n", c->word[2]);
		return WRONG_USAGE;
	}
	fd = fcntl(from->fd, F_DUPFD_CLOEXEC, 0);
	err = fd < 0 ? -errno
		     : dm_snapshot_start_live_report(from->daemon, fd,
						     (pid_t)pid, json);
	if (!err)
		return ANSWERED_LATER;
	if (err == -ESRCH)
		report_that_no_program_is_recorded(pid, error_out);
	else if (err == -EBUSY)
		fputs("another report is being made\n", error_out);
	else
		fprintf(error_out, "no report: %s\n", strerror(-err));
	return WRONG_USAGE;
}

/* Execute a command. Return: the exit status, with the answer in @out; or
   ANSWERED_LATER. */
static int execute_command(struct dm_client *from, const struct command *c,
			   FILE *out)
{
	static const char *const words[] = {"close",  "flush",	  "mark",
					    "open",   "programs", "report",
					    "status", "windows",  NULL};
	struct dm_daemon *d = from->daemon;
	const char *near;

	if (!strcmp(c->word[0], "open") || !strcmp(c->word[0], "close"))
		return execute_window_open_or_close(d, c, out);
	if (!strcmp(c->word[0], "mark"))
		return execute_mark_command(d, c, out);
	if (!strcmp(c->word[0], "report"))
		return start_live_report_return_answered_later(from, c, out);
	if (c->n < 3 && !strcmp(c->word[0], "flush"))
		return send_flush_order_to_programs_and_answer(d, c, out);
	if (c->n == 1 && !strcmp(c->word[0], "status"))
		return dm_status_print_json(d, out);
	if (c->n == 1 && !strcmp(c->word[0], "programs"))
		return dm_status_print_program_lines_return_0(d, out);
	if (c->n == 1 && !strcmp(c->word[0], "windows"))
		return dm_status_list_window_names_return_0(d, out);
	near = al_suggest_word(c->word[0], words);
	if (near && !strcmp(near, c->word[0]))
		fprintf(out, "too many arguments for '%s'\n", near);
	else if (near)
		fprintf(out, "unknown command '%s'; did you mean '%s'?\n",
			c->word[0], near);
	else
		fprintf(out, "unknown command '%s'\n", c->word[0]);
	return WRONG_USAGE;
}

/* Send the answer to a command: a message PT_MSG_DONE with the exit status, and
   the descriptor @text_fd of the memory file with the answer's text. */
static void send_answer_status_and_text_fd(struct dm_client *c, int status,
					   int text_fd)
{
	struct pt_message m = {.type = PT_MSG_DONE, .value = (uint64_t)status};

	dm_client_send_packet_with_fd(c, &m, sizeof(m), text_fd);
}

void dm_control_execute_command_and_hang_up(struct dm_client *c,
					    const void *packet, size_t bytes)
{
	int text = memfd_create("alleria-answer", MFD_CLOEXEC);
	FILE *out = text < 0 ? NULL : fdopen(dup(text), "w");
	struct command command;
	int status = WRONG_USAGE;

	if (out) {
		status = parse_command_words(packet, bytes, &command, out);
		if (!status)
			status = execute_command(c, &command, out);
		fclose(out);
		if (status != ANSWERED_LATER)
			send_answer_status_and_text_fd(c, status, text);
	}
	if (text >= 0)
		close(text);
	dm_client_close_connection_if_open(c);
}
