/* SPDX-License-Identifier: GPL-2.0-or-later */
/* consumer.c - passes a stream, or what one window records of it, to analyses;
   see consumer.h */

#include "lib/pipeline/consumer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/config/window/plan/process_plan.h"

/* Set the name of the consumer's window for the names of output files: to the
   window's name in the plan or, if that is not a valid name, to the consumer's
   number. The plan may be untrusted. */
static void set_window_name_or_number(struct al_consumer *v,
				      const struct pt_plan *plan)
{
	uint32_t name_offset = pt_plan_windows(plan)[v->number - 1].name;
	const char *name = pt_plan_string(plan, name_offset);

	if (al_is_valid_window_name(name))
		strcpy(v->context.window, name);
	else
		snprintf(v->context.window, sizeof(v->context.window), "%u",
			 v->number);
}

struct al_consumer *
al_consumer_new_and_open_analyses(const struct al_consumer_context *host,
				  unsigned window_number_plus_1_or_0,
				  const struct pt_plan *plan)
{
	size_t n = host->settings->n_analyses;
	struct al_consumer *v =
		calloc(1, sizeof(*v) + n * sizeof(*v->analysis));

	if (v == NULL)
		return NULL;
	v->number = window_number_plus_1_or_0;
	v->context = *host;
	if (window_number_plus_1_or_0 > 0)
		set_window_name_or_number(v, plan);
	for (size_t i = 0; i < n; i++) {
		v->n_analyses++;
		if (al_analysis_host_init_and_open(&v->analysis[i], &v->context,
						   i) != 0) {
			al_consumer_free(v);
			return NULL;
		}
	}
	return v;
}

unsigned al_consumer_partition_analyses(struct al_consumer *v)
{
	unsigned most = 1;

	for (size_t i = 0; i < v->n_analyses; i++) {
		al_analysis_host_init_partitions(&v->analysis[i]);
		if (v->analysis[i].n_partitions > most)
			most = v->analysis[i].n_partitions;
	}
	return most;
}

/* ---- share of a chunk ---- */

/* Return, as bits, the lanes (thread filters) of the consumer's window that
   threads of @thread_class belong to, without warm lanes. */
static uint64_t
nonwarm_lane_bits_in_consumer_window(const struct al_consumer *v,
				     unsigned thread_class)
{
	return al_lanes_nonwarmup_bits_of_class_window(
		&v->context.recovery->lanes, thread_class, v->number - 1);
}

/* For each block that is new in a chunk, find or add the block with the
   instructions that the consumer's window selects, and store 1 + its id in
   v->own_block; 0 if the window selects none. Return: 0; -ENOMEM. */
static int add_own_versions_of_new_blocks(struct al_consumer *v,
					  const struct al_recovered_chunk *p)
{
	const struct al_block *b = p->block;

	for (uint32_t i = 0; i < p->n_blocks; i++) {
		struct al_block *own;
		int err = al_array_reserve_zeroed(v->own_block, v->n_own_blocks,
						  b->pub.id + 1);

		if (!err)
			err = al_executed_find_or_add_selected_part(
				&v->executed, b,
				nonwarm_lane_bits_in_consumer_window(v,
								     b->class),
				&own);
		if (err)
			return err;
		v->own_block[b->pub.id] = own ? own->pub.id + 1 : 0;
		/* Another thread may be writing the last block's `next`. */
		if (i + 1 < p->n_blocks)
			b = b->next;
	}
	return 0;
}

/* Return how many of the executions before execution @end_exec_index of the
   recovered chunk the consumer receives; consumer 0 receives all. */
static size_t count_selected_execs_before(const struct al_consumer *v,
					  const struct al_recovered_chunk *p,
					  size_t end_exec_index)
{
	size_t n = 0;

	if (v->number == 0)
		return end_exec_index;
	for (size_t i = 0; i < end_exec_index; i++)
		n += v->own_block[p->exec[i].block] != 0;
	return n;
}

/* Return the number of executions of the stream up to the last one that has
   instructions and comes before execution @end_exec_index of the chunk. A block
   may be left before its first recorded instruction. Context: consumer 0. */
static uint64_t count_stream_execs_up_to_last_nonempty(
	struct al_recovery *r, const struct al_recovered_chunk *p,
	const struct al_history *history, size_t end_exec_index)
{
	uint64_t n = history->recorded_end;

	pthread_mutex_lock(&r->lock);
	for (size_t i = end_exec_index; i > 0; i--) {
		struct an_exec e = p->exec[i - 1];
		const struct al_desc *d = r->executed.block[e.block]->desc;

		if (d->exit[an_exec_exit_number(e)].n_instrs > 0) {
			n = history->n_recorded + i;
			break;
		}
	}
	pthread_mutex_unlock(&r->lock);
	return n;
}

/* Add the warm-ups of the windows in v->warmup.windows before execution @before
   of the recovered chunk. Return: 0; -errno. */
static int add_warm_batches_before_exec(struct al_consumer *v,
					const struct al_recovered_chunk *p,
					const struct al_history *history,
					size_t before)
{
	struct al_recovery *r = v->context.recovery;
	bool all = v->number == 0;
	const struct al_warmup_target target = {
		.lanes = &r->lanes,
		.executed = all ? &r->executed : &v->executed,
		.lock = all ? &r->lock : NULL,
		.recorded_end = all ? count_stream_execs_up_to_last_nonempty(
					      r, p, history, before)
				    : 0,
		.leaves_out_recorded = all,
		.share = &v->chunk[p->inflight_slot],
		.before = count_selected_execs_before(v, p, before),
	};

	return al_warmup_append_warm_batches(&v->warmup, &target, history);
}

/* Add the chunk's executions to the numbers of recorded ones of the history.
   Context: consumer 0. */
static void
add_chunk_execs_to_history_counts(struct al_recovery *r,
				  const struct al_recovered_chunk *p,
				  struct al_history *history)
{
	history->recorded_end = count_stream_execs_up_to_last_nonempty(
		r, p, history, p->n_execs);
	history->n_recorded += p->n_execs;
}

/* Add the window of @start to v->warmup.windows. If those in it started at
   another instruction, first add their warm-ups before execution *@before.
   @before: receives the first execution after the start. Return: 0; -errno. */
static int add_starting_window_to_warmup(struct al_consumer *v,
					 const struct al_recovered_chunk *p,
					 const struct al_history *history,
					 const struct al_warmup_start *start,
					 size_t *before)
{
	struct al_warmup *w = &v->warmup;
	int err = 0;

	if (w->windows != 0 &&
	    (start->before != *before || start->instret != w->instret))
		err = add_warm_batches_before_exec(v, p, history, *before);
	w->windows |= 1ULL << start->window;
	w->instret = start->instret;
	*before = start->before;
	return err;
}

int al_consumer_add_warm_batches(struct al_consumer *v,
				 const struct al_recovered_chunk *p,
				 struct al_history *history)
{
	size_t before = 0;
	int err = 0;

	for (size_t i = 0; i < p->n_warmup_starts && !err; i++)
		if (v->number == 0 ||
		    v->number == p->warmup_start[i].window + 1)
			err = add_starting_window_to_warmup(
				v, p, history, &p->warmup_start[i], &before);
	if (!err && v->warmup.windows != 0 && before < p->n_execs)
		err = add_warm_batches_before_exec(v, p, history, before);
	if (v->number == 0)
		add_chunk_execs_to_history_counts(v->context.recovery, p,
						  history);
	return err;
}

bool al_consumer_has_warm_batches(const struct al_consumer *v,
				  unsigned inflight_slot)
{
	return v->chunk[inflight_slot].n_warm_batches > 0;
}

int al_consumer_fill_chunk(struct al_consumer *v,
			   const struct al_recovered_chunk *decoded_chunk,
			   struct al_history *source_of_warm_batches_or_null)
{
	struct al_consumer_chunk *s = &v->chunk[decoded_chunk->inflight_slot];
	int err;

	al_consumer_chunk_alias_recovered_chunk(s, decoded_chunk);
	if (v->number == 0)
		return 0;
	err = add_own_versions_of_new_blocks(v, decoded_chunk);
	if (!err)
		err = al_consumer_chunk_copy_own_block_execs(s, decoded_chunk,
							     v->own_block);
	if (!err && source_of_warm_batches_or_null)
		err = al_consumer_add_warm_batches(
			v, decoded_chunk, source_of_warm_batches_or_null);
	if (err)
		al_consumer_chunk_clear(s);
	else
		s->n_blocks = al_executed_detach_and_count_new_blocks(
			&v->executed, &s->block);
	return err;
}

/* ---- stages ---- */
enum an_chunk_mode al_consumer_prepare_chunk(struct al_consumer *v,
					     unsigned inflight_slot)
{
	enum an_chunk_mode all = AN_CHUNK_CONTINUE;

	for (size_t i = 0; i < v->n_analyses; i++) {
		enum an_chunk_mode mode = al_analysis_host_prepare_chunk(
			&v->analysis[i], &v->chunk[inflight_slot]);

		if (mode > all)
			all = mode;
	}
	return all;
}

void al_consumer_set_chunk_is_serial(struct al_consumer *v,
				     unsigned inflight_slot, bool serial)
{
	v->chunk[inflight_slot].is_serial = serial;
}

void al_consumer_scatter_chunk(struct al_consumer *v, unsigned inflight_slot)
{
	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_scatter_if_partitioned(
			&v->analysis[i], &v->chunk[inflight_slot]);
}

void al_consumer_run_partition_of_analyses(struct al_consumer *v,
					   unsigned inflight_slot,
					   unsigned partition_index)
{
	struct al_consumer_chunk *s = &v->chunk[inflight_slot];

	for (size_t i = 0; i < v->n_analyses; i++) {
		int err = al_analysis_host_run_partition(&v->analysis[i], s,
							 partition_index);

		if (err) {
			pthread_mutex_lock(&v->context.recovery->lock);
			s->partition_error[i] = err;
			pthread_mutex_unlock(&v->context.recovery->lock);
		}
	}
}

void al_consumer_pass_batches_and_gather(struct al_consumer *v,
					 unsigned inflight_slot)
{
	struct al_consumer_chunk *s = &v->chunk[inflight_slot];
	struct an_batch batch;

	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_pass_new_blocks(&v->analysis[i], s);
	while (al_consumer_chunk_next_batch(s, &batch))
		for (size_t i = 0; i < v->n_analyses; i++)
			al_analysis_host_pass_batch_if_accepted(&v->analysis[i],
								s, &batch);
	for (size_t i = 0; i < v->n_analyses; i++) {
		al_analysis_host_gather_if_partitioned(&v->analysis[i], s);
		s->error[i] = v->analysis[i].error;
	}
	al_consumer_chunk_free_warm_batches(s);
}

void al_consumer_run_tail_stage(struct al_consumer *v, unsigned inflight_slot)
{
	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_run_tail_stage(&v->analysis[i],
						&v->chunk[inflight_slot]);
}

/* ---- end of the image ---- */

static void release_inflight_chunks(struct al_consumer *v)
{
	for (unsigned i = 0; i < AN_INFLIGHT_SLOTS; i++)
		al_consumer_chunk_release(&v->chunk[i]);
}

/* Add the counters of the exec image's blocks, of executions by exit and of
   accesses skipped because their guard was false, to those of the consumer's
   blocks that were made from them. */
static void add_image_block_counts_to_own_blocks(struct al_consumer *v)
{
	const struct al_executed *all = &v->context.recovery->executed;

	for (uint32_t i = 0; i < v->n_own_blocks && i < all->n; i++)
		if (v->own_block[i] != 0)
			al_executed_add_image_counts(
				v->executed.block[v->own_block[i] - 1],
				all->block[i]);
}

void al_consumer_finish_counts_and_analyses(struct al_consumer *v)
{
	release_inflight_chunks(v);
	add_image_block_counts_to_own_blocks(v);
	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_finish_analysis(&v->analysis[i]);
}

void al_consumer_merge_results(struct al_consumer *v,
			       const struct al_consumer *from)
{
	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_merge_results(&v->analysis[i],
					       &from->analysis[i]);
}

void al_consumer_save_outputs(struct al_consumer *v, char *const *command_argv)
{
	for (size_t i = 0; i < v->n_analyses; i++) {
		v->analysis[i].env.command = command_argv;
		al_analysis_host_save_and_commit_output(&v->analysis[i]);
	}
}

void al_consumer_free(struct al_consumer *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->n_analyses; i++)
		al_analysis_host_release(&v->analysis[i]);
	release_inflight_chunks(v);
	al_warmup_release(&v->warmup);
	al_executed_free_blocks_and_numbers(&v->executed);
	free(v->own_block);
	free(v);
}
