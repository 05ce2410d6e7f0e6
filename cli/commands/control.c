/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.c - alleria control: sends a command to a running daemon
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "daemon/control/control.h"
#include "daemon/core/runtime_dir.h"

enum { MAX_WORDS = 3 };

const char cl_control_help[] =
	"usage: alleria control [--socket=PATH | --pid=PID] COMMAND\n"
	"\n"
	"Sends a command to a running daemon: alleriad, the daemon of a "
	"running\n"
	"`alleria run`, or one that a program started for itself.\n"
	"\n"
	"  status              print what the daemon records, as JSON\n"
	"  programs            print a line for each program\n"
	"  windows             print a line for each window\n"
	"  open WINDOW [PID]   open a window, in all programs or in one\n"
	"  close WINDOW [PID]  close the window\n"
	"  mark NAME [PID]     write a mark into the profile\n"
	"  flush [PID]         analyse what was recorded so far\n"
	"  report              print the results of all programs so far, or "
	"of\n"
	"                      that of --pid; the programs continue\n"
	"\n"
	"  --socket=PATH       socket of the daemon [that of alleriad]\n"
	"  --pid=PID           use the daemon that records this process; "
	"open,\n"
	"                      close, mark, flush and report apply to this\n"
	"                      process only\n"
	"  --json=FILE         write the report as JSON; '-': standard output\n"
	"  --force             FILE may replace a profile or a program\n"
	"  --help\n";

struct request {
	char socket[DM_PATH]; /* empty: not given */
	const char *pid;      /* value of --pid, as given; or NULL */
	pid_t pid_number;     /* 0: not given */
	const char *json;     /* value of --json, as given; or NULL */
	const char *words[MAX_WORDS + 1];
	int n_words;
	int status; /* exit status that the daemon sent with its answer; -errno:
		       there is no answer */
	char message[AL_MESSAGE];
};

/* Store @pid_text, the value of --pid. Return: 0; -EINVAL with a message if it
   is no number from 1 to INT32_MAX. */
static int set_pid_if_valid(struct request *q, const char *pid_text)
{
	uint64_t pid;

	if (al_number_parse_digits_only(pid_text, &pid) || pid == 0 ||
	    pid > INT32_MAX)
		return al_message_return_einval(
			q->message, "'%.100s' is no process id", pid_text);
	q->pid = pid_text;
	q->pid_number = (pid_t)pid;
	return 0;
}

/* Unless --socket is given, set the path of the daemon's socket in the runtime
   directory: that of the process of --pid, else alleriad.sock. Creates the
   directory if it does not exist. Return: 0; -errno with a message. */
static int set_socket_of_pid_or_default_if_unset(struct request *q)
{
	if (q->socket[0])
		return 0;
	if (!q->pid)
		return dm_runtime_build_socket_path_create_dir(
			"alleriad.sock", q->socket, q->message);
	return dm_runtime_find_process_socket(q->pid_number, q->socket,
					      q->message);
}

/* If the command is "report", append its format to the words: "json" with
   --json, else "text". Return: 0; -EINVAL with a message if "report" is given
   more words, or --json is given with another command. */
static int append_format_word_if_report_command(struct request *q)
{
	if (strcmp(q->words[0], "report") != 0)
		return q->json ? al_message_return_einval(
					 q->message,
					 "'--json=%.100s' is for 'report'",
					 q->json)
			       : 0;
	if (q->n_words > 1)
		return al_message_return_einval(
			q->message, "too many arguments for 'report'");
	q->words[q->n_words++] = q->json ? "json" : "text";
	return 0;
}

/* Append the process id of --pid to the words, for commands that accept one.
   Return: 0; -EINVAL with a message when the words name another process. */
static int append_pid_word_if_command_accepts_it(struct request *q)
{
	static const struct {
		const char *word;
		int pid_index; /* index of the process id among the words */
	} command[] = {{"open", 2},
		       {"close", 2},
		       {"mark", 2},
		       {"flush", 1},
		       {"report", 2}};
	int pid_index = 0;

	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		if (!strcmp(q->words[0], command[i].word))
			pid_index = command[i].pid_index;
	if (!q->pid || !pid_index || q->n_words < pid_index)
		return 0;
	if (q->n_words > pid_index && strcmp(q->words[pid_index], q->pid) != 0)
		return al_message_return_einval(
			q->message,
			"'--pid=%s' and process id '%.100s': give "
			"one or the other",
			q->pid, q->words[pid_index]);
	if (q->n_words == pid_index)
		q->words[q->n_words++] = q->pid;
	return 0;
}

static int set_socket_path_if_short_enough(struct request *q, const char *path)
{
	if (strlen(path) >= sizeof(q->socket))
		return al_message_return_einval(
			q->message,
			"'%.100s...' cannot be a socket's path: it "
			"is longer than %d bytes",
			path, DM_PATH - 1);
	strcpy(q->socket, path);
	return 0;
}

static int parse_option(struct request *q, const char *arg)
{
	static const char *const own[] = {"--force", "--help",	 "--json",
					  "--pid",   "--socket", NULL};

	if (!strncmp(arg, "--socket=", 9) && arg[9])
		return set_socket_path_if_short_enough(q, arg + 9);
	if (!strncmp(arg, "--json=", 7) && arg[7]) {
		q->json = arg + 7;
		return 0;
	}
	if (!strncmp(arg, "--pid=", 6))
		return set_pid_if_valid(q, arg + 6);
	if (!strcmp(arg, "--force")) {
		al_replace_allow_profile_or_elf(true);
		return 0;
	}
	return al_suggest_and_report_bad_option(arg, own, q->message);
}

static int parse_arguments_complete_command_to_send(struct request *q, int argc,
						    char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (argv[i][0] == '-') {
			if (parse_option(q, argv[i]))
				return -EINVAL;
		} else if (q->n_words == MAX_WORDS) {
			return al_message_return_einval(
				q->message, "'%.100s' is one word too many",
				argv[i]);
		} else {
			q->words[q->n_words++] = argv[i];
		}
	}
	if (q->n_words == 0)
		return al_message_return_einval(
			q->message,
			"no command given: alleria control COMMAND; "
			"see 'alleria control --help'");
	if (append_format_word_if_report_command(q) ||
	    append_pid_word_if_command_accepts_it(q))
		return -EINVAL;
	return set_socket_of_pid_or_default_if_unset(q);
}

/* Send the command, write the daemon's answer to @f, and store its exit status
   in the request. Return: 0; -ECANCELED if the command failed, so that no file
   is saved; another -errno if writing failed. */
static int send_command_store_status_write_answer(void *request, FILE *f)
{
	struct request *q = request;

	q->status = dm_control_send_command_print_answer(q->socket, q->words, f,
							 stderr, q->message);
	return q->status ? -ECANCELED : fflush(f) ? -errno : 0;
}

/* Send the command, and save the daemon's answer in q->json; if the command
   fails, print the answer on standard error instead. Return: the exit status of
   the command; -errno with q->message if there is no answer or the file cannot
   be written. */
static int send_command_and_save_answer(struct request *q)
{
	int err = al_file_write_atomically(
		q->json, send_command_store_status_write_answer, q);

	if (!err || err == -ECANCELED)
		return q->status;
	return al_message_return_einval(q->message, "cannot write '%.200s': %s",
					q->json,
					al_replace_output_file_error_text(err));
}

int cl_control_send_daemon_command(int argc, char **argv)
{
	struct request q = {.n_words = 0};
	int rc;

	rc = parse_arguments_complete_command_to_send(&q, argc, argv);
	if (!rc && q.json)
		rc = send_command_and_save_answer(&q);
	else if (!rc)
		rc = dm_control_send_command_print_answer(
			q.socket, q.words, stdout, stderr, q.message);
	if (rc >= 0)
		return rc;
	fprintf(stderr, "alleria: %s\n", q.message);
	return CL_WRONG_USAGE;
}
