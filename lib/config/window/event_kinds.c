/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_kinds.c - reads events of each kind that open or close a window
 *
 * If the value of an event is a word, it is the value of the kind's first key:
 * {call: main} is {call: {function: main}}.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/window/only_window.h"
#include "lib/config/window/read_state.h"

/* State of reading one event. */
struct event_reader {
	struct al_window_reader *r;
	const struct al_node *map;
	const char *what; /* name of the kind in quotes, for messages */
	bool is_till;	  /* the event closes a window */
	struct pt_event event;
};

struct event_kind {
	const char *name;
	enum pt_event_kind kind;
	int (*read)(struct event_reader *);
	const char *keys[10]; /* valid keys; the first is the key of a value
				 that is a word */
};

static int report_missing_key(const struct event_reader *e, const char *keys)
{
	return al_yaml_error_at_node(e->map, e->r->message, "%s has no %s",
				     e->what, keys);
}

/* ---- keys of several kinds ---- */

/* Read key `any_thread`. Without it and without `thread`, the counts of all
   threads are added up. */
static int read_any_thread_key(struct event_reader *e)
{
	const struct al_node *node = al_yaml_get(e->map, "any_thread");
	bool any;
	int rc = al_value_read_bool_or_false(e->r, e->map, "any_thread", &any);

	if (!rc && any && e->event.thread)
		return al_yaml_error_at_node(
			node, e->r->message,
			"'thread' and 'any_thread' exclude each "
			"other");
	if (!any && !e->event.thread)
		e->event.flags |= PT_EVENT_SUM;
	return rc;
}

static int read_count_since_window_opening_flag(struct event_reader *e)
{
	static const char *const words[] = {"opening", NULL};
	const struct al_node *node = al_yaml_get(e->map, "since");

	if (!node)
		return 0;
	if (!e->is_till)
		return al_yaml_error_at_node(
			node->key, e->r->message,
			"'since' is only permitted in 'till'");
	if (!al_value_text_or_null(node) || strcmp(node->text, words[0]))
		return al_yaml_error_at_node(node, e->r->message,
					     "'since' is not 'opening'");
	e->event.flags |= PT_EVENT_SINCE_OPEN;
	return 0;
}

static int read_object_file_of_event(struct event_reader *e,
				     const char *path_key, const char *name_key)
{
	const char *const keys[] = {path_key, name_key, NULL};
	const struct al_node *node;
	int rc = al_value_check_exclusive_and_find_node(e->r, e->map, keys,
							&node);

	if (rc || !node)
		return rc;
	if (!strcmp(node->key->text, path_key))
		e->event.flags |= PT_EVENT_BY_PATH;
	return al_value_check_and_append_image_name(
		e->r, node, e->event.flags & PT_EVENT_BY_PATH, &e->event.image);
}

static int read_event_name(struct event_reader *e, const char *key)
{
	const struct al_node *node = al_yaml_get_required(
		e->map, key, AL_TEXT, e->what, e->r->message);

	return node ? al_value_append_nonempty_string(e->r, node,
						      &e->event.name)
		    : -EINVAL;
}

/* ---- each kind ---- */

static int check_event_has_process(struct event_reader *e)
{
	return e->event.process ? 0
				: report_missing_key(e, "'process' above 0");
}

static int read_yaml_load_or_unload_event(struct event_reader *e)
{
	int rc = read_object_file_of_event(e, "path", "name");

	return rc || e->event.image ? rc
				    : report_missing_key(e, "'path' or 'name'");
}

/* Read key `nth`, the number of a call. The message for a range shows how to
   write a window for a range. */
static int read_call_number(struct event_reader *e, const struct al_node *nth)
{
	const struct al_node *function = al_yaml_get(e->map, "function");
	const char *text = al_value_text_or_null(nth);
	uint64_t first, last;

	if (!text ||
	    al_only_parse_two_numbers_any_separator(text, &first, &last))
		return al_value_parse_count(e->r, nth, 0, UINT64_MAX,
					    &e->event.count);
	return al_yaml_error_at_node(
		nth, e->r->message,
		"nth '%.60s' is not one number; a window from one "
		"call to another has 'till': on: {call: "
		"{function: %.60s, nth: %" PRIu64
		"}}, till: {return: {function: %.60s, nth: %" PRIu64 "}}",
		text, function->text, first, function->text, last);
}

static int read_yaml_call_or_return_event(struct event_reader *e)
{
	const struct al_node *nth = al_yaml_get(e->map, "nth");
	bool decorated;
	int rc = read_event_name(e, "function");

	if (!rc)
		rc = al_value_read_bool_or_false(e->r, e->map, "decorated",
						 &decorated);
	if (rc)
		return rc;
	if (decorated)
		e->event.flags |= PT_EVENT_DECORATED;
	if (nth)
		rc = read_call_number(e, nth);
	if (!e->event.count)
		e->event.count = 1;
	if (!e->event.thread)
		e->event.flags |= PT_EVENT_SUM;
	if (!rc)
		rc = read_object_file_of_event(e, "image_path", "image_name");
	return rc ? rc : read_count_since_window_opening_flag(e);
}

static int read_min_and_max_thread_count(struct event_reader *e)
{
	const struct al_node *ge = al_yaml_get(e->map, "ge");
	const struct al_node *le = al_yaml_get(e->map, "le");
	int rc = 0;

	e->event.most = PT_NO_LIMIT;
	if (!ge && !le)
		return report_missing_key(e, "'ge' or 'le'");
	if (ge)
		rc = al_value_parse_count(e->r, ge, 0, AL_MAX_PROCESS,
					  &e->event.count);
	if (!rc && le)
		rc = al_value_parse_count(e->r, le, 1, AL_MAX_PROCESS,
					  &e->event.most);
	if (!rc && e->event.most < e->event.count)
		rc = al_yaml_error_at_node(le, e->r->message,
					   "le '%.60s' is less than ge '%.60s'",
					   le->text, ge->text);
	return rc;
}

static int parse_yaml_of_elapsed_time_event(struct event_reader *e)
{
	static const char *const keys[] = {"ms", "us", "s", NULL};
	const struct al_node *node;
	uint64_t unit = 1000000;
	int rc = al_value_check_exclusive_and_find_node(e->r, e->map, keys,
							&node);

	if (rc)
		return rc;
	if (!node)
		return report_missing_key(e, "'ms', 'us' or 's'");
	if (!strcmp(node->key->text, "us"))
		unit = 1000;
	else if (!strcmp(node->key->text, "s"))
		unit = 1000000000;
	rc = al_value_parse_time(e->r, node, unit, &e->event.count);
	return rc ? rc : read_count_since_window_opening_flag(e);
}

static int read_instr_or_access_count(struct event_reader *e,
				      const struct al_node *node)
{
	return al_value_parse_count(e->r, node, 1, UINT64_MAX, &e->event.count);
}

static int read_yaml_instr_count_event(struct event_reader *e)
{
	const struct al_node *node = al_yaml_get(e->map, "count");
	int rc = node ? read_instr_or_access_count(e, node)
		      : report_missing_key(e, "'count'");

	if (!rc)
		rc = read_any_thread_key(e);
	return rc ? rc : read_count_since_window_opening_flag(e);
}

/* Read the counts @reads and @writes: add two events, one for each count, and
   make @e a group of these events, which must both happen. */
static int read_reads_and_writes_group(struct event_reader *e,
				       const struct al_node *reads,
				       const struct al_node *writes)
{
	struct al_windows *w = e->r->windows;
	uint32_t first;
	int rc = read_instr_or_access_count(e, reads);

	if (rc)
		return rc;
	if (w->n[AL_EVENTS] + 2 > PT_MAX_EVENTS)
		return al_yaml_error_at_node(e->map, e->r->message,
					     "more than %d events",
					     PT_MAX_EVENTS);
	if (al_arrays_append_zeroed_entries(w, AL_EVENTS, 2, &first))
		return al_value_report_no_memory_return_einval(e->r);
	e->event.kind = PT_EVENT_READS;
	w->event[first] = e->event;
	rc = read_instr_or_access_count(e, writes);
	e->event.kind = PT_EVENT_WRITES;
	w->event[first + 1] = e->event;
	e->event =
		(struct pt_event){.kind = PT_EVENT_ALL, .first = first, .n = 2};
	return rc;
}

static int read_yaml_access_count_event(struct event_reader *e)
{
	enum { TOTAL = 1, READS = 2, WRITES = 4 }; /* bits: keys given */
	const struct al_node *total = al_yaml_get(e->map, "total");
	const struct al_node *reads = al_yaml_get(e->map, "reads");
	const struct al_node *writes = al_yaml_get(e->map, "writes");
	int rc = read_any_thread_key(e);

	if (!rc)
		rc = read_count_since_window_opening_flag(e);
	if (rc)
		return rc;
	switch ((total ? TOTAL : 0) | (reads ? READS : 0) |
		(writes ? WRITES : 0)) {
	case 0:
		return report_missing_key(e, "'reads', 'writes' or 'total'");
	case TOTAL:
		return read_instr_or_access_count(e, total);
	case READS:
		e->event.kind = PT_EVENT_READS;
		return read_instr_or_access_count(e, reads);
	case WRITES:
		e->event.kind = PT_EVENT_WRITES;
		return read_instr_or_access_count(e, writes);
	case READS | WRITES:
		return read_reads_and_writes_group(e, reads, writes);
	default: /* the total and a part of it */
		return al_yaml_error_at_node(
			total->key, e->r->message,
			"'total' and '%s' exclude each other",
			reads ? "reads" : "writes");
	}
}

static int read_client_request_name(struct event_reader *e)
{
	return read_event_name(e, "name");
}

static int read_yaml_signal_event(struct event_reader *e)
{
	const struct al_node *node = al_yaml_get_required(
		e->map, "number", AL_TEXT, e->what, e->r->message);

	return node ? al_value_parse_signal(e->r, node, &e->event.count)
		    : -EINVAL;
}

/* Read the value of event `monitor`, a request from outside the program. It
   must be {monitor: true}. */
static int check_monitor_is_true(struct event_reader *e)
{
	bool asked;
	int rc = al_value_read_bool_or_false(e->r, e->map, "asked", &asked);

	return rc || asked ? rc
			   : al_yaml_error_at_node(e->map, e->r->message,
						   "%s is not 'true'", e->what);
}

/* clang-format off */
static const struct event_kind kinds[] = {
	{"creation", PT_EVENT_CREATION, check_event_has_process,
	 {"process", "thread"}},
	{"termination", PT_EVENT_TERMINATION, check_event_has_process,
	 {"process", "thread"}},
	{"load", PT_EVENT_LOAD, read_yaml_load_or_unload_event,
	 {"name", "path", "process"}},
	{"unload", PT_EVENT_UNLOAD, read_yaml_load_or_unload_event,
	 {"name", "path", "process"}},
	{"call", PT_EVENT_CALL, read_yaml_call_or_return_event,
	 {"function", "decorated", "nth", "image_path", "image_name", "process",
	  "thread", "since"}},
	{"return", PT_EVENT_RETURN, read_yaml_call_or_return_event,
	 {"function", "decorated", "nth", "image_path", "image_name", "process",
	  "thread", "since"}},
	{"threads", PT_EVENT_THREADS, read_min_and_max_thread_count,
	 {"ge", "le", "process"}},
	{"time", PT_EVENT_TIME, parse_yaml_of_elapsed_time_event,
	 {"ms", "us", "s", "process", "thread", "since"}},
	{"accesses", PT_EVENT_ACCESSES, read_yaml_access_count_event,
	 {"total", "reads", "writes", "any_thread", "process", "thread",
	  "since"}},
	{"instructions", PT_EVENT_INSTRUCTIONS, read_yaml_instr_count_event,
	 {"count", "any_thread", "process", "thread", "since"}},
	{"client_request", PT_EVENT_REQUEST, read_client_request_name,
	 {"name", "process", "thread"}},
	{"signal", PT_EVENT_SIGNAL, read_yaml_signal_event,
	 {"number", "process", "thread"}},
	{"monitor", PT_EVENT_MONITOR, check_monitor_is_true, {"asked"}},
};
/* clang-format on */

_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == AL_EVENT_KINDS, "all kinds");

/* ---- an event ---- */

/* Read keys `process` and `thread`. Append the process to r->named_process,
   unless the event is the creation or termination of a process or thread. */
static int read_process_and_thread_keys(struct event_reader *e,
					const struct event_kind *k)
{
	struct al_window_reader *r = e->r;
	int rc = al_value_read_process_or_thread(r, e->map, "process",
						 &e->event.process);

	if (!rc)
		rc = al_value_read_process_or_thread(r, e->map, "thread",
						     &e->event.thread);
	if (rc || !e->event.process || k->read == check_event_has_process)
		return rc;
	if (r->n_named_processes < PT_MAX_EVENTS)
		r->named_process[r->n_named_processes++] =
			(struct al_named_process){
				al_yaml_get(e->map, "process"),
				e->event.process};
	return 0;
}

/* Read event @event_index, of kind @k, from the keys in @map. */
static int read_event_keys(struct al_window_reader *r,
			   const struct event_kind *k,
			   const struct al_node *map, bool is_closing_event,
			   uint32_t event_index)
{
	char what[40];
	struct event_reader e = {
		.r = r, .map = map, .what = what, .is_till = is_closing_event};
	int rc;

	snprintf(what, sizeof(what), "'%s'", k->name);
	rc = al_yaml_check_known_keys(map, k->keys, what, r->message);
	e.event.kind = (uint16_t)k->kind;
	if (!rc)
		rc = read_process_and_thread_keys(&e, k);
	if (!rc)
		rc = k->read(&e);
	if (!rc)
		r->windows->event[event_index] = e.event;
	return rc;
}

/* Read event @event_index, of kind @k, from @node: a map of keys, or a word,
   which is the value of the kind's first key. */
static int read_event_of_kind(struct al_window_reader *r,
			      const struct event_kind *k,
			      const struct al_node *node, bool is_closing_event,
			      uint32_t event_index)
{
	struct al_node key = *node, value = *node, map = *node;

	if (node->kind != AL_TEXT && k->kind == PT_EVENT_MONITOR)
		return al_yaml_error_at_node(node, r->message,
					     "'monitor' is not a word");
	if (node->kind != AL_TEXT)
		return read_event_keys(r, k, node, is_closing_event,
				       event_index);
	key.text = (char *)(uintptr_t)k->keys[0];
	value.key = &key;
	value.next = NULL;
	map.kind = AL_MAP;
	map.child = &value;
	return read_event_keys(r, k, &map, is_closing_event, event_index);
}

int al_event_read_return_1_if_kind_unknown(struct al_window_reader *r,
					   const struct al_node *node,
					   bool is_closing_event,
					   uint32_t event_index)
{
	for (const struct event_kind *k = kinds; k < kinds + AL_EVENT_KINDS;
	     k++)
		if (!strcmp(node->key->text, k->name))
			return read_event_of_kind(r, k, node, is_closing_event,
						  event_index);
	return 1;
}

void al_event_kind_list_names(const char **unterminated_names)
{
	for (const struct event_kind *k = kinds; k < kinds + AL_EVENT_KINDS;
	     k++)
		*unterminated_names++ = k->name;
}
