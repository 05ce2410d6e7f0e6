/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifetimes.h - turns the events of an image into data objects
 *
 * A data object has one lifetime (lifetime_index.h), and one more for each time
 * that it was resized in place.
 */
#ifndef LIBALLERIA_DATA_LIFETIMES_H
#define LIBALLERIA_DATA_LIFETIMES_H

#include <alleria/alleria.h>

#include "liballeria/cursor/data_event.h"
#include "liballeria/data/lifetime_index.h"

enum { AP_DATA_KINDS = ALLERIA_DATA_STACK + 1 };

/* An object file that has variables. */
struct ap_data_file {
	char *path;
	uint64_t code_start;   /* address of its section .text */
	uint32_t first_static; /* index of the first lifetime of a variable that
				  may belong to it */
};

/* A call stack of an allocation. */
struct ap_data_site {
	uint64_t instruction; /* number of the next instruction when it was
				 recorded */
	size_t first_caller;  /* index in `caller` of its first return
				 address */
	uint32_t n_callers;
};

struct ap_data_object {
	uint64_t address;
	uint64_t size; /* [bytes] the greatest it had */
	uint64_t born_instruction;
	uint64_t died_instruction;
	uint64_t born_access;
	uint64_t died_access;
	char *name;	 /* of a variable; else NULL */
	uint32_t site;	 /* number of a heap block's site, from 1; or 0 */
	uint32_t thread; /* of a heap block or a stack */
	uint32_t file;	 /* number of a variable's file, from 1; or 0 */
	uint32_t kind;	 /* enum alleria_data_kind */
};

/* The data objects of an image. If all but `stream` is zero, there are none. */
struct ap_lifetimes {
	const struct ap_stream *stream;
	struct ap_data_object *object;
	uint32_t n_objects, objects_size;
	struct ap_data_site *site;
	uint32_t n_sites, sites_size;
	uint64_t *caller;
	size_t n_callers, callers_size;
	struct ap_data_file *file;
	uint32_t n_files, files_size;
	struct ap_kind_lifetimes {
		struct ap_lifetime *lifetime;
		uint32_t n, size;
		void *live; /* tree of tsearch(): struct live_range that do not
			       overlap */
	} of_kind[AP_DATA_KINDS];
};

/* Apply the next event of the image. Return: 0; -ENOMEM. */
int ap_lifetimes_apply_event(struct ap_lifetimes *,
			     const struct ap_data_event *);

/* Free what only later events need. */
void ap_lifetimes_end_events(struct ap_lifetimes *);
void ap_lifetimes_release(struct ap_lifetimes *);

#endif
