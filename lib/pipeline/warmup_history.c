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

void al_past_init(struct al_past *past, const struct pt_plan *plan)
{
	const struct pt_window *w = al_plan_windows(plan);

	for (uint32_t i = 0; i < plan->windows.n; i++) {
		past->warmup[i] = w[i].n_warm ? w[i].warmup : 0;
		if (past->warmup[i] > past->most)
			past->most = past->warmup[i];
	}
}

static void free_piece(struct al_past_piece *p)
{
	free(p->words);
	free(p->exec);
	free(p);
}

/* Return an empty piece with room for @execs executions and @words words of 4
   bytes; NULL when memory is short. */
static struct al_past_piece *new_piece(size_t execs, size_t words)
{
	struct al_past_piece *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->words = malloc(words * sizeof(*p->words));
	p->exec = malloc(execs * sizeof(*p->exec));
	p->size = execs;
	if (p->words != NULL && p->exec != NULL)
		return p;
	free_piece(p);
	return NULL;
}

/* Return the number of instructions executed. @words: slots of the unit. */
static uint16_t n_instrs(const struct al_warm *w, const uint32_t *words)
{
	uint32_t instrs;

	if (w->exit != AL_CUT)
		return w->desc->exit[w->exit].n_instrs;
	instrs = pt_cut_instrs(pt_slot(words + w->words - 2));
	return instrs < w->desc->n_instrs ? (uint16_t)instrs
					  : w->desc->n_instrs;
}

/* Append an execution. @words: copy of the unit's words, in @p. */
static void add_exec(struct al_past_piece *p, const struct al_warm *w,
		     const uint32_t *words)
{
	p->exec[p->n++] = (struct al_past_exec){
		.desc = w->desc,
		.far = pt_slot(words + 2 * w->desc->far),
		.at = (uint32_t)(words - p->words),
		.words = w->words,
		.exit = w->exit,
		.to = n_instrs(w, words),
		.class = w->class,
	};
}

int al_past_take(struct al_past *past, const struct al_piece *from)
{
	struct al_past_piece *p;
	size_t words = 0;

	for (size_t i = 0; i < from->n_warm; i++)
		words += from->warm[i].words;
	if (from->n_warm == 0)
		return 0;
	p = new_piece(from->n_warm, words);
	if (p == NULL)
		return -ENOMEM;
	words = 0;
	for (size_t i = 0; i < from->n_warm; i++) {
		const struct al_warm *w = &from->warm[i];

		memcpy(p->words + words, from->base + w->at,
		       w->words * sizeof(*p->words));
		add_exec(p, w, p->words + words);
		words += w->words;
	}
	*(past->last ? &past->last->next : &past->first) = p;
	past->last = p;
	past->far = p->exec[p->n - 1].far;
	past->n += p->n;
	return 0;
}

int al_past_cut(struct al_past *past, struct al_past_piece *p, size_t e,
		uint16_t from)
{
	if (p->n == p->size) {
		size_t size = p->size + 16;
		void *exec = realloc(p->exec, size * sizeof(*p->exec));

		if (exec == NULL)
			return -ENOMEM;
		p->exec = exec;
		p->size = size;
	}
	memmove(&p->exec[e + 1], &p->exec[e], (p->n - e) * sizeof(*p->exec));
	p->exec[e].to = p->exec[e + 1].from = from;
	p->n++;
	past->n++;
	return 0;
}

/* Whether no warm-up reaches the oldest piece: the executions or instructions
   after it are more than the longest warm-up. An execution has at least one
   instruction. */
static bool is_unreachable(const struct al_past *past)
{
	const struct al_past_piece *p = past->first;
	uint64_t back = past->far - p->exec[p->n - 1].far;

	return past->n - p->n > past->most ||
	       (back > PT_MAX_INSTRS && back - PT_MAX_INSTRS > past->most);
}

void al_past_forget(struct al_past *past)
{
	struct al_past_piece *p;

	while ((p = past->first) != NULL && is_unreachable(past)) {
		past->n -= p->n;
		past->first = p->next;
		free_piece(p);
	}
	if (past->first == NULL)
		past->last = NULL;
}

void al_past_release(struct al_past *past)
{
	struct al_past_piece *p;

	while ((p = past->first) != NULL) {
		past->first = p->next;
		free_piece(p);
	}
	*past = (struct al_past){0};
}
