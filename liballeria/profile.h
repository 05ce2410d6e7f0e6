/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - declares an open profile: its streams, processes and names
 *
 * Threads: members marked as guarded are computed on demand and guarded by the
 *          profile's lock; all others change only in alleria_open() and
 *          alleria_refresh().
 *
 * A stream is one exec image: a process between fork or exec and exec or exit.
 * Opening reads the heads of its file blocks; a block's content is loaded when
 * it is needed. An "entry" is the index of a file block in the reader's list.
 */
#ifndef LIBALLERIA_PROFILE_H
#define LIBALLERIA_PROFILE_H

#include <alleria/alleria.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/tables/intern.h"
#include "lib/recover/executed_blocks.h"
#include "lib/symbols/symbols.h"
#include "profile/format/reader.h"

/* A growing array of entries (indices of file blocks). If all is zero, it is
   empty. */
struct ap_entries {
	uint32_t *entry;
	uint32_t n;
	uint32_t size;
};

/* Static part of an access: everything that is equal in all executions of its
   block. */
struct ap_static_access {
	uint64_t delta;
	uint64_t code;	/* address of the access's instruction */
	uint16_t instr; /* index of the access's instruction in the block */
	uint16_t slot;	/* index of the slot to whose content `delta` is added,
			   or PT_NO_SLOT */
	uint16_t size;
	uint8_t kind;
	uint8_t flags;
	struct pt_value value; /* numbers of the slots that hold the values
				  which the access reads and writes */
	uint32_t window;       /* number of the set of windows that record the
				  access; 0: the run has no windows */
};

struct ap_block;

/* An exit of a block, with the part of the block that is executed before it. */
struct ap_exit {
	const struct ap_block *block;
	const struct ap_static_access
		*access; /* accesses of the block; the first
				       n_accesses precede this exit */
	uint16_t index;	 /* index of the exit in the block */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint8_t length; /* length, in multiples of 4 bytes, of the unit that
			   records an execution that left by this exit */
	uint8_t has_guards;
	uint8_t has_values;
};

/* A block of code that was executed; it has one entry and one or more exits. */
struct ap_block {
	struct alleria_block pub;
	const struct al_desc *desc;
	struct ap_stream *stream;
	const struct ap_static_access *access; /* [n_accesses] */
	const struct ap_exit *exit;	       /* [n_exits] */
	const uint32_t *window; /* [n_code] number of the set of windows that
				   record each instruction; NULL: the run has no
				   windows */
	const uint8_t
		*inner_branch; /* [n_code] how control reached this instruction
				   from the previous one of the block: 1 + enum
				   alleria_branch_kind; 0: by no branch */
	bool has_inner_branches;
};

/* One exec image of the profile. */
struct ap_stream {
	struct alleria_image pub;
	struct alleria_profile *profile;
	struct ap_process *process;
	uint32_t index; /* number of the stream in the file */
	uint32_t entry; /* index of the file block PF_IMAGE of the stream */
	uint32_t rank;	/* index in profile->order */
	uint32_t tree;
	uint32_t number;
	uint32_t parent;
	uint32_t pid;
	const struct ap_stream *fork_of; /* stream that it was forked from, or
					    NULL */
	unsigned depth;			 /* number of streams in its chain of
					    fork_of; 0: not forked */
	uint32_t fork_blocks;
	uint64_t fork_log;
	uint32_t fork_routes; /* number of routes (exits of blocks) of the code
				 blocks inherited at the fork */
	struct ap_entries units;
	struct ap_entries logs;
	bool ended; /* the PF_END block, which ends this image's stream, was
		       read or is damaged */
	const char *truncated;
	const char *lossy;
	uint64_t lost;
	uint64_t waited_ns;
	struct pf_counts counts;
	struct pt_plan *plan;		/* recording plan; NULL: everything was
					   recorded */
	struct al_lanes thread_filters; /* thread filters that `plan` contains;
					   without a plan every thread is
					   recorded */
	struct pf_window *window;	/* [thread_filters.n_windows] counts of
					   each window; NULL: PF_END has none,
					   or was not read */

	/* The next members are guarded by the profile's lock. */
	bool has_inherited; /* the log records of blocks and mappings that the
			       stream inherits from fork_of were read */
	int log_error;	    /* -EBADMSG: descriptors after those that were read
			       are damaged or missing */
	uint32_t n_logs;    /* number of log blocks that were read */
	struct al_blocks blocks;
	struct al_executed executed;
	struct ap_block **block; /* [n_blocks] executed blocks, by number in
				    `executed` */
	uint32_t n_blocks;
	uint32_t blocks_size;
	struct ap_block **unrecorded; /* [n_unrecorded] by block id: placeholder
					 for a block in a thread whose thread
					 filters do not record it; NULL: not
					 made yet */
	uint32_t n_unrecorded;
	struct alleria_object **object; /* [n_objects] by number in
					   blocks.mappings */
	size_t n_objects;
	struct alleria_mark **mark; /* [n_marks] by number - 1 */
	uint32_t n_marks;
};

struct ap_process {
	struct alleria_process pub;
	struct ap_stream **image; /* [pub.images] a part of profile->order */

	/* The next members are guarded by the profile's lock; NULL until
	   requested, and freed by alleria_refresh(). */
	struct alleria_thread *thread;
	size_t n_threads;
	const struct alleria_object **object;
};

/* Names of code: from the file and, for code that has none there, from object
   files. If all is zero, they were not read. */
struct ap_names {
	bool read;	      /* the names in the file were read */
	bool is_complete;     /* also names that are not in the file were
				 found */
	struct ap_name *name; /* [n] sorted by object and value */
	size_t n;
	struct alleria_function *function;
	size_t n_functions;
	struct alleria_line *line;
	size_t n_lines;
	const char **path; /* [n_objects] paths of objects, interned */
	const char **build_id;
	size_t n_objects;
	bool damaged;	  /* a block of names is damaged */
	uint64_t missing; /* number of object files that cannot be read, see
			     alleria_names_missing() */
};

/* Function, source file and line of the one instruction at `value`. */
struct ap_name {
	const char *object; /* path; interned, like all strings here */
	uint64_t value;
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t call_line; /* line of the user's own code that the instruction
			       was inlined into, as in struct an_symbol; 0:
			       none */
	uint32_t number; /* index of the name's function in ap_names.function */
};

struct alleria_profile {
	struct pf_reader *reader;
	size_t n_read; /* number of entries that were read */
	struct alleria_state state;
	struct alleria_run run;
	bool done;     /* a PF_DONE block was read, or is damaged */
	bool has_wall; /* run.wall_ns comes from PF_DONE */
	const char *status;
	const char *reason;
	struct ap_stream **stream; /* [n_streams] by number in the file;
				      NULL: image missing */
	uint32_t n_streams;
	uint32_t streams_size;
	bool lost_image;	  /* an image is damaged or missing */
	uint32_t lost_stream;	  /* lowest number of a stream whose image is
				     damaged or missing */
	struct ap_stream **order; /* [n_order] sorted by tree, process and
				     image */
	uint32_t n_order;
	struct ap_process **process; /* [n_processes] by process number - 1 */
	uint32_t n_processes;
	struct ap_wait_status *wait_status;
	size_t n_wait_statuses;
	struct alleria_window *window;
	uint32_t n_windows;

	pthread_mutex_t lock;	  /* guards the members below, and the members
				 marked as guarded above */
	struct al_intern strings; /* strings of the profile; the table has a
				     lock of its own */
	struct pf_unpacker *unpacker;
	struct ap_names names;
	struct al_symbols *symbols; /* NULL until names or types are read from
				       object files */
	uint64_t *window_set;	    /* [n_window_sets] by number of the set - 1:
				       a bit for each window of the set */
	uint32_t n_window_sets;
};

/* Wait status of a process, as its parent received it. */
struct ap_wait_status {
	uint64_t tree;
	uint64_t number;
	uint64_t status; /* as returned by waitpid() */
};

/* Convert @negative_errno, 0 or -errno, to 0 or an enum alleria_error; sets
   errno for ALLERIA_E_FILE. */
int ap_alleria_error_of_negative_errno(int negative_errno);

/* Return the profile's only copy of a string, valid until alleria_close().
   Equal strings get equal addresses. */
const char *ap_intern_or_question_marks(struct alleria_profile *, const char *);

/* Return the head of file block @entry_index. */
const struct pf_head *ap_entry_head(const struct alleria_profile *,
				    uint32_t entry_index);

/* Return the head of chunk @chunk_index of a stream. @chunk_index: less than
   units.n. */
const struct pf_head *ap_chunk_head(const struct ap_stream *,
				    uint32_t chunk_index);

/* Append @entry_index to the array. Return: 0; -ENOMEM. */
int ap_entries_add(struct ap_entries *, uint32_t entry_index);

/* Load the content of file block @entry_index with the profile's unpacker.
   @payload: receives a pointer to the content, valid until the next call.
   Return: as pf_reader_load_block(). Context: lock held, or called before the
   profile is shared. */
int ap_load_block(struct alleria_profile *, uint32_t entry_index,
		  const void **payload);

/* Return process @process, numbered from 1 over the whole profile; NULL if
   there is none. */
static inline struct ap_process *
ap_find_process(const struct alleria_profile *p, uint32_t process)
{
	return process - 1 < p->n_processes ? p->process[process - 1] : NULL;
}

/* Count file block @entry_index as damaged, unless it is counted already: its
   content is malformed, even if its checksum is right. */
void ap_count_damaged_block_once(struct alleria_profile *,
				 uint32_t entry_index);

/* An empty list of strings: only NULL. */
extern const char *const ap_no_strings[1];

#endif
