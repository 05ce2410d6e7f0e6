/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_event.c - reads events about data objects; see data_event.h */

#include "liballeria/cursor/data_event.h"

#include <string.h>

#include "liballeria/cursor/cursor.h"

uint64_t ap_data_event_word_or_0(const struct ap_data_event *e,
				 uint32_t word_index)
{
	return word_index < e->n_words ? pt_read_shared_unaligned_u64_once(
						 e->words + 2 * word_index)
				       : 0;
}

char *ap_data_event_copy_text(const struct ap_data_event *e,
			      uint32_t first_word_index)
{
	size_t n = e->n_words > first_word_index
			   ? 8 * (e->n_words - first_word_index)
			   : 0;

	return strndup((const char *)(e->words + 2 * first_word_index), n);
}

int ap_call_listener_for_data_events(struct alleria_profile *p,
				     ap_data_event_fn *listener, void *arg)
{
	const struct alleria_event *events;
	struct alleria_cursor *c;
	long n;
	int err = ap_cursor_open_for_kinds(p, 1u << ALLERIA_EVENTS, NULL, &c);

	if (err)
		return err;
	c->data_listener = listener;
	c->data_listener_arg = arg;
	do
		n = alleria_events(c, &events);
	while (n > 0 || n == ALLERIA_E_DAMAGED);
	alleria_cursor_close(c);
	return (int)n;
}

/* Emit the public events of @e that pass the cursor's filter: one for a birth
   or a death, both for a heap block that is resized, none for other kinds. */
static void emit_birth_and_death_if_passing(struct alleria_cursor *c,
					    const struct ap_data_event *e)
{
	uint64_t first = ap_data_event_word_or_0(e, 0);
	uint64_t second = ap_data_event_word_or_0(e, 1);

	if (e->kind == PT_DIED || e->kind == PT_RESIZED)
		ap_emit_event_if_passing(c, ALLERIA_DIED, first, 0);
	if (e->kind == PT_BORN)
		ap_emit_event_if_passing(c, ALLERIA_BORN, first, second);
	else if (e->kind == PT_RESIZED)
		ap_emit_event_if_passing(c, ALLERIA_BORN, second,
					 ap_data_event_word_or_0(e, 2));
}

int ap_cursor_emit_data_event(struct alleria_cursor *c, unsigned kind,
			      uint32_t id, const uint32_t *words,
			      unsigned n_words)
{
	const struct ap_data_event e = {
		.stream = c->stream,
		.instruction = c->instruction,
		.access = c->access,
		.thread = c->thread,
		.kind = kind,
		.id = id,
		.n_words = n_words,
		.words = words,
	};

	emit_birth_and_death_if_passing(c, &e);
	return c->data_listener ? c->data_listener(c->data_listener_arg, &e)
				: 0;
}
