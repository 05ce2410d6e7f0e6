/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.c - sorts the processes of a run, and derives status, sums and results
 * from its state
 */
#include "lib/run/state.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/recover/counts.h"
#include "lib/run/profile_files.h"

const char *al_run_status_name(enum al_status status)
{
	static const char *const name[] = {"complete", "lossy", "truncated"};

	return name[status];
}

char *const *al_process_image_argv_or_empty(const struct al_process *p,
					    size_t image_index)
{
	static char *const none[] = {NULL};

	return image_index < p->n_images ? p->image[image_index].argv : none;
}

char *const *al_run_command_argv_or_empty(const struct al_run *run)
{
	static const struct al_process none;

	return al_process_image_argv_or_empty(
		run->n_processes ? run->process[0] : &none, 0);
}

static int compare_processes_by_number(const void *va, const void *vb)
{
	const struct al_process *a = *(struct al_process *const *)va;
	const struct al_process *b = *(struct al_process *const *)vb;

	/* Processes without a number come last. */
	if (!a->number || !b->number)
		return !a->number - !b->number;
	if (a->tree != b->tree)
		return a->tree < b->tree ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Store the wait status of a child. Process ids are reused: the status belongs
   to the oldest child with this pid whose status is not known. */
static void set_oldest_child_wait_status(struct al_process *parent,
					 const struct al_child_exit *child_exit)
{
	struct al_process *p = al_processes_find_newest_by_pid(
		&parent->run->process_table, (pid_t)child_exit->pid);
	struct al_process *oldest = NULL;

	for (; p; p = al_processes_next_older_with_same_key(p, AL_BY_PID))
		if (p->parent == parent && !p->is_waited)
			oldest = p;
	if (oldest)
		al_process_set_wait_status_if_final(oldest,
						    (int)child_exit->status);
}

/* Store the wait statuses that the process has received from its children since
   the last call. */
static void store_new_wait_statuses_of_children(struct al_process *p)
{
	for (size_t i = 0; i < p->n_images; i++) {
		struct al_run_image *image = &p->image[i];
		const struct al_image_summary *e = image->summary;

		while (image->n_applied_exits < e->n_children)
			set_oldest_child_wait_status(
				p, &e->child[image->n_applied_exits++]);
	}
}

/* Set the run's profile_status and profile_reason by the first error of a
   profile; unchanged if no profile has an error. */
static void set_status_by_first_profile_error(struct al_run *run)
{
	char why[AL_PROFILE_REASON];
	int err = run->profiles_error;

	for (size_t i = 0; i < run->n_profile_files && !err; i++)
		err = al_profile_file_error_or_0(run->profile_file[i]);
	if (!err)
		return;
	snprintf(why, sizeof(why), "profile: %s", strerror(-err));
	al_run_set_profile_status(run, AL_TRUNCATED, why);
}

void al_run_sort_processes_update_statuses(struct al_run *run)
{
	set_status_by_first_profile_error(run);
	if (run->n_processes)
		qsort(run->process, run->n_processes,
		      sizeof(struct al_process *), compare_processes_by_number);
	for (size_t i = 0; i < run->n_processes; i++)
		store_new_wait_statuses_of_children(run->process[i]);
}

enum al_ending al_process_ending(const struct al_process *p,
				 int *exit_code_or_signal)
{
	if (!p->is_waited) {
		*exit_code_or_signal = p->exit_value;
		return p->ending;
	}
	if (WIFEXITED(p->wait_status)) {
		*exit_code_or_signal = WEXITSTATUS(p->wait_status);
		return AL_EXITED;
	}
	*exit_code_or_signal = WTERMSIG(p->wait_status);
	return AL_SIGNALLED;
}

bool al_process_has_ended_by_unrecorded_exec(const struct al_process *p)
{
	return al_process_is_followed(p) && p->ending == AL_EXECED &&
	       p->n_images > 0 && !p->truncated;
}

size_t al_run_count_unrecorded_execs(const struct al_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_processes; i++)
		n += al_process_has_ended_by_unrecorded_exec(run->process[i]);
	return n;
}

enum al_status al_process_completeness_and_reason(const struct al_process *p,
						  const char **why)
{
	int value;

	*why = NULL;
	if (!al_process_is_followed(p))
		return AL_COMPLETE;
	*why = p->truncated;
	if (*why)
		return AL_TRUNCATED;
	if (al_process_ending(p, &value) == AL_SIGNALLED && value == SIGKILL) {
		*why = "killed by signal 9";
		return AL_TRUNCATED;
	}
	if (al_process_ending(p, &value) == AL_RUNNING) {
		*why = "still running";
		return AL_TRUNCATED;
	}
	*why = p->lossy;
	return *why ? AL_LOSSY : AL_COMPLETE;
}

size_t al_run_count_numbered_processes(const struct al_run *run)
{
	size_t n = run->n_processes;

	while (n > 0 && run->process[n - 1]->number == 0)
		n--;
	return n;
}

const struct al_process *
al_run_find_worst_status_process(const struct al_run *run)
{
	const struct al_process *found = NULL;
	enum al_status worst = AL_COMPLETE;

	for (size_t i = 0; i < run->n_processes; i++) {
		const char *why;
		enum al_status s = al_process_completeness_and_reason(
			run->process[i], &why);

		if (!found || s > worst) {
			worst = s;
			found = run->process[i];
		}
	}
	return worst < run->profile_status ? NULL : found;
}

enum al_status al_run_status(const struct al_run *run, const char **why)
{
	const struct al_process *worst = al_run_find_worst_status_process(run);

	if (worst)
		return al_process_completeness_and_reason(worst, why);
	if (run->profile_status == AL_COMPLETE) {
		*why = "nothing was recorded";
		return AL_TRUNCATED;
	}
	*why = run->profile_reason;
	return run->profile_status;
}

struct al_counts al_process_counts(const struct al_process *p)
{
	struct al_counts sum = {0};

	for (size_t i = 0; i < p->n_images && al_process_is_followed(p); i++) {
		const struct al_run_image *image = &p->image[i];
		struct al_counts c =
			image->has_ended
				? image->summary->counts
				: al_stream_sum_latest_counts(image->stream);

		/* Do not count the first thread of an image after exec: it is
		   the thread of the image before that called exec. */
		if (i && c.threads)
			c.threads--;
		al_counts_add(&sum, &c);
	}
	return sum;
}

struct al_counts al_run_counts(const struct al_run *run)
{
	struct al_counts sum = {0};

	for (size_t i = 0; i < run->n_processes; i++) {
		struct al_counts c = al_process_counts(run->process[i]);

		al_counts_add(&sum, &c);
	}
	return sum;
}

struct al_process_sums
al_run_sum_losses_waits_and_buffers(const struct al_run *run)
{
	struct al_process_sums sum = {0};

	for (size_t i = 0; i < run->n_processes; i++) {
		sum.lost_accesses += run->process[i]->lost_accesses;
		sum.wait_ns += run->process[i]->wait_ns;
		sum.waits += run->process[i]->waits;
		sum.buffers += run->process[i]->buffers;
		sum.buffer_bytes += run->process[i]->buffer_bytes;
	}
	return sum;
}

int al_process_first_analysis_error_or_0(const struct al_process *p,
					 unsigned consumer_number,
					 size_t analysis_index)
{
	int err = 0;

	for (size_t k = 0; k < p->n_images && !err; k++)
		err = al_image_summary_error_or_0(
			p->image[k].summary, consumer_number, analysis_index);
	return err;
}

int al_run_analysis_state_and_error(const struct al_run *run,
				    unsigned consumer_number,
				    size_t analysis_index, const void **state)
{
	int merged = al_stream_analysis_state_and_error(
		    run->total, consumer_number, analysis_index, state),
	    err = 0;

	for (size_t k = 0; k < run->n_processes && !err; k++)
		err = al_process_first_analysis_error_or_0(
			run->process[k], consumer_number, analysis_index);
	return err ? err : merged;
}

/* Return the index of the level that gets the misses of level @level_index in a
   hierarchy that cache options can express; AN_MEMORY for the last level. */
static int expected_next_level_or_memory(const struct an_geometry *g,
					 int level_index)
{
	if (level_index == g->n_levels - 1)
		return AN_MEMORY;
	return level_index < 2 ? 2 : level_index + 1;
}

char *al_geometry_make_cachegrind_options(const struct an_geometry *g)
{
	static const char *const two[] = {"I1", "D1", "LL"};
	static const char *const three[] = {"I1", "D1", "L2", "LL"};
	const char *const *name = g->n_levels == 3 ? two : three;
	char *options = NULL;
	size_t size;
	FILE *f;

	if (g->sweep || g->n_levels < 3 || g->n_levels > 4)
		return NULL;
	for (int i = 0; i < g->n_levels; i++)
		if (strcmp(g->level[i].name, name[i]) ||
		    g->level[i].next != expected_next_level_or_memory(g, i))
			return NULL;
	f = open_memstream(&options, &size);
	if (!f)
		return NULL;
	for (int i = 0; i < g->n_levels; i++)
		fprintf(f, "%s--%s=%" PRIu64 ",%u,%u", i ? " " : "", name[i],
			g->level[i].size, g->level[i].assoc, g->level[i].line);
	if (!fclose(f))
		return options;
	free(options);
	return NULL;
}
