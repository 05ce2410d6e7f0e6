/* SPDX-License-Identifier: GPL-2.0-or-later */
/* consumer_chunk.c - selects the executions of a chunk that a consumer
   receives, and divides them into batches; see consumer_chunk.h */

#include "lib/pipeline/consumer_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/recovered_chunk.h"

void al_consumer_chunk_alias_recovered_chunk(struct al_consumer_chunk *s,
					     const struct al_recovered_chunk *p)
{
	s->base = p->base;
	s->inflight_slot = p->inflight_slot;
	s->block = p->block;
	s->n_blocks = p->n_blocks;
	s->exec = p->exec;
	s->n_execs = p->n_execs;
	s->mark = p->mark;
	s->n_marks = p->n_marks;
	s->event = p->event;
	s->n_events = p->n_events;
	s->event_word = p->event_word;
	s->next = (struct al_batch_position){0};
	s->marks_done = s->marks_relative = s->marks_base = s->events_done = 0;
}

void al_consumer_chunk_clear(struct al_consumer_chunk *s)
{
	s->n_blocks = 0;
	s->n_execs = s->n_marks = s->n_events = 0;
	al_consumer_chunk_free_warm_batches(s);
}

/* Make own_exec, own_mark and own_event long enough for all executions, marks
   and events of the recovered chunk. The contents of an array that is enlarged
   are lost. Return: 0; -ENOMEM. */
static int
reserve_own_arrays_for_whole_chunk(struct al_consumer_chunk *s,
				   const struct al_recovered_chunk *p)
{
	if (p->n_execs > s->execs_size) {
		free(s->own_exec);
		s->own_exec = malloc(p->execs_size * sizeof(*s->own_exec));
		s->execs_size = s->own_exec ? p->execs_size : 0;
	}
	if (p->n_marks > s->marks_size) {
		free(s->own_mark);
		s->own_mark = malloc(p->marks_size * sizeof(*s->own_mark));
		s->marks_size = s->own_mark ? p->marks_size : 0;
	}
	if (p->n_events > s->events_size) {
		free(s->own_event);
		s->own_event = malloc(p->events_size * sizeof(*s->own_event));
		s->events_size = s->own_event ? p->events_size : 0;
	}
	return p->n_execs > s->execs_size || p->n_marks > s->marks_size ||
			       p->n_events > s->events_size
		       ? -ENOMEM
		       : 0;
}

/* Copy the marks of the recovered chunk that are not copied yet and whose
   before_exec is at most @max_before_exec. Set before_exec of the copies to
   @new_before_exec. */
static void copy_next_marks_set_before_exec(struct al_consumer_chunk *s,
					    const struct al_recovered_chunk *p,
					    size_t max_before_exec,
					    size_t new_before_exec)
{
	while (s->n_marks < p->n_marks &&
	       p->mark[s->n_marks].before_exec <= max_before_exec) {
		s->own_mark[s->n_marks] = p->mark[s->n_marks];
		s->own_mark[s->n_marks++].before_exec =
			(uint32_t)new_before_exec;
	}
}

/* Copy the events of the recovered chunk that are not copied yet and whose
   before_exec is at most @max_before_exec. Set before_exec of the copies to
   @new_before_exec. */
static void copy_uncopied_events_and_set_before_exec(
	struct al_consumer_chunk *s, const struct al_recovered_chunk *p,
	size_t max_before_exec, size_t new_before_exec)
{
	while (s->n_events < p->n_events &&
	       p->event[s->n_events].before_exec <= max_before_exec) {
		s->own_event[s->n_events] = p->event[s->n_events];
		s->own_event[s->n_events++].before_exec =
			(uint32_t)new_before_exec;
	}
}

int al_consumer_chunk_copy_own_block_execs(
	struct al_consumer_chunk *s, const struct al_recovered_chunk *p,
	const uint32_t *own_block_id_plus_1_or_0)
{
	size_t n = 0;

	if (reserve_own_arrays_for_whole_chunk(s, p) != 0)
		return -ENOMEM;
	al_consumer_chunk_alias_recovered_chunk(s, p);
	s->exec = s->own_exec;
	s->mark = s->own_mark;
	s->event = s->own_event;
	s->n_marks = s->n_events = 0;
	for (size_t i = 0; i < p->n_execs; i++) {
		uint32_t number = own_block_id_plus_1_or_0[p->exec[i].block];

		copy_next_marks_set_before_exec(s, p, i, n);
		copy_uncopied_events_and_set_before_exec(s, p, i, n);
		s->own_exec[n] = (struct an_exec){number - 1,
						  p->exec[i].exit_and_offset};
		n += number != 0;
	}
	copy_next_marks_set_before_exec(s, p, p->n_execs, n);
	copy_uncopied_events_and_set_before_exec(s, p, p->n_execs, n);
	s->n_execs = n;
	return 0;
}

/* ---- warm batches ---- */

static void free_warm_batch_and_words(struct al_warm_batch *warm)
{
	if (warm != NULL)
		free(warm->words);
	free(warm);
}

/* Append an empty warm batch (executions of a warm-up) that is simulated before
   execution @before_exec of the consumer's chunk. Return: 0; -ENOMEM. */
static int append_empty_warm_batch(struct al_consumer_chunk *s,
				   size_t before_exec)
{
	struct al_warm_batch *warm;

	if (al_array_reserve(s->warm_batch, s->warm_batches_size,
			     s->n_warm_batches + 1))
		return -ENOMEM;
	warm = malloc(sizeof(*warm));
	if (warm == NULL)
		return -ENOMEM;
	warm->before = before_exec;
	warm->n = warm->n_words = warm->words_size = 0;
	warm->words = NULL;
	s->warm_batch[s->n_warm_batches++] = warm;
	return 0;
}

/* Append @word_count words [4 bytes] of slots, the data of units, and store a
   zero slot after them, which the next call overwrites. An analysis may read
   one slot more than an execution has. Return: 0; -ENOMEM. */
static int append_slots_and_zero_slot(struct al_warm_batch *warm,
				      const uint32_t *slots, size_t word_count)
{
	if (al_array_reserve(warm->words, warm->words_size,
			     warm->n_words + word_count + 2))
		return -ENOMEM;
	memcpy(warm->words + warm->n_words, slots, word_count * sizeof(*slots));
	warm->n_words += word_count;
	memset(warm->words + warm->n_words, 0, 2 * sizeof(*slots));
	return 0;
}

int al_consumer_chunk_append_warm_exec(struct al_consumer_chunk *s,
				       size_t before_exec, uint32_t block_id,
				       const uint32_t *slots,
				       size_t slot_word_count)
{
	struct al_warm_batch *warm =
		s->n_warm_batches ? s->warm_batch[s->n_warm_batches - 1] : NULL;

	if (warm == NULL || warm->before != before_exec ||
	    warm->n == AN_MAX_BATCH) {
		if (append_empty_warm_batch(s, before_exec) != 0)
			return -ENOMEM;
		warm = s->warm_batch[s->n_warm_batches - 1];
	}
	warm->exec[warm->n] = an_exec(block_id, 0, (uint32_t)warm->n_words);
	if (append_slots_and_zero_slot(warm, slots, slot_word_count) != 0)
		return -ENOMEM;
	warm->n++;
	return 0;
}

void al_consumer_chunk_free_warm_batches(struct al_consumer_chunk *s)
{
	for (size_t i = 0; i < s->n_warm_batches; i++)
		free_warm_batch_and_words(s->warm_batch[i]);
	s->n_warm_batches = 0;
}

/* ---- all batches ---- */

struct an_batch al_consumer_chunk_as_batch(const struct al_consumer_chunk *s)
{
	return (struct an_batch){
		.exec = s->exec,
		.n_execs = s->n_execs,
		.slots = s->base,
		.mark = s->mark,
		.n_marks = s->n_marks,
		.event = s->event,
		.n_events = s->n_events,
		.event_word = s->event_word,
		.inflight_slot = s->inflight_slot,
	};
}

static void set_batch_to_warm_batch(const struct al_consumer_chunk *s,
				    const struct al_warm_batch *warm,
				    struct an_batch *batch)
{
	*batch = (struct an_batch){
		.exec = warm->exec,
		.n_execs = warm->n,
		.slots = warm->words,
		.inflight_slot = s->inflight_slot,
		.warm = true,
	};
}

bool al_consumer_chunk_next_batch_from(const struct al_consumer_chunk *s,
				       struct al_batch_position *position,
				       struct an_batch *batch)
{
	const struct al_warm_batch *warm =
		position->warm < s->n_warm_batches
			? s->warm_batch[position->warm]
			: NULL;
	size_t end = warm ? warm->before : s->n_execs,
	       remaining = end - position->execs;

	if (warm && remaining == 0) {
		set_batch_to_warm_batch(s, warm, batch);
		position->warm++;
		return true;
	}
	*batch = al_consumer_chunk_as_batch(s);
	batch->mark = NULL;
	batch->n_marks = batch->n_events = 0;
	batch->exec += position->execs;
	batch->first_exec = position->execs;
	batch->n_execs = remaining < AN_MAX_BATCH ? remaining : AN_MAX_BATCH;
	position->execs += batch->n_execs;
	return batch->n_execs > 0;
}

/* Set the events of @batch to the events that no earlier batch had: those
   before execution @end_exec of the consumer's chunk, or all of them if
   @is_last_batch. Count them in events_done. */
static void set_batch_events_before_exec(struct al_consumer_chunk *s,
					 struct an_batch *batch,
					 size_t end_exec, bool is_last_batch)
{
	size_t first = s->events_done, i = first;

	while (i < s->n_events &&
	       (is_last_batch || s->event[i].before_exec < end_exec))
		i++;
	batch->event = s->event + first;
	batch->n_events = i - first;
	s->events_done = i;
}

/* Make before_exec of the marks of the batch that was returned last relative to
   the chunk again. */
static void make_batch_marks_chunk_relative_again(struct al_consumer_chunk *s)
{
	for (; s->marks_relative < s->marks_done; s->marks_relative++)
		s->mark[s->marks_relative].before_exec +=
			(uint32_t)s->marks_base;
}

bool al_consumer_chunk_next_batch(struct al_consumer_chunk *s,
				  struct an_batch *batch)
{
	size_t start = s->next.execs, remaining = s->n_execs - start;
	size_t marks_end = s->marks_done, n;

	make_batch_marks_chunk_relative_again(s);
	if (remaining == 0 && marks_end == s->n_marks &&
	    s->events_done == s->n_events && s->next.warm == s->n_warm_batches)
		return false;
	al_consumer_chunk_next_batch_from(s, &s->next, batch);
	if (batch->warm)
		return true;
	n = batch->n_execs;
	/* The last batch also gets the marks after its last execution. */
	while (marks_end < s->n_marks &&
	       (n == remaining || s->mark[marks_end].before_exec < start + n))
		s->mark[marks_end++].before_exec -= (uint32_t)start;
	batch->mark = s->mark ? s->mark + s->marks_done : NULL;
	batch->n_marks = marks_end - s->marks_done;
	s->marks_done = marks_end;
	s->marks_base = start;
	set_batch_events_before_exec(s, batch, start + n, n == remaining);
	return true;
}

void al_consumer_chunk_release(struct al_consumer_chunk *s)
{
	al_consumer_chunk_free_warm_batches(s);
	free(s->warm_batch);
	free(s->own_exec);
	free(s->own_mark);
	free(s->own_event);
	*s = (struct al_consumer_chunk){0};
}
