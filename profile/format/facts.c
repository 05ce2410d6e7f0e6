/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts.c - decodes the records of PF_IMAGE and PF_END; see facts.h */

#include "profile/format/facts.h"

#include <errno.h>
#include <string.h>

/* Whether unread content remains that is one or more strings: it ends with
   NUL. */
static bool has_unread_strings(const struct pf_fact_reader *f)
{
	return f->end > f->pos && f->end[-1] == 0;
}

static bool decode_image_fact(struct pf_image *s, struct pf_fact_reader *f)
{
	switch (f->kind) {
	case PF_PROCESS:
		return s->has_process = pf_fact_read_u64(f, &s->pid) &&
					pf_fact_read_u64(f, &s->tree) &&
					pf_fact_read_u64(f, &s->number) &&
					pf_fact_read_u64(f, &s->parent);
	case PF_COMMAND:
		s->command = *f;
		return s->has_command = has_unread_strings(f);
	case PF_DIRECTORY:
		return pf_fact_read_string(f, &s->directory);
	case PF_VALGRIND:
		return pf_fact_read_string(f, &s->valgrind);
	case PF_FIELDS:
		return pf_fact_read_u64(f, &s->fields);
	case PF_PLAN:
		s->plan = f->pos;
		s->plan_bytes = (size_t)(f->end - f->pos);
		return true;
	case PF_FORK:
		s->forked = true;
		return pf_fact_read_u64(f, &s->fork_of) &&
		       pf_fact_read_u64(f, &s->n_blocks) &&
		       pf_fact_read_u64(f, &s->fork_log);
	}
	return true;
}

int pf_image_facts_decode(const void *payload, size_t bytes, struct pf_image *s)
{
	struct pf_fact_reader f;
	size_t offset = 0;
	bool all_valid = true;
	int result;

	*s = (struct pf_image){0};
	while ((result = pf_records_read_next_fact_or_0_at_end(
			payload, bytes, &offset, &f)) > 0)
		all_valid &= decode_image_fact(s, &f);
	return result < 0 || !all_valid ? -EBADMSG : 0;
}

static bool decode_fact_of_stream_end_by_kind(struct pf_end *e,
					      struct pf_fact_reader *f)
{
	switch (f->kind) {
	case PF_ENDING:
		return pf_fact_read_u64(f, &e->ending) &&
		       pf_fact_read_u64(f, &e->value);
	case PF_LOST:
		return pf_fact_read_u64(f, &e->lost) &&
		       pf_fact_read_string(f, &e->lossy);
	case PF_CUT_SHORT:
		return pf_fact_read_string(f, &e->truncated);
	case PF_TITLE:
		return pf_fact_read_string(f, &e->title);
	case PF_LOST_MESSAGES:
		return pf_fact_read_u64(f, &e->lost_messages);
	case PF_VARIABLES:
		return e->has_environment =
			       pf_fact_read_u64(f, &e->variables) &&
			       pf_fact_read_u64(f, &e->environment_bytes) &&
			       pf_fact_read_u64(f, &e->environment_hash);
	case PF_WAITED:
		return pf_fact_read_u64(f, &e->wait_ns) &&
		       pf_fact_read_u64(f, &e->waits);
	case PF_BUFFERS:
		return pf_fact_read_u64(f, &e->buffers) &&
		       pf_fact_read_u64(f, &e->buffer_bytes);
	case PF_MET:
		return e->has_counts = pf_fact_read_u64(f, &e->threads) &&
				       pf_fact_read_u64(f, &e->signals);
	case PF_WINDOWS:
		e->windows = f->pos;
		e->n_windows =
			(size_t)(f->end - f->pos) / sizeof(struct pf_window);
		return true;
	}
	return true;
}

int pf_stream_end_facts_decode(const void *payload, size_t bytes,
			       struct pf_end *e)
{
	struct pf_fact_reader f;
	size_t offset = 0;
	bool all_valid = true;
	int result;

	*e = (struct pf_end){0};
	while ((result = pf_records_read_next_fact_or_0_at_end(
			payload, bytes, &offset, &f)) > 0)
		all_valid &= decode_fact_of_stream_end_by_kind(e, &f);
	return result < 0 || !all_valid ? -EBADMSG : 0;
}
