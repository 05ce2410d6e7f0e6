/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recovered_chunk.c - stores the executions, marks and events recovered from a
   chunk; see recovered_chunk.h */

#include "lib/recover/recovered_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

/* Ensure that the chunk has memory for @total_exec_count executions. If the
   array is too small, it is replaced, and its executions are lost. Pages that
   are never written stay unmapped, so the worst case costs address space only.
   Return: 0; -ENOMEM. */
static int replace_execution_array_if_too_small(struct al_recovered_chunk *p,
						size_t total_exec_count)
{
	struct an_exec *exec;

	if (total_exec_count <= p->execs_size)
		return 0;
	exec = malloc(total_exec_count * sizeof(*exec));
	if (exec == NULL)
		return -ENOMEM;
	free(p->exec);
	p->exec = exec;
	p->execs_size = total_exec_count;
	return 0;
}

int al_recovered_chunk_clear_and_reserve(struct al_recovered_chunk *p)
{
	al_recovered_chunk_clear(p);
	p->recovered_bytes = 0;
	return replace_execution_array_if_too_small(p, p->bytes / 4);
}

void al_recovered_chunk_clear(struct al_recovered_chunk *p)
{
	p->n_execs = 0;
	p->n_marks = 0;
	p->n_events = p->n_event_words = 0;
	p->n_children = 0;
	p->n_warmup = p->n_warmup_starts = 0;
	p->n_partial_blocks = 0;
}

int al_recovered_chunk_point_base_at_copy(struct al_recovered_chunk *p,
					  size_t bytes)
{
	size_t size = bytes + 8;
	struct al_copy *copy = p->copy;

	if (copy == NULL || copy->size < size) {
		copy = malloc(sizeof(*copy) + size);
		if (copy == NULL)
			return -ENOMEM;
		copy->size = size;
		free(p->copy);
		p->copy = copy;
	}
	memcpy(copy->words, p->base, bytes);
	memset((char *)copy->words + bytes, 0, 8);
	p->base = (const uint32_t *)copy->words;
	return 0;
}

int al_recovered_chunk_add_mark(struct al_recovered_chunk *p, unsigned kind,
				uint32_t id)
{
	int err = al_array_reserve(p->mark, p->marks_size, p->n_marks + 1);

	if (!err)
		p->mark[p->n_marks++] =
			(struct an_mark){(uint32_t)p->n_execs, kind, id};
	return err;
}

/* Append the words of an event. Return: 0; -ENOMEM. */
static int append_event_words(struct al_recovered_chunk *p,
			      const uint32_t *words, unsigned word64_count)
{
	for (unsigned i = 0; i < word64_count; i++) {
		int err = al_array_reserve(p->event_word, p->event_words_size,
					   p->n_event_words + 1);

		if (err)
			return err;
		p->event_word[p->n_event_words++] =
			pt_read_shared_unaligned_u64_once(words + 2 * i);
	}
	return 0;
}

int al_recovered_chunk_add_event(struct al_recovered_chunk *p, unsigned kind,
				 uint32_t id, const uint32_t *words,
				 unsigned word64_count)
{
	size_t first = p->n_event_words;
	int err = al_array_reserve(p->event, p->events_size, p->n_events + 1);

	if (!err)
		err = append_event_words(p, words, word64_count);
	if (!err)
		p->event[p->n_events++] = (struct an_stream_event){
			(uint32_t)p->n_execs, kind, id, word64_count, first};
	return err;
}

int al_recovered_chunk_add_child_exit(struct al_recovered_chunk *p,
				      uint32_t pid, uint32_t wait_status)
{
	int err =
		al_array_reserve(p->child, p->children_size, p->n_children + 1);

	if (!err)
		p->child[p->n_children++] =
			(struct al_child_exit){pid, wait_status};
	return err;
}

int al_recovered_chunk_add_warmup_execution(struct al_recovered_chunk *p,
					    const struct al_warmup_exec *warm)
{
	int err = al_array_reserve(p->warmup, p->warmup_size, p->n_warmup + 1);

	if (!err)
		p->warmup[p->n_warmup++] = *warm;
	return err;
}

int al_recovered_chunk_add_warmup_start(struct al_recovered_chunk *p,
					uint32_t window, uint64_t instret)
{
	int err = al_array_reserve(p->warmup_start, p->warmup_starts_size,
				   p->n_warmup_starts + 1);

	if (!err)
		p->warmup_start[p->n_warmup_starts++] =
			(struct al_warmup_start){(uint32_t)p->n_execs, window,
						 instret};
	return err;
}

void al_recovered_chunk_release(struct al_recovered_chunk *p)
{
	free(p->copy);
	free(p->exec);
	free(p->far_pages);
	free(p->mark);
	free(p->event);
	free(p->event_word);
	free(p->child);
	free(p->warmup);
	free(p->warmup_start);
	*p = (struct al_recovered_chunk){0};
}
