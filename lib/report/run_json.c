/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_json.c - writes the report as JSON
 *
 * Keys are never renamed. The values under "analyses" depend only on the
 * program and the cache geometry; values that vary from run to run are under
 * "run".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "base/text/json.h"
#include "lib/report/report.h"
#include "lib/report/results.h"
#include "lib/report/run_context.h"
#include "lib/report/window_counts.h"
#include "lib/run/profile_files.h"
#include "lib/run/state.h"

/* Version of the document's format, see alleria(1). */
enum { SCHEMA = 1 };

static void write_command(struct an_sink *out, char *const *argv)
{
	out->begin_list(out, "command");
	for (; *argv; argv++)
		out->string(out, NULL, *argv);
	out->end(out);
}

/* Write the numbers of instructions, accesses, threads and signals. */
static void write_execution_counts(struct an_sink *out,
				   const struct al_counts *c)
{
	out->number(out, "instructions", c->instructions);
	out->number(out, "reads", c->reads);
	out->number(out, "writes", c->writes);
	out->number(out, "modifies", c->modifies);
	out->number(out, "threads", c->threads);
	out->number(out, "signals", c->signals);
}

static void write_status_and_lost_count(struct an_sink *out,
					enum al_status status, const char *why,
					uint64_t lost_accesses)
{
	out->string(out, "status", al_run_status_name(status));
	if (why)
		out->string(out, "reason", why);
	out->number(out, "lost", lost_accesses);
}

static void write_process_ending(struct an_sink *out,
				 const struct al_process *p)
{
	static const char *const key[] = {[AL_RUNNING] = "running",
					  [AL_EXITED] = "code",
					  [AL_SIGNALLED] = "signal",
					  [AL_EXECED] = "exec",
					  [AL_UNRECORDED] = "running"};
	int value;
	enum al_ending ending = al_process_ending(p, &value);

	if (ending != AL_EXITED && ending != AL_SIGNALLED)
		value = 1;
	out->begin(out, "exit");
	out->number(out, key[ending], (uint64_t)value);
	out->end(out);
}

static void write_image_commands(struct an_sink *out,
				 const struct al_process *p)
{
	out->begin_list(out, "images");
	for (size_t i = 0; i < p->n_images; i++) {
		out->begin(out, NULL);
		write_command(out, al_process_image_argv_or_empty(p, i));
		out->end(out);
	}
	out->end(out);
}

static void write_recorded_process_members(struct an_sink *out,
					   const struct al_process *p)
{
	struct al_counts counts = al_process_counts(p);
	const char *why;
	enum al_status status = al_process_completeness_and_reason(p, &why);

	write_command(out, al_process_image_argv_or_empty(p, 0));
	if (p->title)
		out->string(out, "title", p->title);
	write_process_ending(out, p);
	write_image_commands(out, p);
	out->number(out, "unrecorded_exec",
		    al_process_has_ended_by_unrecorded_exec(p));
	write_status_and_lost_count(out, status, why, p->lost_accesses);
	out->number(out, "lost_messages", p->lost_messages);
	write_execution_counts(out, &counts);
	al_results_write_process_totals(p, 0, out);
	al_process_windows_write_with_totals(p, out);
}

static void write_process(struct an_sink *out, const struct al_process *p)
{
	out->begin(out, NULL);
	out->number(out, "number", p->number);
	out->number(out, "pid", (uint64_t)p->pid);
	out->number(out, "parent", p->parent ? p->parent->number : 0);
	out->number(out, "tree", p->tree);
	al_json_write_bool(out, "followed", al_process_is_followed(p));
	if (al_process_is_followed(p))
		write_recorded_process_members(out, p);
	out->end(out);
}

static void write_geometry(struct an_sink *out, const struct al_settings *s)
{
	char *options =
		al_geometry_make_cachegrind_options(&s->cache[0].geometry);

	out->begin(out, "geometry");
	out->number(out, "detected", s->geometry_is_host);
	if (options)
		out->string(out, "options", options);
	if (*s->geometry_note)
		out->string(out, "note", s->geometry_note);
	out->end(out);
	free(options);
}

static void write_stage_times(struct an_sink *out, const struct al_counts *c)
{
	static const char *const key[AL_STAGES] = {
		"load_ns",   "recovery_ns", "preparation_ns", "store_ns",
		"spread_ns", "part_ns",	    "join_ns",	      "tail_ns"};

	out->begin(out, "stages");
	for (int i = 0; i < AL_STAGES; i++)
		out->number(out, key[i], c->stage_ns[i]);
	out->end(out);
}

static void write_wall_wait_and_stage_times(struct an_sink *out,
					    const struct al_run *run,
					    const struct al_counts *counts)
{
	struct al_process_sums sums = al_run_sum_losses_waits_and_buffers(run);

	out->begin(out, "time");
	out->number(out, "wall_ns", run->wall_ns);
	out->number(out, "program_wait_ns", sums.wait_ns);
	out->number(out, "program_waits", sums.waits);
	out->number(out, "worker_idle_ns", run->worker_idle_ns);
	out->number(out, "worker_busy_ns", run->worker_busy_ns);
	out->number(out, "recovery_ns", counts->recovery_ns);
	out->number(out, "analysis_ns", counts->analysis_ns);
	write_stage_times(out, counts);
	out->end(out);
}

static void write_processed_buffers_and_unused_bytes(struct an_sink *out,
						     const struct al_run *run)
{
	struct al_pipeline p = al_run_time_and_buffer_usage(run);

	out->begin(out, "buffers");
	out->number(out, "processed", p.buffers);
	out->number(out, "unused_bytes", p.unused);
	out->end(out);
}

static void write_adaptive_decisions_if_enabled(struct an_sink *out,
						const struct al_run *run)
{
	const struct al_adaptive *a = &run->settings->adaptive;

	if (!a->enabled)
		return;
	out->begin(out, "adaptive");
	al_decisions_write_with_thresholds(&run->decisions, a, out);
	out->end(out);
}

/* Write the member "partitions": the largest number of parts into which an
   analysis is divided for parallel work, and how the first analysis of each
   class was done (an_class.report_method). */
static void write_partition_methods(struct an_sink *out,
				    const struct al_run *run)
{
	const struct al_settings *settings = run->settings;

	out->begin(out, "partitions");
	out->number(out, "number",
		    al_stream_largest_partition_count(run->total));
	for (size_t i = 0; i < settings->n_analyses; i++) {
		const struct an_class *class = settings->analysis[i].class;
		const void *state = NULL;

		if (!al_settings_is_first_of_its_class(settings, i) ||
		    !class->report_method ||
		    al_stream_analysis_state_and_error(run->total, 0, i,
						       &state) != 0)
			continue;
		out->begin(out, class->name);
		class->report_method(state, out);
		out->end(out);
	}
	out->end(out);
}

static void write_run_with_processes(struct an_sink *out,
				     const struct al_run *run)
{
	struct al_counts counts = al_run_counts(run);
	const char *why;
	enum al_status status = al_run_status(run, &why);

	out->begin(out, "run");
	write_command(out, al_run_command_argv_or_empty(run));
	write_status_and_lost_count(
		out, status, why,
		al_run_sum_losses_waits_and_buffers(run).lost_accesses);
	out->begin_list(out, "processes");
	for (size_t i = 0; i < al_run_count_numbered_processes(run); i++)
		write_process(out, run->process[i]);
	out->end(out);
	write_execution_counts(out, &counts);
	al_run_windows_write_counts_and_results(run, out);
	out->begin(out, "bytes");
	out->number(out, "units", counts.unit_bytes);
	out->number(out, "profile",
		    run->n_profile_files ? al_run_sum_profile_bytes(run)
					 : run->profile_bytes);
	out->end(out);
	write_wall_wait_and_stage_times(out, run, &counts);
	write_processed_buffers_and_unused_bytes(out, run);
	out->number(out, "workers", run->settings->workers);
	write_adaptive_decisions_if_enabled(out, run);
	write_partition_methods(out, run);
	write_geometry(out, run->settings);
	al_run_write_env_and_machine(run, out);
	out->end(out);
}

int al_run_sort_processes_and_write_json(struct al_run *run, FILE *file)
{
	struct al_json json;
	struct an_sink *out = &json.sink;
	struct al_used_names *names;

	al_run_sort_processes_update_statuses(run);
	al_json_init(&json, file);
	names = al_used_names_new_collector(out);
	if (names == NULL)
		return -ENOMEM;
	out->begin(out, NULL);
	out->number(out, "schema", SCHEMA);
	out->begin(out, "alleria");
	out->string(out, "version", PACKAGE_VERSION);
	out->string(out, "valgrind", run->valgrind ? run->valgrind : "???");
	out->end(out);
	write_run_with_processes(out, run);
	al_results_write(run, 0, al_used_names_sink(names));
	al_findings_of_run_write(run, out);
	al_verdict_write_sentences(run, out);
	al_used_names_write_objects_and_files(names, run->symbols, out);
	al_used_names_free(names);
	out->end(out);
	errno = 0;
	if (fflush(file) || ferror(file))
		return json.error ? -json.error : errno ? -errno : -EIO;
	return 0;
}

int al_report_write_json(struct al_run *run, FILE *file)
{
	run->json_error = al_run_sort_processes_and_write_json(run, file);
	return run->json_error;
}

static int write_json_report_callback(void *run, FILE *file)
{
	return al_run_sort_processes_and_write_json(run, file);
}

int al_report_save_json(struct al_run *run)
{
	run->json_error = al_file_write_atomically(
		run->settings->json, write_json_report_callback, run);
	return run->json_error;
}
