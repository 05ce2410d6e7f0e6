/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners.h - finds the data object that an address belongs to
 *
 * Data objects of one kind, site or name form a group, which has the counters.
 * Events of the stream add and remove data objects. The owner of an access is
 * the data object that contains its first byte. If several do, the owner is the
 * first of: region, element, thread-local variable, heap block, variable,
 * stack, mapped memory. A region is memory that the program names. An element
 * is a block of an allocator that the user names, or of a pool. Regions,
 * elements and thread-local variables can lie in a heap block; they are removed
 * when that block is freed.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNERS_H
#define ANALYZERS_DATA_OWNERS_H

#include "analyzers/analyzer.h"
#include "analyzers/data/fields.h"
#include "analyzers/data/owner_extents.h"
#include "analyzers/data/owner_spans.h"
#include "analyzers/data/ranges.h"
#include "analyzers/data/sites.h"
#include "base/tables/key_table.h"

enum an_data_kind {
	AN_DATA_UNKNOWN,
	AN_DATA_HEAP, /* heap block, or element that is not of a pool */
	AN_DATA_POOL, /* element of a pool */
	AN_DATA_STATIC,
	AN_DATA_TLS, /* thread-local variable, a thread's copy */
	AN_DATA_STACK,
	AN_DATA_MAPPING,   /* memory that the program or the system mapped */
	AN_DATA_CODE,	   /* executable memory */
	AN_DATA_ALLOCATOR, /* memory that an allocator mapped, outside its
			      blocks */
	AN_DATA_REGION,	   /* memory that the program names */
	AN_DATA_KINDS
};

/* Whether a data object of this kind is a block: it has an allocation site. */
static inline bool an_data_kind_is_heap_or_pool_block(enum an_data_kind kind)
{
	return kind == AN_DATA_HEAP || kind == AN_DATA_POOL;
}

/* Whether a data object of this kind is a variable, which has a type. */
static inline bool
an_data_kind_is_static_or_tls_variable(enum an_data_kind kind)
{
	return kind == AN_DATA_STATIC || kind == AN_DATA_TLS;
}

struct an_data_counts {
	/* by level, then 0: reads and modifies, 1: writes */
	uint64_t misses[AN_MAX_LEVELS][2];
	uint64_t write_backs[AN_MAX_LEVELS];
	uint64_t reads, writes;		    /* a modify is both */
	uint64_t read_bytes, written_bytes; /* [bytes] */
	uint64_t objects;		    /* data objects that were born */
	uint64_t bytes;			    /* [bytes] total size of all data
					       objects that were born */
	uint64_t live_bytes;		    /* [bytes] total size of the data
					       objects that have not ended */
	uint64_t peak_bytes; /* [bytes] greatest value of live_bytes */
};

/* Add the counts @c, except for peak_bytes, which becomes the greater of both.
   */
void an_data_counts_add(struct an_data_counts *to,
			const struct an_data_counts *c);

struct an_data_group {
	enum an_data_kind kind;
	uint32_t site; /* number of the site of blocks, or of memory that
			       was mapped; or 0 */
	bool is_single_block;
	uint32_t number;    /* of a single block: its number among the births of
			    its site, from 1; of a site with such groups: how
			    many they are; else 0 */
	const char *name;   /* of a variable or region; path of mapped memory,
			       or ""; else NULL */
	const char *object; /* path of the object file of a variable; else
			       NULL */
	uint32_t thread;    /* number of the thread that owns the stack or the
			       thread-local variable; 0: no stack and no
			       thread-local variable, or the copies of all
			       threads above AN_MAX_TLS_THREADS */
	uint32_t file;	    /* number of the object file of a variable, or 0 */
	uint64_t start;	    /* address of a variable; of a thread-local one,
			       offset [bytes] in the thread-local segment
			       (PT_TLS) of its object file */
	const struct an_type *type; /* of a variable whose `has_type_lookup` is
				       set; NULL: not known */
	bool has_type_lookup;
	struct an_group_fields fields;
	struct an_data_counts counts;
};

enum {
	AN_UNKNOWN_GROUP = 0,		/* number of the group "unknown" */
	AN_MAX_DATA_GROUPS = 1 << 21,	/* blocks that need further groups
					   belong to the group "unknown"; other
					   data objects are not recorded */
	AN_MAX_SINGLE_BLOCKS = 1 << 18, /* further ones share their site's
					   group */
	AN_MAX_NAMED_ALLOCATORS = 512, /* functions that the user names; further
					  ones are ignored */
	AN_MAX_TLS_THREADS = 1 << 10,  /* threads with a higher number share one
					 group for their copies of a
					 thread-local variable */
};

/* An object file. */
struct an_data_file {
	const char *path;
	uint64_t code_start;	 /* address of its section .text */
	uint32_t first_variable; /* first one of the list of its variables:
				    index in an_owners.variable + 1; 0: none */
};

/* A variable that a file's list contains. */
struct an_variable {
	uint64_t start;
	uint32_t next; /* next variable of the file's list: index in
			  an_owners.variable + 1; 0: none */
};

/* Bytes of all data objects of a kind that exist, and the most that existed. */
struct an_kind_bytes {
	uint64_t live, peak; /* [bytes] */
};

/* An allocator function that the user names. */
struct an_named_allocator {
	const char *name; /* and, if only the function of one object file is
			     meant, the object file's name in brackets */
	bool is_found;	  /* an object file that was mapped has it */
};

/* All data objects and their groups. Initialise with zeros. */
struct an_owners {
	/* value of a range: number of its data object's group */
	struct an_ranges regions, elements, heap, statics, thread_variables,
		stacks, mappings;
	struct an_sites sites;
	struct an_kind_bytes kind[AN_DATA_KINDS];
	struct an_data_group *group; /* [n_groups] */
	uint32_t n_groups, groups_size;
	struct an_data_file *file; /* [n_files] by number - 1 */
	uint32_t n_files, files_size;
	struct an_variable *variable; /* [n_variables] */
	uint32_t n_variables, variables_size;
	struct an_arena names;
	struct an_owner_spans *spans; /* results of earlier searches; or NULL */
	struct an_owner_extents *extents;      /* NULL: nothing uses extents */
	struct an_owner_extent beneath_blocks; /* result of an earlier search,
						  blocks and thread-local
						  variables aside; valid if
						  has_beneath_blocks */
	bool has_beneath_blocks;
	bool has_regions;	/* a region was added */
	bool has_single_blocks; /* each heap block or element is a group; set
				   before the first event */
	uint32_t n_single_blocks;
	bool has_fields; /* groups have elements; set before the first event */
	struct an_field_pool fields;
	struct al_key_table group_keys; /* numbers the groups of mapped memory,
					   of regions and of thread-local
					   variables */
	uint32_t *keyed_group;		/* [keyed_group_size] by number in
				    group_keys: number of the group */
	uint32_t keyed_group_size;
	const char *program;	/* path of the file with the lowest code,
				   which is the program; NULL: not known */
	uint64_t program_start; /* address of the program's lowest code */
	bool has_allocators;	/* an object file has allocator functions, or
				   the user has omitted the standard ones */
	struct an_named_allocator *named; /* [n_named] by number - 1 */
	uint32_t n_named, named_size;
	uint64_t bad_frees;  /* deaths and resizings of blocks that do not live
			      */
	uint64_t overlaps;   /* blocks that ended because another one was born
			       or resized over them */
	uint64_t unrecorded; /* data objects that are not known because there
				was no memory for their range */
};

/* Apply an event of the stream (allocation, mapping and so on) to the data
   objects. Return: 0; -ENOMEM. */
int an_owners_apply_event(struct an_owners *, const struct an_batch *,
			  const struct an_stream_event *);

/* Return the group of the data object that contains @addr, and set
   *@offset_in_object_out to the distance of @addr from the object's start
   [bytes]. If no object contains @addr, return the group "unknown" and set
   *@offset_in_object_out to 0. Valid until the next event. NULL: memory is
   short. @hint_key: any number; the search is fast if the last search with this
   number found the same data object. */
struct an_data_group *an_owners_find_group(struct an_owners *, uint64_t addr,
					   uint32_t hint_key,
					   uint64_t *offset_in_object_out);

/* Return the addresses around @addr, in its aligned area of memory, that have
   the same owner, or no owner. Valid until the next search or event. NULL:
   memory is short. */
const struct an_owner_span *
an_owners_find_span_or_null_if_no_memory(struct an_owners *, uint64_t addr);

/* Allocate the extents, if that was not yet done. @suspend_use, @resume_use:
   called for each user of an extent that is suspended or resumed. Return: 0;
   -ENOMEM. */
int an_owners_alloc_extents(struct an_owners *,
			    void (*suspend_use)(struct an_extent_user *),
			    void (*resume_use)(struct an_extent_user *));

/* Return the addresses around @addr that have the same owner, or no owner.
   Valid until the next search or event. The extents must be allocated. NULL:
   memory is short. */
struct an_owner_extent *an_owners_find_or_add_extent(struct an_owners *,
						     uint64_t addr);

void an_owners_release(struct an_owners *);

/* ---- for owner_blocks.c, owner_mappings.c and owner_variables.c ---- */

/* Double the array *@array of *@size items, @item_bytes each, if @items_in_use
   items fill it; if it has none, allocate 64. Return: 0; -ENOMEM. */
int an_owners_double_array_if_full(void *array, uint32_t items_in_use,
				   uint32_t *size, size_t item_bytes);

/* Append a copy of a group; before the first one, add the group "unknown".
   Return: number of the group; AN_UNKNOWN_GROUP if there are too many groups;
   -ENOMEM. */
int64_t an_owners_add_group(struct an_owners *, const struct an_data_group *);

/* Return the address of the group number that is stored for @group_key; the
   number is 0 if none was stored yet. Return NULL if memory is short. */
uint32_t *an_owners_find_or_add_group_number(struct an_owners *,
					     const struct al_key *group_key);

/* Suspend the extents that contain addresses from @start to @last, inclusive,
   and invalidate all cached owners of addresses in the areas that contain them;
   all cached owners if there are more than AN_MAX_COUNTED_AREAS areas. */
void an_owners_invalidate_hints_of_range(struct an_owners *, uint64_t start,
					 uint64_t last);

/* Add an extent for a heap block or element that was just born, or for the
   memory of a heap block that has just died, so that no search is necessary at
   the first access. To be called after all else that the event changes: then
   the block has no elements and no thread-local variables in it, and its
   addresses have no extents. No-op if nothing uses extents, if a region was
   added, or if one extent cannot have all of the addresses. Return: 0;
   -ENOMEM. */
int an_owners_add_extent_of_born_block(struct an_owners *,
				       const struct an_range *block);
int an_owners_add_extent_of_dead_block(struct an_owners *,
				       const struct an_range *block);

/* Add @bytes to the live bytes of @group and of its kind, and raise their peaks
   if they are exceeded. */
void an_owners_add_live_bytes(struct an_owners *, uint32_t group,
			      uint64_t bytes);

/* Count the birth of the data object at @range, whose value is the number of
   its group: add to the group's objects, bytes, live and peak bytes. Invalidate
   the cached owners of its addresses. */
void an_owners_count_birth_invalidate_hints(struct an_owners *,
					    const struct an_range *range);

/* Subtract the bytes of a range from the live bytes of its group, and
   invalidate the cached owners of its addresses. */
void an_owners_subtract_live_bytes(struct an_owners *, const struct an_range *);

/* Return the address of the last of @size bytes from @start on; @start if @size
   is 0; UINT64_MAX if the bytes extend beyond this address. */
uint64_t an_owners_last_address(uint64_t start, uint64_t size);

/* Return a copy of the text in the words of an event from word @text_first_word
   on; "" if memory is short. It lives as long as the owners. */
const char *an_owners_copy_event_text_or_empty(struct an_owners *,
					       const struct an_batch *,
					       const struct an_stream_event *,
					       unsigned text_first_word);

#endif
