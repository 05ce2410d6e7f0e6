/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifetimes.h - turns the events of an image into data objects
 *
 * A data object has one lifetime (lifetime_index.h) at first. Others follow if
 * the object is resized in place or extended, or when a part is cut out of it:
 * one for each part that is left.
 */
#ifndef LIBALLERIA_DATA_LIFETIMES_H
#define LIBALLERIA_DATA_LIFETIMES_H

#include <alleria/alleria.h>
#include <stdbool.h>

#include "base/text/block_type.h"
#include "liballeria/cursor/data_event.h"
#include "liballeria/data/lifetime_index.h"

/* Ranks of data objects: those of one rank do not overlap each other. Of
   several that contain an address, that of the first rank owns it. */
enum ap_data_rank {
	AP_RANK_REGION,	 /* its part in a heap block ends with it */
	AP_RANK_ELEMENT, /* can lie in a heap block, and ends with it */
	AP_RANK_TLS,	 /* can lie in a heap block, and ends with it */
	AP_RANK_HEAP,
	AP_RANK_STATIC,
	AP_RANK_STACK,
	AP_RANK_MAPPED, /* mapping, code and allocator */
	AP_DATA_RANKS
};

/* An object file that was mapped, with variables or without. */
struct ap_data_file {
	char *path;
	uint64_t code_start;   /* address in memory of the file's section
				  .text */
	uint32_t first_static; /* index of the first lifetime of a variable that
				  may belong to the file */
};

/* A call stack of an allocation. */
struct ap_data_site {
	uint64_t log_offset; /* [bytes] length of the log of the image when the
				 site was recorded */
	uint64_t allocator;  /* address of the function that allocates, or of
				the instruction after a client request or
				system call */
	size_t first_caller; /* index in `caller` of its first return
				 address */
	uint32_t n_callers;
};

struct ap_data_object {
	uint64_t address;
	uint64_t size; /* [bytes] greatest size that the data object had */
	uint64_t born_instruction;
	uint64_t died_instruction;
	uint64_t born_access;
	uint64_t died_access;
	char *name;	     /* name of a variable or region; path of mapped
				memory, "[heap]" if brk() added it, or "" if it
				has none; else NULL */
	uint32_t site;	     /* number of the site of a heap block, element or
				mapped memory, from 1; or 0 */
	uint32_t thread;     /* number of the thread that owns the stack or the
				thread-local variable, allocated the block, or
				mapped the memory; 0: for a region or a variable
				that is not thread-local */
	uint32_t file;	     /* number of a variable's file, from 1; or 0 */
	uint32_t tls_offset; /* [bytes] offset of a thread-local variable in the
				thread-local segment (PT_TLS) of its file; else
				0 */
	uint16_t kind;	     /* enum alleria_data_kind */
	struct al_typed_blocks sizes; /* of a heap block or element: the sizes
					 that it had at this address */
	bool is_element; /* a block of an allocator that the user names, or
				of a pool */
	uint32_t n_live; /* lifetimes that have not ended */
};

/* Memory of a data object that lives. */
struct ap_live_range {
	uint64_t start;
	uint64_t last;
	uint32_t lifetime; /* index in the lifetimes of its rank */
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
	struct ap_rank_lifetimes {
		struct ap_lifetime *lifetime;
		uint32_t n, size;
		void *live; /* tree of tsearch(): struct ap_live_range that do
			       not overlap */
	} of_rank[AP_DATA_RANKS];
};

/* Apply the next event about data objects of the image. Return: 0; -ENOMEM. */
int ap_lifetimes_apply_event(struct ap_lifetimes *,
			     const struct ap_data_event *);

/* Free the trees of live ranges, after the last event. Lifetimes and data
   objects stay. */
void ap_lifetimes_free_live_ranges(struct ap_lifetimes *);
void ap_lifetimes_release(struct ap_lifetimes *);

/* ---- for block_lifetimes.c and memory_lifetimes.c ---- */

/* End a lifetime; also end its data object if it has no other live part. Frees
   the range. */
void ap_lifetimes_end_range_and_object(struct ap_lifetimes *, enum ap_data_rank,
				       struct ap_live_range *,
				       const struct ap_data_event *);

/* End the lifetimes of the data objects of rank @rank (a group of kinds) that
   overlap the addresses from @start_address to @last_address, both included;
   also end their data objects that have no other live part. */
void ap_lifetimes_end_overlapping(struct ap_lifetimes *, enum ap_data_rank rank,
				  uint64_t start_address, uint64_t last_address,
				  const struct ap_data_event *);

/* Return the address of the last of @size bytes from @start on; of one byte if
   @size is 0; the last address if there are more bytes than addresses. */
uint64_t ap_last_address_of_size_saturated(uint64_t start, uint64_t size);

/* Return a live range of the data objects of a rank (a group of kinds) that
   overlaps the addresses from @start_address to @last_address, both included;
   NULL: none. */
struct ap_live_range *ap_lifetimes_find_overlapping_live(struct ap_lifetimes *,
							 enum ap_data_rank,
							 uint64_t start_address,
							 uint64_t last_address);

/* Return the index of the data object that a live range belongs to. */
uint32_t ap_lifetimes_object_index_of_range(const struct ap_lifetimes *,
					    enum ap_data_rank,
					    const struct ap_live_range *);

/* Begin a lifetime of data object @object_index from address @start_address to
   @last_address, both included. First end the lifetimes of its rank that
   overlap it, and their data objects unless other parts of them live: their
   ends were not recorded. Return: 0; -ENOMEM. */
int ap_lifetimes_begin_and_end_overlapping(struct ap_lifetimes *,
					   uint32_t object_index,
					   uint64_t start_address,
					   uint64_t last_address,
					   const struct ap_data_event *);

/* End the lifetime of a live range before the next access, and free the range.
   Return: index of its data object, whose death is not set. */
uint32_t ap_lifetimes_end_range(struct ap_lifetimes *, enum ap_data_rank,
				struct ap_live_range *,
				const struct ap_data_event *);

/* Set the death of data object @object_index to the time of the event if none
   of its lifetimes is live. */
void ap_lifetimes_set_death_unless_live(struct ap_lifetimes *,
					uint32_t object_index,
					const struct ap_data_event *);

/* Add a data object that is born at the event, and begin its first lifetime.
   The object's `name` is owned by the lifetimes from then on, also on error.
   Return: 0; -ENOMEM. */
int ap_lifetimes_add_object_and_begin(struct ap_lifetimes *,
				      struct ap_data_object,
				      const struct ap_data_event *);

#endif
