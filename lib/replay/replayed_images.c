/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replayed_images.c - rebuilds the processes and exec images of a profile
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/output_targets.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/replay/replay_state.h"
#include "lib/symbols/perf_map.h"
#include "profile/format/facts.h"

/* 1 + the greatest number of consecutive streams that a damaged profile may
   lack. */
enum { MAX_MISSING = 1 << 16 };

/* ---- start of an image ---- */

static int load_and_decode_image_block(struct al_replay *r,
				       const struct pf_entry *e,
				       struct pf_image *s)
{
	const void *payload;
	int err = al_replay_load_block_payload(r, e, &payload);

	if (!err)
		err = pf_image_facts_decode(payload, e->head.bytes, s);
	return !err && (!s->has_command || !s->number) ? -EBADMSG : err;
}

/* Return the arguments of the exec image, NULL-terminated, to be freed with
   free(); NULL: out of memory. The strings lie in the payload that @s was
   decoded from. */
static const char **new_argv_of_image(const struct pf_image *s)
{
	struct pf_fact_reader f = s->command;
	size_t n = 0, most = (size_t)(f.end - f.pos) + 1;
	const char **argv = calloc(most + 1, sizeof(*argv));

	while (argv && n < most && pf_fact_read_string(&f, &argv[n]))
		n++;
	return argv;
}

static struct al_process *find_process_by_tree_and_number(struct al_run *run,
							  uint64_t tree,
							  uint64_t number)
{
	if (tree > UINT32_MAX || number > UINT32_MAX)
		return NULL;
	return al_processes_find_newest_by_number(
		&run->process_table, (unsigned)tree, (unsigned)number);
}

/* Return the process of the exec image. If it is new, it is added to the run
   with the tree and number that the profile states. NULL: out of memory. */
static struct al_process *
find_or_add_process_by_tree_and_number(struct al_run *run,
				       const struct pf_image *s)
{
	struct al_process *p =
		find_process_by_tree_and_number(run, s->tree, s->number);

	if (p)
		return p;
	p = al_run_add_process(run, (pid_t)s->pid,
			       s->parent ? find_process_by_tree_and_number(
						   run, s->tree, s->parent)
					 : NULL);
	if (p)
		al_processes_renumber(&run->process_table, p, (unsigned)s->tree,
				      (unsigned)s->number);
	return p;
}

/* Set the plan of the process to a copy of the exec image's plan if the image
   is the process's first and has one. Return: 0; -EBADMSG if the plan is
   invalid; -ENOMEM. */
static int set_plan_from_first_image(struct al_process *p,
				     const struct pf_image *s)
{
	if (p->plan || p->n_images > 0 || !s->plan)
		return 0;
	p->plan = al_process_plan_copy_if_valid(s->plan, s->plan_bytes);
	if (p->plan)
		return 0;
	return errno == ENOMEM ? -ENOMEM : -EBADMSG;
}

/* Store @s in the table of streams under a number above all others; lost
   streams below it become NULL. Return: 0; -ENOMEM. */
static int store_stream_at_new_number(struct al_replay *r,
				      uint32_t new_highest_number,
				      struct al_replay_stream *s)
{
	struct al_replay_stream **bigger;
	uint32_t n = new_highest_number + 1;

	bigger = realloc(r->stream, n * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	r->stream = bigger;
	while (r->n_streams < n)
		r->stream[r->n_streams++] = NULL;
	r->stream[new_highest_number] = s;
	return 0;
}

/* Set new->process and new->stream for exec image @s: add the process if it is
   new, set its plan, and add the image to it. Return: 0; -EBADMSG if the image
   is invalid or the stream that it was forked from is missing; -ENOMEM. */
static int set_up_stream_of_image(struct al_replay *r, const struct pf_image *s,
				  struct al_replay_stream *new)
{
	struct al_image image = {NULL, s->directory, s->valgrind, s->fields};
	const char **argv;
	int err;
	struct al_fork fork = {
		.n_blocks = (uint32_t)s->n_blocks,
		.log = s->fork_log,
	};

	if (s->forked) {
		if (s->fork_of < r->n_streams && r->stream[s->fork_of])
			fork.parent = r->stream[s->fork_of]->stream;
		if (!fork.parent)
			return -EBADMSG;
	}
	new->process = find_or_add_process_by_tree_and_number(r->run, s);
	if (!new->process)
		return -ENOMEM;
	err = set_plan_from_first_image(new->process, s);
	if (err)
		return err;
	argv = new_argv_of_image(s);
	if (!argv)
		return -ENOMEM;
	image.argv = argv;
	new->stream = al_process_add_and_record_image(new->process, &image,
						      s->forked ? &fork : NULL);
	free(argv);
	if (!new->stream)
		return errno == ENOMEM ? -ENOMEM : -EBADMSG;
	al_process_write_profile_queue(new->process);
	al_stream_enable_load_stage(new->stream);
	return 0;
}

/* Whether @number is above all streams so far, and at most MAX_MISSING - 1
   numbers lie between. Streams have consecutive numbers, but a damaged file may
   lack some. */
static bool is_stream_number_new_and_near(const struct al_replay *r,
					  uint32_t number)
{
	return number >= r->n_streams && number - r->n_streams < MAX_MISSING;
}

static int create_and_store_stream(struct al_replay *r, uint32_t number,
				   const struct pf_image *s)
{
	struct al_replay_stream *new = calloc(1, sizeof(*new));
	int err = new ? 0 : -ENOMEM;

	pthread_mutex_lock(&r->lock);
	if (!err)
		err = set_up_stream_of_image(r, s, new);
	if (!err)
		err = store_stream_at_new_number(r, number, new);
	pthread_mutex_unlock(&r->lock);
	if (err)
		free(new);
	return err;
}

/* ---- forks ---- */

int al_replay_init_pending_fork_counts(struct al_replay *r)
{
	int err = 0;

	r->pending_forks = calloc(r->n_entries + 1, sizeof(*r->pending_forks));
	if (!r->pending_forks)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_entries && err != -ENOMEM; i++) {
		struct pf_image s = {0};

		if (r->entry[i].head.kind != PF_IMAGE)
			continue;
		err = load_and_decode_image_block(r, &r->entry[i], &s);
		if (s.forked && s.fork_of < r->n_entries)
			r->pending_forks[s.fork_of]++;
	}
	return err == -ENOMEM ? err : 0;
}

/* Free the al_stream and the buffers of stream @stream_number if it has ended
   and no stream remains to be forked from it. Context: lock held. */
static void free_ended_stream_if_no_fork_left(struct al_replay *r,
					      uint64_t stream_number)
{
	struct al_replay_stream *s =
		stream_number < r->n_streams ? r->stream[stream_number] : NULL;

	if (!s || !s->is_merged || !s->stream ||
	    stream_number >= r->n_entries || r->pending_forks[stream_number])
		return;
	al_process_free_stream(s->process, s->stream);
	s->stream = NULL;
	for (unsigned i = 0; i < AL_MAX_IN_FLIGHT; i++)
		free(s->in_flight[i].words);
	memset(s->in_flight, 0, sizeof(s->in_flight));
}

/* Count one fork of stream @parent_stream_number as done, and free that stream
   if it has ended and no fork is left. Acquires the lock. */
static void count_fork_done_free_parent_if_last(struct al_replay *r,
						uint64_t parent_stream_number)
{
	pthread_mutex_lock(&r->lock);
	if (parent_stream_number < r->n_entries &&
	    r->pending_forks[parent_stream_number])
		r->pending_forks[parent_stream_number]--;
	free_ended_stream_if_no_fork_left(r, parent_stream_number);
	pthread_mutex_unlock(&r->lock);
}

int al_replay_stream_begin(struct al_replay *r, const struct pf_entry *e)
{
	struct pf_image s = {0};
	int err = is_stream_number_new_and_near(r, e->head.stream)
			  ? load_and_decode_image_block(r, e, &s)
			  : -EBADMSG;

	if (!err)
		err = create_and_store_stream(r, e->head.stream, &s);
	if (s.forked)
		count_fork_done_free_parent_if_last(r, s.fork_of);
	return err;
}

/* ---- end of an image ---- */

/* Store in the process how its exec image ended, the losses, title, environment
   and buffers. The counts in @e are sums over all images of the process so
   far. */
static void store_image_end(struct al_replay *r, struct al_process *p,
			    const struct pf_end *e)
{
	static const enum al_ending endings[] = {
		[PF_EXITED] = AL_EXITED,
		[PF_SIGNALLED] = AL_SIGNALLED,
		[PF_EXECED] = AL_EXECED,
	};

	if (e->ending >= PF_EXITED && e->ending <= PF_EXECED)
		al_process_set_ending(p, endings[e->ending], (int)e->value);
	if (e->lossy) {
		p->lost_accesses = e->lost;
		p->lossy = al_symbols_intern_or_question_marks(r->symbols,
							       e->lossy);
	}
	p->lost_messages = e->lost_messages;
	al_process_set_title(p, e->title ? e->title : "");
	al_process_set_environment_once(
		p, &(struct al_environment){e->variables, e->environment_bytes,
					    e->environment_hash});
	if (e->buffers) {
		p->buffers = e->buffers;
		p->buffer_bytes = e->buffer_bytes;
	}
	if (e->truncated)
		al_process_set_truncated_once(
			p, al_symbols_intern_or_question_marks(r->symbols,
							       e->truncated));
}

/* Add the names of code generated at run time, from the block that ends an exec
   image, to the stream's names. Does nothing if the block is damaged. */
static void add_jit_names_of_end_block(struct al_replay *r, struct al_stream *s,
				       const struct pf_entry *e)
{
	struct al_perfmap *jit_names = al_stream_jit_names(s);
	const void *payload;
	struct pf_fact_reader f;
	size_t offset = 0;
	uint64_t start, size;
	const char *name;

	if (al_replay_load_block_payload(r, e, &payload))
		return;
	while (pf_records_read_next_fact_or_0_at_end(payload, e->head.bytes,
						     &offset, &f) > 0)
		if (f.kind == PF_MADE && pf_fact_read_u64(&f, &start) &&
		    pf_fact_read_u64(&f, &size) &&
		    pf_fact_read_string(&f, &name))
			(void)!al_perfmap_add(
				jit_names, start, size,
				al_symbols_intern_or_question_marks(r->symbols,
								    name));
	al_perfmap_sort_and_set_max_ends(jit_names);
}

void al_replay_stream_finish_and_merge(struct al_replay *r,
				       struct al_replay_stream *s,
				       const struct pf_entry *e)
{
	const void *payload;
	struct pf_end end;
	int err;

	add_jit_names_of_end_block(r, s->stream, e);
	al_stream_finish_counts_and_analyses(s->stream);
	err = al_replay_load_block_payload(r, e, &payload);
	pthread_mutex_lock(&r->lock);
	if (!err) {
		err = pf_stream_end_facts_decode(payload, e->head.bytes, &end);
		store_image_end(r, s->process, &end);
	}
	if (err) {
		pf_reader_count_damaged_once(r->reader, e);
		al_process_set_truncated_once(s->process,
					      "the profile is damaged");
	}
	al_process_end_image(s->process, s->stream);
	al_process_write_profile_queue(s->process);
	s->is_merged = s->is_fed = true;
	free_ended_stream_if_no_fork_left(r, e->head.stream);
	pthread_mutex_unlock(&r->lock);
}

void al_replay_stream_finish_truncated(struct al_replay_stream *s,
				       const char *why)
{
	al_process_set_truncated_once(s->process, why);
	al_stream_finish_counts_and_analyses(s->stream);
	al_process_end_image(s->process, s->stream);
	s->is_merged = true;
}

/* Read a wait status that a parent received, and store it in the process that
   ended, if that is known. Return: false if the record is truncated. */
static bool read_process_wait_status(struct al_run *run,
				     struct pf_fact_reader *f)
{
	uint64_t tree, number, status;
	struct al_process *p;

	if (!pf_fact_read_u64(f, &tree) || !pf_fact_read_u64(f, &number) ||
	    !pf_fact_read_u64(f, &status))
		return false;
	p = find_process_by_tree_and_number(run, tree, number);
	if (p)
		al_process_set_wait_status_if_final(p, (int)status);
	return true;
}

/* Return the status of this name; AL_COMPLETE if it is not known. */
static enum al_status status_of_name(const char *name)
{
	enum al_status s = AL_TRUNCATED;

	while (s > AL_COMPLETE && strcmp(name, al_run_status_name(s)) != 0)
		s--;
	return s;
}

/* Read the status of the profile, and store it in the replay with the reason
   why the profile is not complete, if there is one. Return: false if the record
   is truncated. */
static bool read_profile_status(struct al_replay *r, struct pf_fact_reader *f)
{
	const char *status, *why;

	if (!pf_fact_read_string(f, &status) || !pf_fact_read_string(f, &why))
		return false;
	r->profile_status = status_of_name(status);
	if (*why)
		r->incomplete_reason =
			al_symbols_intern_or_question_marks(r->symbols, why);
	return true;
}

/* Store a record of the block that ends the run: PF_SEEN, the status of a
   process as its parent received it from wait(), or PF_STATUS, the reason why
   the profile is not complete. Other kinds are ignored. Return: false if the
   record is truncated. */
static bool read_process_wait_or_profile_status(struct al_replay *r,
						struct pf_fact_reader *f)
{
	switch (f->kind) {
	case PF_SEEN:
		return read_process_wait_status(r->run, f);
	case PF_STATUS:
		return read_profile_status(r, f);
	}
	return true;
}

void al_replay_read_wait_and_profile_statuses(struct al_replay *r,
					      const struct pf_entry *e)
{
	const void *payload;
	size_t offset = 0;
	struct pf_fact_reader f;
	bool whole = true;
	int more;

	if (al_replay_load_block_payload(r, e, &payload))
		return;
	pthread_mutex_lock(&r->lock);
	while ((more = pf_records_read_next_fact_or_0_at_end(
			payload, e->head.bytes, &offset, &f)) > 0)
		whole &= read_process_wait_or_profile_status(r, &f);
	pthread_mutex_unlock(&r->lock);
	if (more < 0 || !whole)
		pf_reader_count_damaged_once(r->reader, e);
}

/* ---- outputs ---- */

static int check_own_outputs_of_plan_windows(const struct al_replay *r,
					     const struct pt_plan *plan,
					     char *message)
{
	const struct pt_window *w = pt_plan_windows(plan);
	int err = 0;

	for (uint32_t i = 0; i < plan->windows.n && !err; i++)
		if (w[i].flags & PT_WINDOW_OWN_OUTPUT)
			err = al_targets_check_window_output_files(
				r->settings, pt_plan_string(plan, w[i].name),
				message);
	return err;
}

int al_replay_check_window_output_paths(struct al_replay *r, char *message)
{
	int err = 0;

	if (r->settings->no_per_window)
		return 0;
	for (size_t i = 0; i < r->n_entries && !err; i++) {
		struct pf_image s = {0};
		struct pt_plan *plan = NULL;

		if (r->entry[i].head.kind == PF_IMAGE &&
		    load_and_decode_image_block(r, &r->entry[i], &s) == 0 &&
		    s.plan)
			plan = al_process_plan_copy_if_valid(s.plan,
							     s.plan_bytes);
		if (plan)
			err = check_own_outputs_of_plan_windows(r, plan,
								message);
		free(plan);
	}
	return err;
}
