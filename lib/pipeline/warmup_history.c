/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warmup_history.c - stores copies of the last executions; see
   warmup_history.h */

#include "lib/pipeline/warmup_history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/process_plan.h"
#include "lib/recover/blocks.h"
#include "proto/shared/atomic.h"
#include "proto/unit.h"

void al_history_set_warmup_lengths(struct al_history *history,
				   const struct pt_plan *plan)
{
	const struct pt_window *w = pt_plan_windows(plan);

	for (uint32_t i = 0; i < plan->windows.n; i++) {
		history->warmup[i] = w[i].n_warm ? w[i].warmup : 0;
		if (history->warmup[i] > history->max_warmup)
			history->max_warmup = history->warmup[i];
	}
}

static void free_history_chunk(struct al_history_chunk *p)
{
	free(p->words);
	free(p->exec);
	free(p);
}

/* Return a history chunk without executions, but with memory for @exec_count
   executions and @word_count words of 4 bytes; NULL when memory is short. */
static struct al_history_chunk *new_history_chunk(size_t exec_count,
						  size_t word_count)
{
	struct al_history_chunk *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->words = malloc(word_count * sizeof(*p->words));
	p->exec = malloc(exec_count * sizeof(*p->exec));
	if (p->words != NULL && p->exec != NULL)
		return p;
	free_history_chunk(p);
	return NULL;
}

/* Return how many instructions of its block an execution has executed: those up
   to its exit, or those begun before a fault. @unit_words_after_header: words
   of its unit, without the header. */
static uint16_t count_executed_instrs(const struct al_warmup_exec *w,
				      const uint32_t *unit_words_after_header)
{
	uint32_t instrs;

	if (w->exit != AL_EXIT_FAULT)
		return w->desc->exit[w->exit].n_instrs;
	instrs = pt_decode_cut_instrs_begun(pt_read_shared_unaligned_u64_once(
		unit_words_after_header + w->n_words - 2));
	return instrs < w->desc->n_instrs ? (uint16_t)instrs
					  : w->desc->n_instrs;
}

/* Append execution @w to history chunk @p. @words_in_chunk: the words of its
   unit, already copied into p->words. */
static void append_exec_of_copied_words(const struct al_history *history,
					struct al_history_chunk *p,
					const struct al_warmup_exec *w,
					const uint32_t *words_in_chunk)
{
	p->exec[p->n++] = (struct al_history_exec){
		.desc = w->desc,
		.instret = pt_read_shared_unaligned_u64_once(
			words_in_chunk + 2 * w->desc->instret_slot),
		.slots_index = (uint32_t)(words_in_chunk - p->words),
		.n_words = w->n_words,
		.exit = w->exit,
		.n_instrs = count_executed_instrs(w, words_in_chunk),
		.n_recorded = history->n_recorded + w->n_recorded,
		.class = w->class,
	};
}

int al_history_append_copy_of_warmup_execs(
	struct al_history *history, const struct al_recovered_chunk *from)
{
	struct al_history_chunk *p;
	size_t words = 0;

	for (size_t i = 0; i < from->n_warmup; i++)
		words += from->warmup[i].n_words;
	if (from->n_warmup == 0)
		return 0;
	p = new_history_chunk(from->n_warmup, words);
	if (p == NULL)
		return -ENOMEM;
	words = 0;
	for (size_t i = 0; i < from->n_warmup; i++) {
		const struct al_warmup_exec *w = &from->warmup[i];

		memcpy(p->words + words, from->base + w->slots_index,
		       w->n_words * sizeof(*p->words));
		append_exec_of_copied_words(history, p, w, p->words + words);
		words += w->n_words;
	}
	*(history->last ? &history->last->next : &history->first) = p;
	history->last = p;
	history->instret = p->exec[p->n - 1].instret;
	history->n_execs += p->n;
	return 0;
}

/* Whether no warm-up reaches the oldest chunk, because more executions or
   instructions come after it than the longest warm-up has. An execution has at
   least one instruction. */
static bool is_oldest_chunk_beyond_warmups(const struct al_history *history)
{
	const struct al_history_chunk *p = history->first;
	uint64_t back = history->instret - p->exec[p->n - 1].instret;

	return history->n_execs - p->n > history->max_warmup ||
	       (back > PT_MAX_INSTRS &&
		back - PT_MAX_INSTRS > history->max_warmup);
}

void al_history_free_chunks_beyond_warmups(struct al_history *history)
{
	struct al_history_chunk *p;

	while ((p = history->first) != NULL &&
	       is_oldest_chunk_beyond_warmups(history)) {
		history->n_execs -= p->n;
		history->first = p->next;
		free_history_chunk(p);
	}
	if (history->first == NULL)
		history->last = NULL;
}

void al_history_release(struct al_history *history)
{
	struct al_history_chunk *p;

	while ((p = history->first) != NULL) {
		history->first = p->next;
		free_history_chunk(p);
	}
	*history = (struct al_history){0};
}
