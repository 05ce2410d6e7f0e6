/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.c - cursors: opened, asked and closed; see cursor.h
 */
#include "liballeria/cursor/cursor.h"

#include "liballeria/cursor/skip_by_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static const size_t record_size[AP_KINDS] = {
	[ALLERIA_ACCESSES] = sizeof(struct alleria_access),
	[ALLERIA_INSTRUCTIONS] = sizeof(struct alleria_instruction),
	[ALLERIA_EXECUTIONS] = sizeof(struct alleria_execution),
	[ALLERIA_BRANCHES] = sizeof(struct alleria_branch),
	[ALLERIA_EVENTS] = sizeof(struct alleria_event),
};

static int make_room(struct alleria_cursor *c)
{
	/* What the last unit of a batch adds. */
	size_t n = AP_BATCH + ALLERIA_MAX_ACCESSES;
	bool short_of = false;

	for (unsigned i = ALLERIA_ACCESSES; i < AP_KINDS; i++)
		if (ap_wants(c, i)) {
			c->batch[i].record = malloc(n * record_size[i]);
			short_of |= !c->batch[i].record;
		}
	if (ap_wants(c, ALLERIA_INSTRUCTIONS)) {
		c->held = malloc(n * sizeof(*c->held));
		short_of |= !c->held;
	}
	if (ap_wants(c, ALLERIA_EXECUTIONS)) {
		c->unit = malloc(n * sizeof(*c->unit));
		short_of |= !c->unit;
	}
	c->unpacker = pf_unpacker_new();
	c->coder = pf_coder_new();
	return short_of || !c->unpacker || !c->coder ? ALLERIA_E_MEMORY : 0;
}

/* What cannot be asked for together. */
static int check(const struct alleria_cursor *c)
{
	const struct ap_filter *f = &c->filter;
	const struct alleria_profile *p = c->profile;
	bool data = f->on_data;

	if (c->want == 1u << ALLERIA_EVENTS && (f->on_code || data))
		return ALLERIA_E_ARGUMENT;
	if (c->want == 1u << ALLERIA_BRANCHES && data)
		return ALLERIA_E_ARGUMENT;
	if (p->n_order == 0)
		return 0;
	data |= c->want == 1u << ALLERIA_ACCESSES;
	if (data && !(p->run.has & ALLERIA_HAS_ADDRESSES))
		return ALLERIA_E_UNRECORDED;
	return 0;
}

int ap_cursor_new(struct alleria_profile *p, unsigned want,
		  const struct alleria_filter *filter,
		  struct alleria_cursor **out)
{
	struct alleria_cursor *c = calloc(1, sizeof(*c));
	int err;

	*out = NULL;
	if (!c)
		return ALLERIA_E_MEMORY;
	c->profile = p;
	c->want = want;
	err = ap_filter_copy(&c->filter, p, filter);
	if (!err)
		err = check(c);
	if (!err)
		err = make_room(c);
	if (err)
		alleria_cursor_close(c);
	else
		*out = c;
	return err;
}

int alleria_cursor_open(struct alleria_profile *p, enum alleria_what what,
			const struct alleria_filter *filter,
			struct alleria_cursor **out)
{
	*out = NULL;
	if (what < ALLERIA_ACCESSES || what > ALLERIA_EVENTS)
		return ALLERIA_E_ARGUMENT;
	return ap_cursor_new(p, 1u << what, filter, out);
}

void alleria_cursor_close(struct alleria_cursor *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < AP_KINDS; i++)
		free(c->batch[i].record);
	ap_routes_forget(c);
	ap_trail_release(c);
	ap_touch_release(c);
	free(c->held);
	free(c->unit);
	free(c->words);
	pf_unpacker_free(c->unpacker);
	pf_coder_free(c->coder);
	ap_filter_release(&c->filter);
	free(c);
}

int ap_cursor_fail(struct alleria_cursor *c, int error, const char *what)
{
	snprintf(c->message, sizeof(c->message), "%s", what);
	return error;
}

const char *alleria_cursor_error(const struct alleria_cursor *c)
{
	return c->message;
}

/* ---- asking ---- */

/* At most @most of the records that wait, or of the next. */
static long take(struct alleria_cursor *c, enum alleria_what what, size_t most,
		 void *out)
{
	struct ap_batch *b = &c->batch[what];
	const char *at;
	size_t n;
	int got;

	if (!ap_wants(c, what))
		return ALLERIA_E_ARGUMENT;
	if (b->given == b->n) {
		got = ap_walk_fill(c);
		if (got <= 0)
			return got;
	}
	n = b->n - b->given;
	if (n > most)
		n = most;
	at = (const char *)b->record + b->given * record_size[what];
	memcpy(out, &at, sizeof(at));
	b->given += n;
	return (long)n;
}

long alleria_accesses(struct alleria_cursor *c,
		      const struct alleria_access **out)
{
	return take(c, ALLERIA_ACCESSES, SIZE_MAX, out);
}

long alleria_instructions(struct alleria_cursor *c,
			  const struct alleria_instruction **out)
{
	return take(c, ALLERIA_INSTRUCTIONS, SIZE_MAX, out);
}

long alleria_executions(struct alleria_cursor *c,
			const struct alleria_execution **out)
{
	return take(c, ALLERIA_EXECUTIONS, SIZE_MAX, out);
}

long alleria_branches(struct alleria_cursor *c,
		      const struct alleria_branch **out)
{
	return take(c, ALLERIA_BRANCHES, SIZE_MAX, out);
}

long alleria_events(struct alleria_cursor *c, const struct alleria_event **out)
{
	return take(c, ALLERIA_EVENTS, SIZE_MAX, out);
}

int alleria_next_access(struct alleria_cursor *c,
			const struct alleria_access **out)
{
	return (int)take(c, ALLERIA_ACCESSES, 1, out);
}

int alleria_next_instruction(struct alleria_cursor *c,
			     const struct alleria_instruction **out)
{
	return (int)take(c, ALLERIA_INSTRUCTIONS, 1, out);
}

int alleria_next_execution(struct alleria_cursor *c,
			   const struct alleria_execution **out)
{
	return (int)take(c, ALLERIA_EXECUTIONS, 1, out);
}

int alleria_next_branch(struct alleria_cursor *c,
			const struct alleria_branch **out)
{
	return (int)take(c, ALLERIA_BRANCHES, 1, out);
}

int alleria_next_event(struct alleria_cursor *c,
		       const struct alleria_event **out)
{
	return (int)take(c, ALLERIA_EVENTS, 1, out);
}

long alleria_execution_accesses(struct alleria_cursor *c,
				const struct alleria_execution *execution,
				struct alleria_access *out)
{
	const struct ap_batch *b = &c->batch[ALLERIA_EXECUTIONS];
	const struct alleria_execution *first = b->record;
	const struct ap_block *block;
	struct ap_found f;

	if (!ap_wants(c, ALLERIA_EXECUTIONS) || execution < first ||
	    execution >= first + b->n)
		return ALLERIA_E_ARGUMENT;
	block = (const struct ap_block *)execution->block;
	f = (struct ap_found){
		.exit = &block->exit[execution->exit],
		.slots = c->base + c->unit[execution - first],
	};
	return ap_make_accesses(c, &f, execution->access,
				execution->instruction, out);
}
