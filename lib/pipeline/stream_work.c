/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_work.c - does the stages of a stream's chunks, from loading to tail;
 *                 see stream.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/clock.h"
#include "lib/pipeline/stream_state.h"
#include "lib/record/recording.h"
#include "lib/recover/chunk_counts.h"
#include "lib/recover/memory_bounds.h"
#include "lib/recover/page_index.h"
#include "proto/unit.h"

/* Limits on how often the counts of a recoverer that becomes idle are updated
   for the status line. */
enum {
	COUNTS_EVERY_NS = 300000000, /* shortest interval between two updates */
	COUNTS_SHARE = 64,	     /* the next update follows at least 64
					times the duration of an update
					later */
};

/* Return the memory of the in-flight slot of chunk number @chunk_number (from
   0), which is in flight or is being begun. */
static struct al_recovered_chunk *
get_inflight_slot_memory_of_chunk(struct al_stream *s, uint64_t chunk_number)
{
	return &s->chunk[chunk_number % s->stages.max_in_flight];
}

unsigned al_stream_max_chunks_in_flight(const struct al_stream *s)
{
	return s->stages.max_in_flight;
}

void al_stream_begin_chunk(struct al_stream *s, const uint64_t *chunk_words,
			   size_t bytes,
			   size_t dead_process_committed_bytes_or_0)
{
	struct al_recovered_chunk *p =
		get_inflight_slot_memory_of_chunk(s, s->stages.n_begun);

	p->inflight_slot = s->stages.n_begun % s->stages.max_in_flight;
	p->base = (const uint32_t *)chunk_words;
	p->bytes = bytes;
	p->end = dead_process_committed_bytes_or_0;
	p->begin_ns = s->writer ? al_now_ns() : 0;
	al_stream_lock(s);
	p->error = s->log_error;
	al_stream_unlock(s);
	al_stages_begin_chunk(&s->stages);
}

void al_stream_enable_load_stage(struct al_stream *s)
{
	s->stages.has_load = true;
}

void al_stream_begin_chunk_to_load(struct al_stream *s,
				   const uint64_t *load_target_words,
				   size_t bytes, al_load_fn *load, void *arg)
{
	struct al_recovered_chunk *p =
		get_inflight_slot_memory_of_chunk(s, s->stages.n_begun);

	p->load = load;
	p->load_arg = arg;
	al_stream_begin_chunk(s, load_target_words, bytes, 0);
}

bool al_stream_choose_job_for_worker(struct al_stream *s,
				     struct al_job *chosen_job, unsigned worker)
{
	return al_stages_assign_job(&s->stages, chosen_job, worker);
}

unsigned al_stream_count_runnable_jobs(const struct al_stream *s)
{
	return al_stages_count_runnable_jobs(&s->stages);
}

int al_stream_error(const struct al_stream *s)
{
	return s->error;
}

unsigned al_stream_largest_partition_count(const struct al_stream *s)
{
	return s->stages.n_partitions;
}

/* ---- recovery ---- */

static void load_chunk_unless_failed(struct al_recovered_chunk *p)
{
	if (!p->error)
		p->error = p->load(p->load_arg);
}

/* Remove a recoverer from the list of idle ones, or create one, and return it;
   NULL when memory is short. */
static struct al_recoverer *acquire_idle_or_new_recoverer(struct al_stream *s)
{
	struct al_recoverer *r;
	struct al_counted_recoverer *w;

	al_stream_lock(s);
	r = s->idle_recoverers;
	if (r != NULL)
		s->idle_recoverers = r->next;
	al_stream_unlock(s);
	if (r != NULL)
		return r;
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return NULL;
	w->recoverer.recovery = &s->recovery;
	al_stream_lock(s);
	w->next = s->recoverers;
	s->recoverers = w;
	al_stream_unlock(s);
	return &w->recoverer;
}

/* Make a recoverer idle, and update its counts for the status line if that is
   due. */
static void make_recoverer_idle(struct al_stream *s, struct al_recoverer *r)
{
	uint64_t start = al_now_ns(), pause;
	struct al_counted_recoverer *w = (struct al_counted_recoverer *)r;
	struct al_counts c = {0};
	bool count = start >= w->next_update_ns;

	if (count) {
		al_counts_add_executions_of_recoverer(&c, r);
		pause = COUNTS_SHARE * (al_now_ns() - start);
		w->next_update_ns =
			start +
			(pause > COUNTS_EVERY_NS ? pause : COUNTS_EVERY_NS);
	}
	al_stream_lock(s);
	if (count)
		w->counts = c;
	w->has_uncounted = !count;
	r->next = s->idle_recoverers;
	s->idle_recoverers = r;
	al_stream_unlock(s);
}

/* Set p->copy to an idle buffer for a copy of the chunk, or NULL if there is
   none. The buffer that was used last is chosen, because it is likely still in
   the processor's cache. */
static void assign_idle_copy_buffer_or_null(struct al_stream *s,
					    struct al_recovered_chunk *p)
{
	al_stream_lock(s);
	p->copy = s->idle_copies;
	if (p->copy != NULL)
		s->idle_copies = p->copy->next;
	al_stream_unlock(s);
}

static void return_copy_buffer_to_idle_list(struct al_stream *s,
					    struct al_recovered_chunk *p)
{
	if (p->copy == NULL)
		return;
	al_stream_lock(s);
	p->copy->next = s->idle_copies;
	s->idle_copies = p->copy;
	al_stream_unlock(s);
	p->copy = NULL;
}

/* Check the chunk's header and recover its units. @copy_words_first: copy the
   chunk first, and recover the copy. Return: 0; the error that the chunk has
   already (p->error); -EPROTO: the header is invalid; -ENOMEM; else the error
   of the first unit that cannot be recovered. */
static int check_head_and_recover_units_of_chunk(struct al_recoverer *r,
						 struct al_recovered_chunk *p,
						 bool copy_words_first)
{
	uint64_t committed =
		p->end ? p->end
		       : pt_read_shared_unaligned_u64_once(p->base + 2);
	struct al_unit_reader c = {NULL, PT_CHUNK_HEAD / 4, committed / 4};
	int err = al_recovered_chunk_clear_and_reserve(p);

	if (err || p->error)
		return p->error ? p->error : err;
	/* An analysis may read one slot (8 bytes) more than an execution has,
	   so 8 bytes must follow the units. */
	if (pt_read_shared_u32_relaxed(p->base) !=
		    pt_encode_control_unit_header(PT_CHUNK, PT_CHUNK_HEAD) ||
	    committed % 4 != 0 || committed < PT_CHUNK_HEAD ||
	    committed > p->bytes - 8)
		return -EPROTO;
	if (copy_words_first)
		err = al_recovered_chunk_point_base_at_copy(p, committed);
	if (err)
		return err;
	c.base = p->base;
	err = al_recover_units(r, &c, p);
	p->recovered_bytes = c.next * 4;
	return err;
}

static void recover_chunk_and_set_its_error(struct al_stream *s,
					    struct al_recovered_chunk *p)
{
	struct al_recoverer *r = acquire_idle_or_new_recoverer(s);

	if (r == NULL) {
		al_recovered_chunk_clear_and_reserve(p);
		p->error = -ENOMEM;
		return;
	}
	if (s->writer != NULL)
		assign_idle_copy_buffer_or_null(s, p);
	p->error =
		check_head_and_recover_units_of_chunk(r, p, s->writer != NULL);
	if (s->writer != NULL &&
	    al_recoverer_set_counts_and_far_pages(r, p) != 0)
		p->error = -ENOMEM;
	make_recoverer_idle(s, r);
}

/* ---- preparation ---- */

static int
append_chunk_child_exits_to_stream(struct al_stream *s,
				   const struct al_recovered_chunk *p)
{
	size_t n = s->n_children + p->n_children;
	void *child;

	if (p->n_children == 0)
		return 0;
	if (n > AL_MAX_CHILDREN)
		return -AL_E_CHILDREN;
	child = realloc(s->child, n * sizeof(*s->child));
	if (child == NULL)
		return -ENOMEM;
	s->child = child;
	memcpy(s->child + s->n_children, p->child,
	       p->n_children * sizeof(*p->child));
	s->n_children = n;
	return 0;
}

/* Append the chunk's executions that warm lanes (thread filters of warm-ups)
   may select to the history, then add the warm batches of consumer 0. This must
   be done before the chunk's new blocks are listed, because warm batches add
   blocks to the exec image's. Return: 0; -errno. */
static int
append_execs_to_history_add_warm_batches(struct al_stream *s,
					 const struct al_recovered_chunk *p)
{
	int err = al_history_append_copy_of_warmup_execs(s->history, p);

	return err ? err
		   : al_consumer_add_warm_batches(s->consumer[0], p,
						  s->history);
}

/* Add the chunk's exits of children, warm-ups, and counts of marks and bytes to
   the stream, and set its list of new blocks. If an earlier chunk had an error,
   first empty the chunk and subtract its executions. An error of this chunk
   becomes prepare_error. */
static void add_chunk_to_stream_empty_after_error(struct al_stream *s,
						  struct al_recovered_chunk *p)
{
	if (s->prepare_error) {
		al_recovery_uncount_and_clear_chunk(&s->recovery, p);
		p->recovered_bytes = 0;
	}
	if (!s->prepare_error)
		s->prepare_error = p->error;
	if (!s->prepare_error)
		s->prepare_error = append_chunk_child_exits_to_stream(s, p);
	if (!s->prepare_error && s->history)
		s->prepare_error =
			append_execs_to_history_add_warm_batches(s, p);
	if (p->n_execs > 0)
		s->last_exec = p->exec[p->n_execs - 1];
	al_stream_lock(s);
	if (!s->prepare_error && s->writer)
		s->prepare_error = al_site_code_add_allocation_call_stacks(
			&s->site_code, &s->recovery.blocks, p);
	for (size_t i = 0; i < p->n_marks; i++) {
		s->published.threads += p->mark[i].kind == PT_THREAD_START;
		s->published.signals += p->mark[i].kind == PT_SIGNAL;
		if (p->mark[i].kind == PT_WINDOW_OPEN)
			s->window_counts[p->mark[i].id].openings++;
	}
	s->published.unit_bytes += p->recovered_bytes;
	p->n_blocks = al_executed_detach_and_count_new_blocks(
		&s->recovery.executed, &p->block);
	al_stream_unlock(s);
}

static enum an_chunk_mode
prepare_chunk_for_consumers(struct al_stream *s, struct al_recovered_chunk *p)
{
	enum an_chunk_mode strictest = AN_CHUNK_CONTINUE;

	add_chunk_to_stream_empty_after_error(s, p);
	for (unsigned i = 0; i < s->n_consumers; i++) {
		int err = al_consumer_fill_chunk(s->consumer[i], p, s->history);
		enum an_chunk_mode mode = al_consumer_prepare_chunk(
			s->consumer[i], p->inflight_slot);

		if (!s->prepare_error)
			s->prepare_error = err;
		if (mode > strictest)
			strictest = mode;
		if (al_consumer_has_warm_batches(s->consumer[i],
						 p->inflight_slot) &&
		    s->stages.n_partitions > 1)
			strictest = AN_CHUNK_SERIAL;
	}
	if (s->history)
		al_history_free_chunks_beyond_warmups(s->history);
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_set_chunk_is_serial(s->consumer[i],
						p->inflight_slot,
						strictest == AN_CHUNK_SERIAL);
	return strictest;
}

/* ---- storing in a profile ---- */

static void encode_chunk_for_profile(struct al_stream *s,
				     struct al_recovered_chunk *p)
{
	struct al_recoverer *r = acquire_idle_or_new_recoverer(s);
	int err;

	if (r != NULL && r->page_index == NULL)
		r->page_index = al_page_index_new(r->recovery);
	err = al_stream_writer_pack_chunk(s->writer, r ? r->page_index : NULL,
					  p, &p->encoded_block);
	if (r != NULL)
		make_recoverer_idle(s, r);
	if (!err)
		return;
	al_stream_lock(s);
	s->store_error = err;
	al_stream_unlock(s);
}

static void append_encoded_block_to_profile(struct al_stream *s,
					    struct al_recovered_chunk *p)
{
	al_stream_writer_queue_block_of_chunk(s->writer, p, p->encoded_block);
	p->encoded_block = NULL;
}

/* ---- analysis ---- */

static void scatter_chunk_to_partitions(struct al_stream *s,
					struct al_recovered_chunk *p)
{
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_scatter_chunk(s->consumer[i], p->inflight_slot);
}

static void run_partition_of_each_analysis(struct al_stream *s,
					   struct al_recovered_chunk *p,
					   unsigned partition_index)
{
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_run_partition_of_analyses(
			s->consumer[i], p->inflight_slot, partition_index);
}

static void append_to_profile_analyze_gather_chunk(struct al_stream *s,
						   struct al_recovered_chunk *p)
{
	if (s->writer != NULL)
		append_encoded_block_to_profile(s, p);
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_pass_batches_and_gather(s->consumer[i],
						    p->inflight_slot);
}

static void
run_tail_stage_of_consumers_store_errors(struct al_stream *s,
					 struct al_recovered_chunk *p)
{
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_run_tail_stage(s->consumer[i], p->inflight_slot);
}

static void run_job_stage_on_chunk(struct al_stream *s, struct al_job *job,
				   uint64_t chunk_number)
{
	struct al_recovered_chunk *p =
		get_inflight_slot_memory_of_chunk(s, chunk_number);

	switch (job->stage) {
	case AL_LOAD:
		load_chunk_unless_failed(p);
		break;
	case AL_RECOVER:
		recover_chunk_and_set_its_error(s, p);
		break;
	case AL_PREPARE:
		job->mode = prepare_chunk_for_consumers(s, p);
		break;
	case AL_STORE:
		encode_chunk_for_profile(s, p);
		break;
	case AL_SCATTER:
		scatter_chunk_to_partitions(s, p);
		break;
	case AL_PARTITION:
		run_partition_of_each_analysis(s, p, job->partition);
		break;
	case AL_GATHER:
		append_to_profile_analyze_gather_chunk(s, p);
		break;
	case AL_TAIL:
		run_tail_stage_of_consumers_store_errors(s, p);
		break;
	case AL_STAGES:
		break;
	}
}

void al_stream_run_and_time_job(struct al_stream *s, struct al_job *job)
{
	uint64_t ns = al_now_ns();

	for (uint64_t n = job->first_chunk; n < job->end_chunk; n++)
		run_job_stage_on_chunk(s, job, n);
	ns = al_now_ns() - ns;
	al_stream_lock(s);
	s->published.stage_ns[job->stage] += ns;
	if (job->stage == AL_RECOVER)
		s->published.recovery_ns += ns;
	else if (job->stage != AL_LOAD && job->stage != AL_STORE)
		s->published.analysis_ns += ns;
	al_stream_unlock(s);
}

static int get_store_error_under_lock(struct al_stream *s)
{
	int err;

	al_stream_lock(s);
	err = s->store_error;
	al_stream_unlock(s);
	return err;
}

bool al_stream_finish_job_return_chunk_ended(struct al_stream *s,
					     const struct al_job *job)
{
	if (job->stage == AL_PREPARE && !s->error)
		s->error = s->prepare_error;
	if (job->stage == AL_STORE && !s->error)
		s->error = get_store_error_under_lock(s);
	if (!al_stages_finish_job_return_chunk_ended(&s->stages, job))
		return false;
	return_copy_buffer_to_idle_list(
		s, get_inflight_slot_memory_of_chunk(s, job->first_chunk));
	return true;
}

int al_stream_process_chunk_in_this_thread(
	struct al_stream *s, const uint64_t *chunk_words, size_t bytes,
	size_t dead_process_committed_bytes_or_0)
{
	struct al_job job;

	al_stream_begin_chunk(s, chunk_words, bytes,
			      dead_process_committed_bytes_or_0);
	while (al_stream_choose_job_for_worker(s, &job, 1)) {
		al_stream_run_and_time_job(s, &job);
		al_stream_finish_job_return_chunk_ended(s, &job);
	}
	return s->error;
}
