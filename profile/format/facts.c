/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts.c - decodes the records of PF_IMAGE and PF_END; see facts.h */

#include "profile/format/facts.h"

#include <errno.h>
#include <string.h>

/* Whether the content has strings, the last of which ends with NUL. */
static bool has_strings(const struct pf_fact_in *f)
{
	return f->end > f->at && f->end[-1] == 0;
}

static bool decode_image_fact(struct pf_image *s, struct pf_fact_in *f)
{
	switch (f->kind) {
	case PF_PROCESS:
		return s->has_process = pf_take_number(f, &s->pid) &&
					pf_take_number(f, &s->tree) &&
					pf_take_number(f, &s->number) &&
					pf_take_number(f, &s->parent);
	case PF_COMMAND:
		s->command = *f;
		return s->has_command = has_strings(f);
	case PF_DIRECTORY:
		return pf_take_string(f, &s->directory);
	case PF_VALGRIND:
		return pf_take_string(f, &s->valgrind);
	case PF_FIELDS:
		return pf_take_number(f, &s->fields);
	case PF_PLAN:
		s->plan = f->at;
		s->plan_bytes = (size_t)(f->end - f->at);
		return true;
	case PF_FORK:
		s->forked = true;
		return pf_take_number(f, &s->fork_of) &&
		       pf_take_number(f, &s->n_blocks) &&
		       pf_take_number(f, &s->log);
	}
	return true;
}

int pf_image_take(const void *payload, size_t bytes, struct pf_image *s)
{
	struct pf_fact_in f;
	size_t offset = 0;
	bool whole = true;
	int more;

	*s = (struct pf_image){0};
	while ((more = pf_next_fact(payload, bytes, &offset, &f)) > 0)
		whole &= decode_image_fact(s, &f);
	return more < 0 || !whole ? -EBADMSG : 0;
}

static bool decode_end_fact(struct pf_end *e, struct pf_fact_in *f)
{
	switch (f->kind) {
	case PF_ENDING:
		return pf_take_number(f, &e->ending) &&
		       pf_take_number(f, &e->value);
	case PF_LOST:
		return pf_take_number(f, &e->lost) &&
		       pf_take_string(f, &e->lossy);
	case PF_CUT_SHORT:
		return pf_take_string(f, &e->truncated);
	case PF_TITLE:
		return pf_take_string(f, &e->title);
	case PF_LOST_MESSAGES:
		return pf_take_number(f, &e->lost_messages);
	case PF_WAITED:
		return pf_take_number(f, &e->wait_ns) &&
		       pf_take_number(f, &e->waits);
	case PF_BUFFERS:
		return pf_take_number(f, &e->buffers) &&
		       pf_take_number(f, &e->buffer_bytes);
	case PF_MET:
		return e->has_met = pf_take_number(f, &e->threads) &&
				    pf_take_number(f, &e->signals);
	case PF_WINDOWS:
		e->windows = f->at;
		e->n_windows =
			(size_t)(f->end - f->at) / sizeof(struct pf_window);
		return true;
	}
	return true;
}

int pf_end_take(const void *payload, size_t bytes, struct pf_end *e)
{
	struct pf_fact_in f;
	size_t offset = 0;
	bool whole = true;
	int more;

	*e = (struct pf_end){0};
	while ((more = pf_next_fact(payload, bytes, &offset, &f)) > 0)
		whole &= decode_end_fact(e, &f);
	return more < 0 || !whole ? -EBADMSG : 0;
}
