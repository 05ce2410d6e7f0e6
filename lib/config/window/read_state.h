/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_state.h - declares the state and the functions of the window file
 *                readers
 *
 * Threads: one.
 *
 * All functions that read return 0, or -EINVAL with the reader's message.
 */
#ifndef LIB_CONFIG_WINDOW_READ_STATE_H
#define LIB_CONFIG_WINDOW_READ_STATE_H

#include "base/text/yaml.h"
#include "lib/config/window/plan/arrays.h"

/* A process that an event other than a creation or termination names; some
   window must have an entry for it. */
struct al_named_process {
	const struct al_node *node; /* node of the number of the process, for
				       messages */
	uint32_t process;
};

/* State of reading a window file. */
struct al_window_reader {
	struct al_windows *windows;
	char *message; /* [AL_MESSAGE] receives the message of an error */
	const char *path;
	struct al_named_process named_process[PT_MAX_EVENTS];
	uint32_t n_named_processes;
	uint32_t n_decoded; /* number of selects (kinds of instructions) that
			       need the instruction decoder */
};

typedef int al_key_reader(struct al_window_reader *, const struct al_node *,
			  uint32_t);

/* ---- value_syntax.c ---- */

/* Write the message that memory is short while the file is read. Return:
   -EINVAL. */
int al_value_report_no_memory_return_einval(const struct al_window_reader *);

/* Return the text of a node; NULL if the node is NULL or not a word. */
const char *al_value_text_or_null(const struct al_node *);

/* Read the number of @node, at least @min and at most @max, with or without a
   suffix K, M or G: 1024, 1024^2, 1024^3. */
int al_value_parse_count(const struct al_window_reader *,
			 const struct al_node *node, uint64_t min, uint64_t max,
			 uint64_t *out);

/* Read the number of a process or thread, 0 to AL_MAX_PROCESS, from key @key of
   @map. @number_if_present: unchanged if @map has no such key. */
int al_value_read_process_or_thread(const struct al_window_reader *,
				    const struct al_node *map, const char *key,
				    uint32_t *number_if_present);

/* Read "true" or "false". @out: false if @map has no @key. */
int al_value_read_bool_or_false(const struct al_window_reader *,
				const struct al_node *map, const char *key,
				bool *out);

/* Set @ns to the time above 0 that @node states, with suffix ns, us, ms or s,
   as "20ms", or without suffix in units of @default_unit_ns [ns]. */
int al_value_parse_time(const struct al_window_reader *,
			const struct al_node *node, uint64_t default_unit_ns,
			uint64_t *ns);

/* Append the text of @node, which must not be empty, to the strings of the
   windows. @string_offset: receives its offset in the array of strings. */
int al_value_append_nonempty_string(const struct al_window_reader *,
				    const struct al_node *node,
				    uint32_t *string_offset);

/* Write the message that the word of @node is an unknown @value_kind, because
   it is none of @known_words, NULL-terminated. Return: -EINVAL. */
int al_value_report_unknown_word(const struct al_window_reader *,
				 const struct al_node *node,
				 const char *value_kind,
				 const char *const *known_words);

/* Read the number of a signal: a number from 1 to 64, or a signal's name with
   or without SIG. */
int al_value_parse_signal(const struct al_window_reader *,
			  const struct al_node *node, uint64_t *signal_number);

/* Set @found_node_or_null to the value of the one key of @keys that @map has;
   to NULL if it has none of them. If it has two of them, that is an error.
   @keys: NULL-terminated. */
int al_value_check_exclusive_and_find_node(
	const struct al_window_reader *, const struct al_node *map,
	const char *const *keys, const struct al_node **found_node_or_null);

/* Append the text of @node, which names an image (an object file), to the
   strings of the windows: an absolute path if @is_path, else a file's name
   without '/'. @string_offset: receives its offset in the array of strings. */
int al_value_check_and_append_image_name(const struct al_window_reader *,
					 const struct al_node *node,
					 bool is_path, uint32_t *string_offset);

/* ---- event_kinds.c ---- */

enum { AL_EVENT_KINDS = 13 };

/**
 * al_event_read_return_1_if_kind_unknown() - Read an event of the kind named by
 * the key of @node.
 * @is_closing_event: whether the event closes a window; else it opens one.
 * @event_index: index of the event to be set, which has been added already.
 *
 * Return: 0; 1 if the key names no kind; -EINVAL with the reader's message.
 */
int al_event_read_return_1_if_kind_unknown(struct al_window_reader *,
					   const struct al_node *node,
					   bool is_closing_event,
					   uint32_t event_index);

/* Store the names of all kinds of events in @unterminated_names,
   [AL_EVENT_KINDS], without a NULL after the last. */
void al_event_kind_list_names(const char **unterminated_names);

/* ---- event_syntax.c, record_filter.c ---- */

/**
 * al_event_add_and_read() - Read the event of key `on` or `till` of a window.
 * @is_closing_event: whether the key is `till`, else `on`.
 * @event_index: receives the index of the event, which is added.
 */
int al_event_add_and_read(struct al_window_reader *, const struct al_node *node,
			  bool is_closing_event, uint32_t *event_index);

/* Read @list, the value of key `profile` of window @window_index: the window's
   entries for processes, of which there must be one at least. */
int al_window_read_process_entries(struct al_window_reader *,
				   const struct al_node *list,
				   uint32_t window_index);

/* ---- instructions.c ---- */

/* Read @map, one entry of a list `instructions`, into the select (kind of
   instructions) with index @select_index, which has been added already. */
int al_instruction_read_select(struct al_window_reader *,
			       const struct al_node *map,
			       uint32_t select_index);

/* ---- types.c, struct_layout.c, intercept.c, argument_place.c ---- */

enum { AL_MAX_FIELDS = 256 };

/* Add the primitive types and then the types of @map, the value of key `types`
   of the file, and compute the sizes of structs and the offsets of fields. */
int al_types_read_and_lay_out(struct al_window_reader *,
			      const struct al_node *map);

/* Set @type_index to the index of the type named by @node. If there are no
   types yet, the primitive types are added first. */
int al_type_find_by_yaml_name(struct al_window_reader *,
			      const struct al_node *node, uint32_t *type_index);

/* Set the offsets of all fields and the sizes of all structs. @map: value of
   key `types`. @type_index_of_first_key: index of the type that the first key
   of @map defines. */
int al_layout_set_sizes_and_offsets(struct al_window_reader *,
				    const struct al_node *map,
				    uint32_t type_index_of_first_key);

/**
 * al_intercept_read_and_append() - Read the interceptor of key `intercept` of a
 * function.
 * @index_plus_1: receives the interceptor's number, from 1.
 */
int al_intercept_read_and_append(struct al_window_reader *,
				 const struct al_node *map,
				 uint32_t *index_plus_1);

/* Set `where`, the registers or stack slots, of each of an interceptor's
   parameters and of its result. */
void al_intercept_set_value_locations(const struct al_windows *,
				      struct pt_intercept *);

/* ---- sampling.c ---- */

/* Read key `sample` or `intervals` of @map, which defines window @window_index.
   @map may have neither, but not both. */
int al_window_read_sample_or_intervals(struct al_window_reader *,
				       const struct al_node *map,
				       uint32_t window_index);

#endif
