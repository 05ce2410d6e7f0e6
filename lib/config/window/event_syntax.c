/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_syntax.c - reads `on` and `till` of a window
 *
 * The events of `all` and `any` are adjacent in the array, after the event that
 * groups them.
 */
#include <string.h>

#include "lib/config/window/read_state.h"

static int read_event_from_map(struct al_window_reader *r,
			       const struct al_node *node,
			       bool is_closing_event, uint32_t event_index);

/* Read the children of @node as new events, and make event @event_index their
   group. */
static int read_event_group(struct al_window_reader *r,
			    const struct al_node *node, enum pt_event_kind kind,
			    bool is_closing_event, uint32_t event_index)
{
	struct al_windows *w = r->windows;
	uint32_t first, n = 0;
	int rc = 0;

	for (const struct al_node *c = node->child; c; c = c->next)
		n++;
	if (!n)
		return al_yaml_error_at_node(node, r->message, "no events");
	if (n > PT_MAX_EVENTS - w->n[AL_EVENTS])
		return al_yaml_error_at_node(
			node, r->message, "more than %d events", PT_MAX_EVENTS);
	if (al_arrays_append_zeroed_entries(w, AL_EVENTS, n, &first))
		return al_value_report_no_memory_return_einval(r);
	w->event[event_index] = (struct pt_event){
		.kind = (uint16_t)kind, .first = first, .n = n};
	for (const struct al_node *c = node->child; c && !rc; c = c->next)
		rc = read_event_from_map(r, c, is_closing_event, first++);
	return rc;
}

/* Read event @event_index from a key and its value: a kind of event, or a
   group. */
static int read_event_from_key_and_value(struct al_window_reader *r,
					 const struct al_node *node,
					 bool is_closing_event,
					 uint32_t event_index)
{
	const char *name = node->key->text;
	bool all = !strcmp(name, "all");
	int rc = al_event_read_return_1_if_kind_unknown(
		r, node, is_closing_event, event_index);

	if (rc <= 0)
		return rc;
	if (node->kind != AL_LIST)
		return al_yaml_error_at_node(node, r->message,
					     "'%s' is not a list", name);
	return read_event_group(r, node, all ? PT_EVENT_ALL : PT_EVENT_ANY,
				is_closing_event, event_index);
}

/* Read event @event_index from a member of a map of events, or from a map: with
   one key it is that event; with several keys, a group of which any event is
   enough. @is_closing_event: see read_state.h. */
static int read_event_from_map(struct al_window_reader *r,
			       const struct al_node *node,
			       bool is_closing_event, uint32_t event_index)
{
	const char *words[AL_EVENT_KINDS + 4] = {"all", "any", "one"};
	int rc;

	if (node->key && strcmp(node->key->text, "on") &&
	    strcmp(node->key->text, "till"))
		return read_event_from_key_and_value(r, node, is_closing_event,
						     event_index);
	al_event_kind_list_names(words + 3);
	rc = al_yaml_check_known_keys(node, words, "an event", r->message);
	if (rc)
		return rc;
	if (node->child && !node->child->next)
		return read_event_from_key_and_value(
			r, node->child, is_closing_event, event_index);
	return read_event_group(r, node, PT_EVENT_ANY, is_closing_event,
				event_index);
}

int al_event_add_and_read(struct al_window_reader *r,
			  const struct al_node *node, bool is_closing_event,
			  uint32_t *event_index)
{
	if (r->windows->n[AL_EVENTS] == PT_MAX_EVENTS)
		return al_yaml_error_at_node(
			node, r->message, "more than %d events", PT_MAX_EVENTS);
	if (al_arrays_append_zeroed_entries(r->windows, AL_EVENTS, 1,
					    event_index))
		return al_value_report_no_memory_return_einval(r);
	if (node->kind == AL_LIST)
		return read_event_group(r, node, PT_EVENT_ANY, is_closing_event,
					*event_index);
	return read_event_from_map(r, node, is_closing_event, *event_index);
}
