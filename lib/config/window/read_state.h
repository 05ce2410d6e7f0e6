/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_state.h - what the readers of a window file have in common
 *
 * Threads: one.
 *
 * All return 0, or -EINVAL with the reader's message.
 */
#ifndef LIB_CONFIG_WINDOW_READ_STATE_H
#define LIB_CONFIG_WINDOW_READ_STATE_H

#include "base/text/yaml.h"
#include "lib/config/window/plan/arrays.h"

/* An event in another process, which must be followed. */
struct al_elsewhere {
	const struct al_node *node;
	uint32_t process;
};

struct al_window_reader {
	struct al_windows *windows;
	char *message; /* [AL_MESSAGE] */
	const char *path;
	struct al_elsewhere elsewhere[PT_MAX_EVENTS];
	uint32_t n_elsewhere;
	uint32_t n_decoded; /* selects that need a decoder */
};

typedef int al_key_reader(struct al_window_reader *, const struct al_node *,
			  uint32_t);

/* ---- value_syntax.c ---- */

int al_value_memory(const struct al_window_reader *);

/* NULL when it is none. */
const char *al_value_text(const struct al_node *);

/* @node, of any kind, must be a number of @least at least, with K, M or G or
   without. */
int al_value_count(const struct al_window_reader *, const struct al_node *node,
		   uint64_t least, uint64_t most, uint64_t *out);

/* The number of a process or thread; @out stays what it is where @map has no
   such @key. */
int al_value_number(const struct al_window_reader *, const struct al_node *map,
		    const char *key, uint32_t *out);

/* "true" or "false"; false where @map has no such @key. */
int al_value_bool(const struct al_window_reader *, const struct al_node *map,
		  const char *key, bool *out);

/* "20ms": a time with ns, us, ms or s, or in units of @unit [ns]. */
int al_value_time(const struct al_window_reader *, const struct al_node *node,
		  uint64_t unit, uint64_t *ns);

/* A text that is not empty becomes a string of the windows. */
int al_value_string(const struct al_window_reader *, const struct al_node *node,
		    uint32_t *at);

/* @node is none of @words (NULL-terminated), which are of @what. */
int al_value_unknown(const struct al_window_reader *,
		     const struct al_node *node, const char *what,
		     const char *const *words);

/* The number of a signal, or its name with SIG or without. */
int al_value_signal(const struct al_window_reader *, const struct al_node *node,
		    uint64_t *out);

/* The key of @keys (NULL-terminated) that @map has, if any; an error when it
   has two. */
int al_value_one_of(const struct al_window_reader *, const struct al_node *map,
		    const char *const *keys, const struct al_node **out);

/* A path, absolute, or a file's name, without '/'. */
int al_value_image(const struct al_window_reader *, const struct al_node *node,
		   bool is_path, uint32_t *at);

/* ---- event_kinds.c ---- */

enum { AL_EVENT_KINDS = 13 };

/**
 * al_kind_read() - Read the event that the key of @node names.
 * @i: its number.
 *
 * Return: as all; 1: the key names none.
 */
int al_kind_read(struct al_window_reader *, const struct al_node *node,
		 bool is_till, uint32_t i);

/* @names: [AL_EVENT_KINDS] */
void al_kind_names(const char **names);

/* ---- event_syntax.c, record_filter.c ---- */

/**
 * al_event_read() - Read `on` or `till`.
 * @event: receives its number.
 */
int al_event_read(struct al_window_reader *, const struct al_node *node,
		  bool is_till, uint32_t *event);

/* `profile` of a window, which has its number. */
int al_profile_read(struct al_window_reader *, const struct al_node *list,
		    uint32_t window);

/* ---- instructions.c ---- */

/* A member of `instructions`, as number @i. */
int al_instruction_read(struct al_window_reader *, const struct al_node *map,
			uint32_t i);

/* ---- types.c, struct_layout.c, intercept.c, argument_place.c
   ---- */

enum { AL_MAX_FIELDS = 256 };

/* `types` of the file. */
int al_types_read(struct al_window_reader *, const struct al_node *map);

/* The type that @node names. */
int al_type_find(struct al_window_reader *, const struct al_node *node,
		 uint32_t *type);

/* Offsets and sizes of the types of @map, whose first has the number @first. */
int al_layout_make(struct al_window_reader *, const struct al_node *map,
		   uint32_t first);

/**
 * al_intercept_read() - Read `intercept` of a function.
 * @number: receives its number, from 1.
 */
int al_intercept_read(struct al_window_reader *, const struct al_node *map,
		      uint32_t *number);

/* Where its parameters and its result are. */
void al_places_find(const struct al_windows *, struct pt_intercept *);

/* ---- sampling.c ---- */

/* `sample`, `intervals` of a window. */
int al_sample_read(struct al_window_reader *, const struct al_node *map,
		   uint32_t window);

#endif
