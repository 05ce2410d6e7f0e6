/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.c - reads the windows of a window file; see windows.h
 */
#include "lib/config/window/windows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/config/window/read_state.h"

static const char a_window[] = "a window";

static int check_window_name_valid_and_unique(const struct al_window_reader *r,
					      const struct al_node *node,
					      const char *name)
{
	const struct al_windows *w = r->windows;

	if (!al_is_valid_window_name(name))
		return al_yaml_error_at_node(
			node, r->message,
			"name '%.60s' is not 1 to %d letters, "
			"digits, '_', '.' or '-'",
			name, AL_MAX_NAME);
	for (uint32_t i = 0; i + 1 < w->n[AL_WINDOWS]; i++)
		if (!strcmp(w->string + w->window[i].name, name))
			return al_yaml_error_at_node(
				node, r->message, "two windows are named '%s'",
				name);
	return 0;
}

/* Set the name of window @window_index to the value of key `name`; without the
   key, to the number of the window, from 1. Return: 0; -EINVAL with a message,
   also if the name is invalid or an earlier window has it. */
static int read_window_name_or_use_index_plus_1(struct al_window_reader *r,
						const struct al_node *map,
						uint32_t window_index)
{
	const struct al_node *node = al_yaml_get(map, "name");
	char number[12];
	uint32_t offset;
	int rc;

	snprintf(number, sizeof(number), "%u", window_index + 1);
	if (node && !al_value_text_or_null(node))
		return al_yaml_error_at_node(node, r->message,
					     "'name' is not a word");
	rc = check_window_name_valid_and_unique(r, node ? node : map,
						node ? node->text : number);
	if (rc)
		return rc;
	if (al_arrays_append_string(r->windows, node ? node->text : number,
				    &offset))
		return al_value_report_no_memory_return_einval(r);
	r->windows->window[window_index].name = offset;
	return 0;
}

static int read_events_and_reopenable_flag(struct al_window_reader *r,
					   const struct al_node *map,
					   uint32_t window_index)
{
	const struct al_node *on = al_yaml_get(map, "on");
	const struct al_node *till = al_yaml_get(map, "till");
	struct pt_window *w = &r->windows->window[window_index];
	bool reopens;
	int rc = al_value_read_bool_or_false(r, map, "reopenable", &reopens);

	w->on = w->till = PT_NO_EVENT;
	w->flags = reopens ? PT_WINDOW_REOPENS : 0;
	if (!rc && reopens && !on)
		rc = al_yaml_error_at_node(
			al_yaml_get(map, "reopenable"), r->message,
			"a window that is reopenable has no 'on'");
	if (!rc && on)
		rc = al_event_add_and_read(r, on, false, &w->on);
	if (!rc && till)
		rc = al_event_add_and_read(r, till, true, &w->till);
	return rc;
}

/* Read the keys about sampling, and keys `warmup`, `per_window_output` and
   `profile`. */
static int read_window_recording_keys(struct al_window_reader *r,
				      const struct al_node *map,
				      uint32_t window_index)
{
	const struct al_node *warmup = al_yaml_get(map, "warmup");
	const struct al_node *profile = al_yaml_get(map, "profile");
	struct al_windows *w = r->windows;
	bool own_output = false;
	int rc = al_window_read_sample_or_intervals(r, map, window_index);

	if (!rc && warmup)
		rc = al_value_parse_count(r, warmup, 0, PT_MAX_WARMUP,
					  &w->window[window_index].warmup);
	if (!rc)
		rc = al_value_read_bool_or_false(r, map, "per_window_output",
						 &own_output);
	if (own_output)
		w->window[window_index].flags |= PT_WINDOW_OWN_OUTPUT;
	if (!rc && !profile)
		rc = al_yaml_error_at_node(map, r->message,
					   "%s has no 'profile'", a_window);
	return rc ? rc
		  : al_window_read_process_entries(r, profile, window_index);
}

static int read_and_append_window(struct al_window_reader *r,
				  const struct al_node *map)
{
	static const char *const keys[] = {
		"name",	     "reopenable", "on",
		"till",	     "profile",	   "sample",
		"intervals", "warmup",	   "per_window_output",
		NULL};
	struct al_windows *w = r->windows;
	uint32_t i;
	int rc = al_yaml_check_known_keys(map, keys, a_window, r->message);

	if (rc)
		return rc;
	if (w->n[AL_WINDOWS] == PT_MAX_WINDOWS)
		return al_yaml_error_at_node(map, r->message,
					     "more than %d windows",
					     PT_MAX_WINDOWS);
	if (al_arrays_append_zeroed_entries(w, AL_WINDOWS, 1, &i) ||
	    al_arrays_append_zeroed_entries(w, AL_ENTRY_LISTS, 1, &i))
		return al_value_report_no_memory_return_einval(r);
	rc = read_window_name_or_use_index_plus_1(r, map, i);
	if (!rc)
		rc = read_events_and_reopenable_flag(r, map, i);
	return rc ? rc : read_window_recording_keys(r, map, i);
}

/* Return an upper bound of the number of lanes that a process has in the
   windows read so far: the sum over the windows of the most lanes that one of
   the window's entries has, doubled if the window has a warmup. */
static uint32_t process_lane_count_upper_bound(const struct al_windows *w)
{
	uint32_t lanes = 0;

	for (uint32_t i = 0; i < w->n[AL_WINDOWS]; i++) {
		const struct al_process_entry_list *p = &w->entry_list[i];
		uint32_t most = 0;

		for (uint32_t k = 0; k < p->n_entries; k++)
			if (w->process_entry[p->first_entry + k].n_lanes > most)
				most = w->process_entry[p->first_entry + k]
					       .n_lanes;
		lanes += w->window[i].warmup ? 2 * most : most;
	}
	return lanes;
}

static int read_window_list(struct al_window_reader *r,
			    const struct al_node *list)
{
	int rc = 0;

	if (!list->child)
		return al_yaml_error_at_node(list, r->message, "no windows");
	for (const struct al_node *n = list->child; n && !rc; n = n->next) {
		rc = read_and_append_window(r, n);
		if (!rc &&
		    process_lane_count_upper_bound(r->windows) > PT_MAX_LANES)
			rc = al_yaml_error_at_node(
				n, r->message,
				"more than %d threads in the "
				"windows up to this one, where "
				"those with a warmup count twice",
				PT_MAX_LANES);
	}
	return rc;
}

/* Check that each process of r->named_process is in the `profile` of some
   window: other processes do not report events. */
static int check_event_processes_are_recorded(const struct al_window_reader *r)
{
	for (uint32_t i = 0; i < r->n_named_processes; i++)
		if (!al_windows_have_entry_matching_process(
			    r->windows, r->named_process[i].process))
			return al_yaml_error_at_node(
				r->named_process[i].node, r->message,
				"process %u is in no 'profile', so its events "
				"are not detected",
				r->named_process[i].process);
	return 0;
}

static int check_file_version_if_present(const struct al_window_reader *r,
					 const struct al_node *root)
{
	static const char *const keys[] = {"alleria", "version", NULL};
	const struct al_node *node;
	int rc = al_value_check_exclusive_and_find_node(r, root, keys, &node);

	if (!rc && node &&
	    (!al_value_text_or_null(node) || strcmp(node->text, "1")))
		rc = al_yaml_error_at_node(node, r->message,
					   "the version of the file is not 1");
	return rc;
}

static int read_types_and_windows_of_root(struct al_window_reader *r,
					  const struct al_node *root)
{
	static const char *const keys[] = {"alleria", "version", "types",
					   "windows", NULL};
	static const char what[] = "the file";
	const struct al_node *list, *types = al_yaml_get(root, "types");
	uint32_t offset;
	int rc = al_yaml_check_known_keys(root, keys, what, r->message);

	if (!rc)
		rc = check_file_version_if_present(r, root);
	if (rc)
		return rc;
	list = al_yaml_get_required(root, "windows", AL_LIST, what, r->message);
	if (!list)
		return -EINVAL;
	if (al_arrays_append_string(r->windows, "", &offset))
		return al_value_report_no_memory_return_einval(r);
	if (types)
		rc = al_types_read_and_lay_out(r, types);
	if (!rc)
		rc = read_window_list(r, list);
	return rc ? rc : check_event_processes_are_recorded(r);
}

/* Read the windows from the YAML tree of a file, and free the tree, also on
   error. @out: receives the windows; unchanged on error. Return: 0; -EINVAL
   with @message. */
static int read_windows_and_free_tree(const char *path, struct al_node *root,
				      struct al_windows **out, char *message)
{
	struct al_window_reader r = {.path = path, .message = message};
	int rc;

	r.windows = calloc(1, sizeof(*r.windows));
	rc = r.windows ? read_types_and_windows_of_root(&r, root)
		       : al_value_report_no_memory_return_einval(&r);
	al_yaml_free_with_siblings(root);
	if (rc)
		al_windows_free(r.windows);
	else
		*out = r.windows;
	return rc;
}

int al_windows_read(const char *path, struct al_windows **out, char *message)
{
	struct al_node *root;

	*out = NULL;
	if (al_yaml_read(path, &root, message))
		return -EINVAL;
	return read_windows_and_free_tree(path, root, out, message);
}

int al_windows_parse(const char *path_in_messages, const char *text,
		     struct al_windows **out, char *message)
{
	struct al_node *root;

	*out = NULL;
	if (al_yaml_parse(path_in_messages, text, &root, message))
		return -EINVAL;
	return read_windows_and_free_tree(path_in_messages, root, out, message);
}

void al_windows_free(struct al_windows *w)
{
	for (int i = 0; w && i < AL_ARRAYS; i++)
		free(w->item[i]);
	free(w);
}
