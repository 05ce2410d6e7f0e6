/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - creates, finishes and merges streams; see stream.h */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/system/clock.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/pipeline/stream_state.h"
#include "lib/record/recording.h"
#include "lib/symbols/symbols.h"

enum {
	IN_FLIGHT_UNPARTITIONED = 8, /* greatest number of chunks in flight in a
					stream without partitions */
};

/* Create consumer @consumer_number, have its analyses divide their work into
   partitions, which run in parallel, and raise the stream's numbers of
   partitions and of chunks in flight accordingly. @plan: the plan with the
   consumer's window; NULL for consumer 0. Return: 0; -ENOMEM. */
static int add_consumer_and_partitions(struct al_stream *s,
				       unsigned consumer_number,
				       const struct pt_plan *plan)
{
	unsigned n_partitions;
	struct al_consumer *v = al_consumer_new_and_open_analyses(
		&s->host, consumer_number, plan);

	if (v == NULL)
		return -ENOMEM;
	s->consumer[s->n_consumers++] = v;
	n_partitions = al_consumer_partition_analyses(v);
	if (n_partitions > s->stages.n_partitions)
		s->stages.n_partitions = n_partitions;
	s->stages.max_in_flight = s->stages.n_partitions > 1
					  ? AL_MAX_IN_FLIGHT
					  : IN_FLIGHT_UNPARTITIONED;
	return 0;
}

static struct al_stream *
new_stream_with_consumer_0(const struct al_settings *settings,
			   struct al_symbols *symbols, const char *label)
{
	struct al_stream *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->users = 1;
	s->host.settings = settings;
	s->host.symbols = symbols;
	snprintf(s->host.label, sizeof(s->host.label), "%s", label);
	s->host.recovery = &s->recovery;
	s->host.jit_names = &s->jit_names;
	s->stages.n_partitions = 1;
	al_recovery_init(&s->recovery,
			 symbols ? al_symbols_intern_table(symbols) : NULL);
	for (size_t i = 0; i < settings->n_analyses; i++) {
		s->needs_names |= settings->analysis[i].class->needs_names;
		s->stages.has_tail |= settings->analysis[i].class->tail != NULL;
	}
	if (add_consumer_and_partitions(s, 0, NULL) == 0)
		return s;
	al_stream_free(s);
	errno = ENOMEM;
	return NULL;
}

static void free_chunks_and_idle_copies_and_history(struct al_stream *s)
{
	if (s->history != NULL)
		al_history_release(s->history);
	free(s->history);
	s->history = NULL;
	for (size_t i = 0; i < AL_MAX_IN_FLIGHT; i++)
		al_recovered_chunk_release(&s->chunk[i]);
	for (struct al_copy *next, *c = s->idle_copies; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	s->idle_copies = NULL;
}

struct al_stream *al_stream_new(const struct al_settings *settings,
				struct al_symbols *symbols,
				const char *image_label)
{
	return new_stream_with_consumer_0(settings, symbols, image_label);
}

struct al_stream *al_stream_new_forked_child(const struct al_fork *fork,
					     const char *image_label)
{
	struct al_stream *parent = fork->parent;
	struct al_stream *s = new_stream_with_consumer_0(
		parent->host.settings, parent->host.symbols, image_label);
	int err;

	if (s == NULL)
		return NULL;
	err = al_blocks_borrow_blocks_and_mappings(&s->recovery.blocks,
						   &parent->recovery.blocks,
						   fork->n_blocks, fork->log);
	if (err == 0) {
		s->parent = parent;
		parent->users++;
		return s;
	}
	al_stream_free(s);
	errno = -err;
	return NULL;
}

struct al_stream *
al_stream_new_without_symbols(const struct al_settings *settings)
{
	return new_stream_with_consumer_0(settings, NULL, "");
}

void al_stream_set_owned_profile_writer(struct al_stream *s,
					struct al_stream_writer *writer)
{
	s->writer = writer;
	s->needs_names = true;
	s->stages.has_store = true;
}

/* Create the history of executions for warm-ups, if a window of the plan has a
   warm-up and some analysis accepts executions of warm-ups. Return: 0;
   -ENOMEM. */
static int create_exec_history_if_warmup_used(struct al_stream *s,
					      const struct pt_plan *plan)
{
	const struct al_settings *t = s->host.settings;
	bool warms = false;

	for (size_t i = 0; i < t->n_analyses; i++)
		warms |= t->analysis[i].class->accepts_warmup;
	if (!warms || s->recovery.lanes.warm == 0)
		return 0;
	s->history = calloc(1, sizeof(*s->history));
	if (s->history == NULL)
		return -ENOMEM;
	al_history_set_warmup_lengths(s->history, plan);
	s->recovery.lists_warmup = true;
	return 0;
}

int al_stream_set_plan_add_window_consumers(struct al_stream *s,
					    const struct pt_plan *plan)
{
	al_recovery_set_thread_filters_from_plan(&s->recovery, plan);
	s->stages.recovers_in_order = s->recovery.lanes.n > 1;
	if (create_exec_history_if_warmup_used(s, plan) != 0)
		return -ENOMEM;
	return al_stream_add_consumer_per_window_output(s, plan);
}

/* Return the stream's consumer (a set of analyses, consumer.h) with number
   @consumer_number; NULL if there is none. */
static struct al_consumer *find_consumer(const struct al_stream *s,
					 unsigned consumer_number)
{
	for (unsigned i = 0; i < s->n_consumers; i++)
		if (s->consumer[i]->number == consumer_number)
			return s->consumer[i];
	return NULL;
}

int al_stream_add_consumer_per_window_output(struct al_stream *s,
					     const struct pt_plan *plan)
{
	const struct pt_window *w = pt_plan_windows(plan);
	int err = 0;

	for (uint32_t i = 0; i < plan->windows.n && !err; i++)
		if ((w[i].flags & PT_WINDOW_OWN_OUTPUT) &&
		    !s->host.settings->no_per_window &&
		    find_consumer(s, 1 + i) == NULL)
			err = add_consumer_and_partitions(s, 1 + i, plan);
	return err;
}

unsigned al_stream_max_consumer_number_plus_1(const struct al_stream *s)
{
	unsigned end = 1;

	for (unsigned i = 0; i < s->n_consumers; i++)
		if (s->consumer[i]->number >= end)
			end = s->consumer[i]->number + 1;
	return end;
}

bool al_stream_has_consumer(const struct al_stream *s, unsigned consumer_number)
{
	return find_consumer(s, consumer_number) != NULL;
}

const struct al_window_counts *
al_stream_counts_by_window(const struct al_stream *s)
{
	return s->window_counts;
}

struct al_stream_writer *
al_stream_profile_writer_or_null(const struct al_stream *s)
{
	return s->writer;
}

/* Start reading, in the background, the symbols of the object files of all
   mappings from index @first_mapping_index on. */
static void prefetch_symbols_of_new_mappings(struct al_stream *s,
					     size_t first_mapping_index)
{
	const struct al_mappings *m = &s->recovery.blocks.mappings;

	for (; first_mapping_index < m->n; first_mapping_index++)
		al_symbols_read_in_background(
			s->host.symbols, m->mapping[first_mapping_index]->path);
}

int al_stream_parse_and_store_log(struct al_stream *s, const void *log,
				  size_t bytes)
{
	size_t n_mappings = s->recovery.blocks.mappings.n;
	int err;

	al_stream_lock(s);
	if (s->log_error == 0)
		s->log_error = al_blocks_parse_and_store_log(
			&s->recovery.blocks, log, bytes);
	err = s->log_error;
	al_stream_unlock(s);
	if (s->needs_names)
		prefetch_symbols_of_new_mappings(s, n_mappings);
	if (s->writer != NULL && err == 0)
		al_stream_writer_add_log(s->writer, log, bytes);
	return err;
}

/* Add the counts of all recoverers to the counters of the blocks, and free the
   recoverers. */
static void add_counts_to_blocks_free_recoverers(struct al_stream *s)
{
	struct al_counted_recoverer *w, *next;

	for (w = s->recoverers; w; w = next) {
		next = w->next;
		al_recoverer_add_counts_to_blocks(&w->recoverer);
		al_recoverer_release(&w->recoverer);
		free(w);
	}
	s->recoverers = NULL;
	s->idle_recoverers = NULL;
}

void al_stream_read_perfmap_if_empty(struct al_stream *s, const char *path)
{
	if (s->jit_names.n == 0)
		(void)!al_perfmap_read_and_sort(
			&s->jit_names, path,
			al_symbols_intern_table(s->host.symbols));
}

struct al_perfmap *al_stream_jit_names(struct al_stream *s)
{
	return &s->jit_names;
}

void al_stream_finish_counts_and_analyses(struct al_stream *s)
{
	uint64_t start = al_now_ns();

	free_chunks_and_idle_copies_and_history(s);
	al_stream_lock(s);
	add_counts_to_blocks_free_recoverers(s);
	s->faulted = (struct al_counts){0};
	al_counts_add_counts_of_executed_blocks(&s->published,
						&s->recovery.executed);
	al_counts_add_executed_by_window(s->window_counts,
					 &s->recovery.executed);
	al_stream_unlock(s);
	if (s->writer != NULL)
		al_stream_writer_add_missing_names(
			s->writer, &s->recovery.executed, &s->site_code,
			s->host.symbols);
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_finish_counts_and_analyses(s->consumer[i]);
	al_stream_lock(s);
	s->published.analysis_ns += al_now_ns() - start;
	al_stream_unlock(s);
}

void al_stream_merge_counts_and_results(struct al_stream *into,
					const struct al_stream *from)
{
	struct al_counts c = al_stream_sum_latest_counts(from);

	al_stream_lock(into);
	al_counts_add(&into->published, &c);
	al_stream_unlock(into);
	for (unsigned i = 0; i < from->n_consumers; i++) {
		struct al_consumer *v =
			find_consumer(into, from->consumer[i]->number);

		if (v != NULL)
			al_consumer_merge_results(v, from->consumer[i]);
	}
}

struct al_counts al_stream_sum_latest_counts(const struct al_stream *s)
{
	struct al_counts c;

	al_stream_lock(s);
	c = s->published;
	for (const struct al_counted_recoverer *w = s->recoverers; w;
	     w = w->next)
		al_counts_add(&c, &w->counts);
	al_counts_add(&c, &s->faulted);
	al_stream_unlock(s);
	return c;
}

void al_stream_update_latest_counts(struct al_stream *s)
{
	bool is_any_updated = false;

	al_stream_lock(s);
	for (struct al_recoverer *r = s->idle_recoverers; r; r = r->next) {
		struct al_counted_recoverer *w =
			(struct al_counted_recoverer *)r;

		if (!w->has_uncounted)
			continue;
		w->counts = (struct al_counts){0};
		al_counts_add_executions_of_recoverer(&w->counts, r);
		w->has_uncounted = false;
		is_any_updated = true;
	}
	if (is_any_updated) {
		s->faulted = (struct al_counts){0};
		al_counts_add_counts_of_executed_blocks(&s->faulted,
							&s->recovery.executed);
	}
	al_stream_unlock(s);
}

int al_stream_signal_of_last_block_exit_or_0(const struct al_stream *s)
{
	const struct al_executed *x = &s->recovery.executed;

	if (x->n == 0)
		return 0;
	return x->block[s->last_exec.block]
		->desc->exit[an_exec_exit_number(s->last_exec)]
		.signal;
}

struct al_child_exit *al_stream_detach_child_exits(struct al_stream *s,
						   size_t *exit_count)
{
	struct al_child_exit *child = s->child;

	*exit_count = s->n_children;
	s->child = NULL;
	s->n_children = 0;
	return child;
}

struct al_plan_outcomes
al_stream_detach_outcomes_and_suggest(struct al_stream *s,
				      const struct pt_plan *plan)
{
	struct al_blocks *b = &s->recovery.blocks;
	struct al_plan_outcomes o = b->outcomes;

	b->outcomes = (struct al_plan_outcomes){0};
	al_plan_outcomes_set_suggestions(&o, plan, &b->mappings, &b->marks);
	return o;
}

const char *
al_stream_consumer_window_name_or_number(const struct al_stream *s,
					 unsigned existing_consumer_number)
{
	return find_consumer(s, existing_consumer_number)->context.window;
}

int al_stream_analysis_state_and_error(const struct al_stream *s,
				       unsigned existing_consumer_number,
				       size_t analysis_index,
				       const void **state)
{
	const struct al_analysis_host *a =
		&find_consumer(s, existing_consumer_number)
			 ->analysis[analysis_index];

	*state = a->state;
	return a->error;
}

struct al_model *
al_stream_get_or_build_analysis_result(struct al_stream *s,
				       unsigned existing_consumer_number,
				       size_t analysis_index, bool *is_new_out)
{
	return al_analysis_host_get_or_build_result(
		&find_consumer(s, existing_consumer_number)
			 ->analysis[analysis_index],
		is_new_out);
}

void al_stream_drop_output(struct al_stream *s)
{
	for (unsigned v = 0; v < s->n_consumers; v++)
		for (size_t i = 0; i < s->consumer[v]->n_analyses; i++)
			al_analysis_host_drop_and_ignore_output(
				&s->consumer[v]->analysis[i]);
}

bool al_stream_has_output_write_failed(const struct al_stream *s,
				       unsigned consumer_number,
				       size_t analysis_index)
{
	return find_consumer(s, consumer_number)
		->analysis[analysis_index]
		.is_unwritten;
}

void al_stream_save_consumer_outputs(struct al_stream *s,
				     char *const *command_argv)
{
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_save_outputs(s->consumer[i], command_argv);
}

/* Subtract one from the users of the stream. If none is left, free the stream
   and its blocks, and do the same with the parent whose blocks it borrowed. */
static void drop_user_and_free_unused_streams(struct al_stream *s)
{
	while (s != NULL && --s->users == 0) {
		struct al_stream *parent = s->parent;

		al_blocks_release(&s->recovery.blocks);
		pthread_mutex_destroy(&s->recovery.lock);
		free(s);
		s = parent;
	}
}

void al_stream_free(struct al_stream *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < s->n_consumers; i++)
		al_consumer_free(s->consumer[i]);
	free_chunks_and_idle_copies_and_history(s);
	add_counts_to_blocks_free_recoverers(s);
	free(s->child);
	al_site_code_release(&s->site_code);
	al_executed_free_blocks_and_numbers(&s->recovery.executed);
	al_perfmap_release(&s->jit_names);
	al_stream_writer_free(s->writer);
	drop_user_and_free_unused_streams(s);
}
