/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - adds processes and images to a run, stores their counts and endings,
 * and returns the exit status of the command; see run.h
 */
#include "lib/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/run/window_sums.h"
#include "lib/run/profile_files.h"
#include "lib/run/state.h"

struct al_run *al_run_new(const struct al_settings *settings,
			  struct al_symbols *symbols)
{
	struct al_run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->settings = settings;
	run->symbols = symbols;
	run->total = al_stream_new_without_symbols(settings);
	if (run->total &&
	    !al_figures_collect_names(&run->figures, settings, run->total))
		return run;
	al_run_free(run);
	errno = ENOMEM;
	return NULL;
}

static void free_argv(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

static void release_image(struct al_run_image *image)
{
	free_argv(image->argv);
	al_image_summary_free(image->summary);
	al_stream_free(image->stream);
}

static void free_process(struct al_process *p)
{
	for (size_t i = 0; i < p->n_images; i++)
		release_image(&p->image[i]);
	free(p->image);
	free(p->plan);
	free(p->title);
	al_stream_free(p->total);
	free(p);
}

void al_run_free(struct al_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->n_processes; i++)
		free_process(run->process[i]);
	free(run->process);
	al_processes_release_buckets(&run->process_table);
	al_stream_free(run->total);
	al_figures_release(&run->figures);
	free(run->valgrind);
	free(run->unsaved);
	al_run_flush_close_free_profiles(run);
	al_decisions_release(&run->decisions);
	free(run);
}

/* Number the process, unless its parent is not followed. If the settings have
   windows, make its recording plan, which lists them, and mark in it the window
   events that have happened in its tree. Return: 0; -ENOMEM. */
static int number_new_process_and_set_plan(struct al_process *p)
{
	const struct al_windows *windows = p->run->settings->windows;

	if (!p->parent || al_process_is_followed(p->parent))
		p->number = ++p->root->n_numbered;
	if (windows)
		p->plan = al_process_plan_make(windows, p->number);
	al_process_mark_past_events_in_plan(p);
	return windows && !p->plan ? -ENOMEM : 0;
}

struct al_process *al_run_add_process(struct al_run *run, pid_t pid,
				      struct al_process *parent)
{
	struct al_process *p = calloc(1, sizeof(*p));

	if (!p || al_array_reserve(run->process, run->process_size,
				   run->n_processes + 1)) {
		free(p);
		return NULL;
	}
	p->run = run;
	p->pid = pid;
	p->parent = parent;
	p->root = parent ? parent->root : p;
	p->tree = parent ? parent->tree : ++run->n_trees;
	if (number_new_process_and_set_plan(p) ||
	    al_processes_add(&run->process_table, p)) {
		free(p->plan);
		free(p);
		return NULL;
	}
	run->process[run->n_processes++] = p;
	return p;
}

void al_process_set_start_time(struct al_process *p,
			       unsigned long long start_ticks)
{
	p->start_time = start_ticks;
}

static bool is_alive(const struct al_process *p)
{
	return p->ending != AL_EXITED && p->ending != AL_SIGNALLED;
}

struct al_process *al_run_find_alive_process(struct al_run *run, pid_t pid,
					     unsigned long long start_ticks)
{
	struct al_process *p =
		al_processes_find_newest_by_pid(&run->process_table, pid);

	while (p && (!is_alive(p) || (start_ticks && p->start_time &&
				      p->start_time != start_ticks)))
		p = al_processes_next_older_with_same_key(p, AL_BY_PID);
	return p;
}

struct al_process *al_process_find_alive_child(struct al_process *parent,
					       pid_t pid)
{
	struct al_process *p = al_processes_find_newest_by_pid(
		&parent->run->process_table, pid);

	while (p && (!is_alive(p) || p->parent != parent))
		p = al_processes_next_older_with_same_key(p, AL_BY_PID);
	return p;
}

static char **copy_argv(const char *const *argv)
{
	size_t n = 0;
	char **copy;

	while (argv[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = strdup(argv[i]);
		if (!copy[i]) {
			free_argv(copy);
			return NULL;
		}
	}
	return copy;
}

/* Write the label of the process's next image: "3" for process 3 of the first
   tree, "2.3" in the second tree, "3-2" for its second image, after exec. */
static void format_next_image_label(char label[AL_LABEL],
				    const struct al_process *p)
{
	int n = 0;

	if (p->tree > 1)
		n = snprintf(label, AL_LABEL, "%u.", p->tree);
	n += snprintf(label + n, AL_LABEL - (size_t)n, "%u", p->number);
	if (p->n_images > 0)
		snprintf(label + n, AL_LABEL - (size_t)n, "-%zu",
			 p->n_images + 1);
}

/* Set the process's recording plan, if it has one, in the image's stream, and
   add to the run's total a consumer (a set of analyses) for each of its windows
   with a report of its own; allocate the image's summary, whose size depends on
   the plan. Return: 0; -ENOMEM. */
static int add_plan_and_summary_to_image(struct al_process *p,
					 struct al_run_image *image)
{
	struct al_run *run = p->run;

	if (p->plan &&
	    (al_stream_set_plan_add_window_consumers(image->stream, p->plan) ||
	     al_stream_add_consumer_per_window_output(run->total, p->plan)))
		return -ENOMEM;
	image->summary = al_image_summary_new(run->settings, &run->figures,
					      image->stream,
					      p->plan ? p->plan->windows.n : 0);
	return image->summary ? 0 : -ENOMEM;
}

struct al_stream *al_process_add_and_record_image(struct al_process *p,
						  const struct al_image *image,
						  const struct al_fork *fork)
{
	struct al_run *run = p->run;
	struct al_run_image *bigger, new = {0};
	char label[AL_LABEL];

	bigger = realloc(p->image, (p->n_images + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	p->image = bigger;
	format_next_image_label(label, p);
	new.stream = fork ? al_stream_new_forked_child(fork, label)
			  : al_stream_new(run->settings, run->symbols, label);
	if (!new.stream)
		return NULL;
	new.argv = copy_argv(image->argv);
	if (!new.argv || add_plan_and_summary_to_image(p, &new)) {
		release_image(&new);
		errno = ENOMEM;
		return NULL;
	}
	al_process_begin_image_in_profile(p, image, fork, new.stream);
	if (!run->valgrind && image->valgrind)
		run->valgrind = strdup(image->valgrind);
	p->image[p->n_images++] = new;
	p->ending = AL_RUNNING;
	return new.stream;
}

static struct al_run_image *
find_image_of_existing_stream(struct al_process *p,
			      const struct al_stream *stream)
{
	struct al_run_image *image = p->image;

	while (image->stream != stream)
		image++;
	return image;
}

/* Add the results of an image that has ended to p->total of its process, if the
   JSON document of the process will need them after the stream is freed.
   Return: 0; -ENOMEM. */
static int merge_image_into_total_for_process_json(struct al_process *p,
						   const struct al_stream *s)
{
	const struct al_settings *settings = p->run->settings;

	if (!settings->json_each || (!p->total && p->ending != AL_EXECED))
		return 0;
	if (!p->total) {
		p->total = al_stream_new_without_symbols(settings);
		if (p->total && p->plan &&
		    al_stream_add_consumer_per_window_output(p->total,
							     p->plan)) {
			al_stream_free(p->total);
			p->total = NULL;
		}
	}
	if (!p->total)
		return -ENOMEM;
	al_stream_merge_counts_and_results(p->total, s);
	return 0;
}

void al_process_end_image(struct al_process *p, struct al_stream *stream)
{
	struct al_run *run = p->run;
	struct al_run_image *image = find_image_of_existing_stream(p, stream);

	al_process_record_image_end_in_profile(p, stream);
	al_stream_merge_counts_and_results(run->total, stream);
	(void)!merge_image_into_total_for_process_json(
		p, stream); /* on error the document of the
						   process lacks this image */
	al_image_summary_fill(image->summary, run->settings, &run->figures,
			      p->plan, stream);
	image->has_ended = true;
}

void al_process_free_stream(struct al_process *p, struct al_stream *stream)
{
	find_image_of_existing_stream(p, stream)->stream = NULL;
	al_stream_free(stream);
	al_process_close_ended_own_profile(p);
}

unsigned al_process_number_in_tree_or_0(const struct al_process *p)
{
	return p->number;
}

char *const *al_process_last_image_argv_or_null(const struct al_process *p)
{
	return p->n_images ? p->image[p->n_images - 1].argv : NULL;
}

unsigned al_process_tree_number_in_run(const struct al_process *p)
{
	return p->tree;
}

const struct pt_plan *al_process_recording_plan(const struct al_process *p)
{
	return p->plan;
}

bool al_process_is_followed(const struct al_process *p)
{
	return !p->plan || p->plan->windows.n > 0;
}

void al_process_set_title(struct al_process *p, const char *title)
{
	free(p->title);
	p->title = *title ? strdup(title) : NULL;
}

void al_process_set_environment_once(struct al_process *p,
				     const struct al_environment *e)
{
	if (!p->environment.hash)
		p->environment = *e;
}

void al_process_add_waits(struct al_process *p, uint64_t total_ns,
			  uint64_t wait_count)
{
	p->wait_ns += total_ns;
	p->waits += wait_count;
}

void al_process_add_buffer_counts(struct al_process *p, uint64_t buffer_count,
				  uint64_t total_buffer_bytes)
{
	p->buffers += buffer_count;
	p->buffer_bytes += total_buffer_bytes;
}

struct al_pipeline al_run_time_and_buffer_usage(const struct al_run *run)
{
	struct al_process_sums sums = al_run_sum_losses_waits_and_buffers(run);
	uint64_t used = al_run_counts(run).unit_bytes;

	return (struct al_pipeline){
		.wall_ns = run->wall_ns,
		.wait_ns = sums.wait_ns,
		.idle_ns = run->worker_idle_ns,
		.busy_ns = run->worker_busy_ns,
		.buffers = sums.buffers,
		.unused =
			sums.buffer_bytes > used ? sums.buffer_bytes - used : 0,
	};
}

void al_process_add_lost_accesses(struct al_process *p, uint64_t accesses,
				  const char *why_if_first)
{
	p->lost_accesses += accesses;
	if (!p->lossy)
		p->lossy = why_if_first;
}

void al_process_add_lost_messages(struct al_process *p, uint64_t message_count)
{
	p->lost_messages += message_count;
}

void al_process_set_truncated_once(struct al_process *p, const char *why)
{
	if (!p->truncated)
		p->truncated = why;
}

void al_run_set_profile_status(struct al_run *run, enum al_status status,
			       const char *why)
{
	run->profile_status = status;
	snprintf(run->profile_reason, sizeof(run->profile_reason), "%s", why);
}

void al_process_set_ending(struct al_process *p, enum al_ending ending,
			   int exit_code_or_signal)
{
	p->ending = ending;
	p->exit_value = exit_code_or_signal;
}

void al_run_set_wait_status_of_oldest_process(struct al_run *run, pid_t pid,
					      int wait_status)
{
	struct al_process *p =
		al_processes_find_newest_by_pid(&run->process_table, pid);
	struct al_process *first = NULL;

	for (; p; p = al_processes_next_older_with_same_key(p, AL_BY_PID))
		if (p->n_images > 0)
			first = p;
	if (first)
		al_process_set_wait_status_if_final(first, wait_status);
}

void al_process_set_wait_status_if_final(struct al_process *p, int wait_status)
{
	if (!WIFEXITED(wait_status) && !WIFSIGNALED(wait_status))
		return;
	p->is_waited = true;
	p->wait_status = wait_status;
}

void al_run_set_times(struct al_run *run, uint64_t wall_ns,
		      uint64_t worker_idle_ns, uint64_t worker_busy_ns)
{
	run->wall_ns = wall_ns;
	run->worker_idle_ns = worker_idle_ns;
	run->worker_busy_ns = worker_busy_ns;
}

void al_run_add_worker_or_ring_decision(struct al_run *run,
					const struct al_decision *d)
{
	al_decisions_append_merge_if_full(&run->decisions, d);
}

bool al_run_has_analysis_with_error(const struct al_run *run)
{
	const void *state;
	bool stopped = false;

	for (unsigned v = 0;
	     v < al_stream_max_consumer_number_plus_1(run->total); v++)
		for (size_t i = 0; i < run->settings->n_analyses; i++)
			stopped |= al_stream_has_consumer(run->total, v) &&
				   al_run_analysis_state_and_error(run, v, i,
								   &state) != 0;
	return stopped;
}

void al_run_save_outputs_and_profiles(struct al_run *run)
{
	al_stream_save_consumer_outputs(run->total,
					al_run_command_argv_or_empty(run));
	al_run_end_profiles_and_write_queues(run);
}

int al_run_incomplete_exit_code_or_0(const struct al_run *run)
{
	const struct al_settings *s = run->settings;

	if (s->strict && !al_run_has_opened_all_windows(run))
		return s->error_exitcode ? s->error_exitcode : 1;
	return al_run_is_fully_recorded_and_analysed(run) ? 0
							  : s->error_exitcode;
}

bool al_run_has_complete_status(const struct al_run *run)
{
	const char *why;

	return al_run_status(run, &why) == AL_COMPLETE;
}

bool al_run_is_fully_recorded_and_analysed(const struct al_run *run)
{
	return al_run_has_complete_status(run) &&
	       !al_run_has_analysis_with_error(run);
}
