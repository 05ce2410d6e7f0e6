/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private_daemon.c - serves the tools of a private daemon, and sends the report
 * to the tool of its last program, which prints it
 */
#include "daemon/daemon.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/client/connection.h"
#include "daemon/client/report_sender.h"
#include "daemon/client/state.h"
#include "daemon/core/clock.h"
#include "lib/report/report.h"

#define FIRST_WAIT_NS (10 * DM_SECOND)

static const char no_text[] = "alleria: out of memory, there is no report\n";

static void print_report_and_output_errors(struct dm_daemon *d, FILE *out)
{
	al_report_print(d->run, out, 0);
	al_report_print_unwritten_outputs(d->run, "alleria", out);
	fflush(out);
}

static bool is_json_on_stdout(const struct dm_daemon *d)
{
	return d->settings->json && !strcmp(d->settings->json, "-");
}

/* Call @print with a stream in memory. Return: the text that it printed; data
   is NULL if memory is short. */
static struct dm_text
print_into_allocated_text(struct dm_daemon *d,
			  void (*print)(struct dm_daemon *, FILE *))
{
	struct dm_text t = {NULL, 0};
	FILE *f = open_memstream(&t.data, &t.bytes);
	bool failed = !f;

	if (f) {
		print(d, f);
		failed = ferror(f) != 0;
		failed |= fclose(f) != 0;
	}
	if (!failed)
		return t;
	free(t.data);
	return (struct dm_text){NULL, 0};
}

/* Print the JSON report. Errors are printed later by
   al_report_print_unwritten_outputs(). */
static void print_json_report_of_run(struct dm_daemon *d, FILE *out)
{
	(void)!al_report_write_json(d->run, out);
}

/* Write the results that go to files, and end the profiles. Context: between
   dm_reporting_begin_wait_recordings_end() and
   dm_reporting_clear_flag_wake_server(), lock not held. */
static void save_result_files_end_profiles(struct dm_daemon *d)
{
	al_blocking_check();
	al_run_save_outputs_and_profiles(d->run);
	if (d->settings->json && !is_json_on_stdout(d))
		(void)!al_report_save_json(d->run);
	if (d->settings->html)
		(void)!al_report_save_page_to_html_option_path(d->run);
}

/* Make the texts that the tool of the last program prints: the JSON report, if
   it goes to standard output (settings->json is "-"), and the text report. If
   the former cannot be made, the latter is only an error message. */
static void
make_in_memory_json_and_text_reports(struct dm_daemon *d,
				     struct dm_text *json_if_on_stdout,
				     struct dm_text *text_report)
{
	*json_if_on_stdout = *text_report = (struct dm_text){NULL, 0};
	if (is_json_on_stdout(d))
		*json_if_on_stdout =
			print_into_allocated_text(d, print_json_report_of_run);
	if (!is_json_on_stdout(d) || json_if_on_stdout->data)
		*text_report = print_into_allocated_text(
			d, print_report_and_output_errors);
	if (!text_report->data && (text_report->data = strdup(no_text)))
		text_report->bytes = sizeof(no_text) - 1;
}

/* Write the result files of the run, make the report, and send it to @last, the
   last client, unless its connection was closed meanwhile. Context: lock held;
   released while files and report are made. */
static void save_files_and_send_report(struct dm_daemon *d,
				       struct dm_client *last)
{
	struct dm_text json, report;

	dm_reporting_begin_wait_recordings_end(d);
	dm_unlock(d);
	save_result_files_end_profiles(d);
	make_in_memory_json_and_text_reports(d, &json, &report);
	dm_lock(d);
	dm_reporting_clear_flag_wake_server(d);
	if (last->fd < 0) { /* disconnected: it does not wait for the report */
		free(json.data);
		free(report.data);
		return;
	}
	dm_client_apply_event_or_abort(last, DM_EV_REPORT);
	d->report_queued = true;
	dm_report_send_and_close(
		last, json, report,
		(uint64_t)al_run_incomplete_exit_code_or_0(d->run));
}

/* Return a client whose tool waits for the report, if every client has ended or
   its program has executed another one; else NULL. Context: lock held. */
static struct dm_client *
find_client_awaiting_report_if_all_ended(struct dm_daemon *d)
{
	struct dm_client *c, *last = NULL;

	for (c = d->clients; c; c = c->next) {
		if (c->stage < DM_EXECED)
			return NULL;
		if (c->machine.tool == DM_LEAVING && c->fd >= 0)
			last = c;
	}
	return last;
}

/* Whether the daemon must continue: a client is connected, or has not ended and
   has not waited too long for its next exec image; or no client has connected
   yet and FIRST_WAIT_NS have not passed since the start. Context: lock
   held. */
static bool has_clients_or_waits_for_first_client(const struct dm_daemon *d)
{
	const struct dm_client *c;

	for (c = d->clients; c; c = c->next)
		if (c->fd >= 0 || !dm_client_has_ended_or_exec_timed_out(c))
			return true;
	return (!d->had_client && dm_now_ns() - d->started_ns < FIRST_WAIT_NS);
}

/* Write the files, and print the report to options.report, if no tool is left
   to receive it. If a tool's wait for the report was interrupted, only the
   files are written, because that tool has printed that the report is missing
   or cut.
   Context: lock held, released meanwhile. */
static void save_files_print_report_to_given_stream(struct dm_daemon *d)
{
	FILE *out = d->report_was_abandoned ? NULL : d->options.report;
	bool was_cut = d->report_was_cut;

	dm_reporting_begin_wait_recordings_end(d);
	dm_unlock(d);
	save_result_files_end_profiles(d);
	if (out && was_cut)
		fputs("alleria: the report was cut, for its reader ended; "
		      "once more:\n",
		      out);
	if (out)
		print_report_and_output_errors(d, out);
	dm_lock(d);
	dm_reporting_clear_flag_wake_server(d);
}

bool dm_private_daemon_send_reports_has_more(struct dm_daemon *d,
					     unsigned timeout_ms)
{
	uint64_t end = dm_now_ns() + timeout_ms * DM_MS;
	struct dm_client *last;
	bool needed;

	dm_lock(d);
	while ((needed = has_clients_or_waits_for_first_client(d)) &&
	       dm_now_ns() < end) {
		last = find_client_awaiting_report_if_all_ended(d);
		if (last)
			save_files_and_send_report(d, last);
		else
			dm_wait_for_changed_signal_or_timeout(d, timeout_ms);
	}
	if (!needed && d->n_streams && !d->report_queued)
		save_files_print_report_to_given_stream(d);
	dm_unlock(d);
	return needed;
}
