/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_event.h - passes events about data objects to a listener of a cursor
 */
#ifndef LIBALLERIA_CURSOR_DATA_EVENT_H
#define LIBALLERIA_CURSOR_DATA_EVENT_H

#include <alleria/alleria.h>
#include <stdint.h>

struct ap_stream;

/* An event whose unit has 8-byte words after its header (proto/unit.h): a birth
   or death of a data object, a site, ... */
struct ap_data_event {
	const struct ap_stream *stream;
	uint64_t instruction; /* number of the first instruction after the
				 event */
	uint64_t access;      /* number of the first access after the event */
	uint32_t thread;
	uint32_t kind; /* enum pt_kind, at least PT_FIRST_EVENT; also
				 those of later versions */
	uint32_t id;
	uint32_t n_words;
	const uint32_t *words; /* [2 * n_words] valid during the call */
};

/* Return the 64-bit word @word_index of an event, counted from 0; 0 if the
   event has fewer words. */
uint64_t ap_data_event_word_or_0(const struct ap_data_event *,
				 uint32_t word_index);

/* Return a copy of the text in the words from @first_word_index on, up to its
   NUL or the last word; the caller frees it. NULL: memory is short. */
char *ap_data_event_copy_text(const struct ap_data_event *,
			      uint32_t first_word_index);

/* Process an event. @arg: as given to ap_call_listener_for_data_events().
   Return: 0; -ENOMEM. */
typedef int ap_data_event_fn(void *arg, const struct ap_data_event *);

/* Call @listener for all events about data objects (struct ap_data_event) in
   the profile, in the order of a cursor. Damaged parts are left out. Return: 0;
   enum alleria_error. */
int ap_call_listener_for_data_events(struct alleria_profile *,
				     ap_data_event_fn *listener, void *arg);

#endif
