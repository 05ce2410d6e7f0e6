/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - what an open profile consists of
 *
 * Threads: the lock guards what is found out by and by; the rest changes only
 *          in alleria_open() and alleria_refresh().
 *
 * A stream is one process image. Its blocks of the file are known by their
 * heads; contents are loaded when somebody asks.
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

/* Numbers of entries of the reader, growing. Zeroed: none. */
struct ap_entries {
	uint32_t *entry;
	uint32_t n;
	uint32_t size;
};

/* An access of a block, with all that is the same whenever it happens. */
struct ap_made {
	uint64_t delta;
	uint64_t code;	/* address of its instruction */
	uint16_t instr; /* index of it */
	uint16_t slot;	/* or PT_NO_SLOT */
	uint16_t size;
	uint8_t kind;
	uint8_t flags;
	struct pt_value value; /* slots */
	uint32_t window;       /* number of the set of windows that want it */
};

struct ap_block;

/* A way out of a block. */
struct ap_exit {
	const struct ap_block *block;
	const struct ap_made *made; /* the block's */
	uint16_t index;
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint8_t length; /* [4 bytes] of its units */
	uint8_t has_guards;
	uint8_t has_values;
};

/* A block that was executed. */
struct ap_block {
	struct alleria_block pub;
	const struct al_desc *desc;
	struct ap_stream *stream;
	const struct ap_made *made; /* [n_accesses] */
	const struct ap_exit *exit; /* [n_exits] */
	const uint32_t *window; /* [n_code] as above; NULL: there are none */
	const uint8_t *turn;	/* [n_code] how control came to it from the
				   one before: 1 + enum alleria_branch_kind;
				   0: it just went on */
	bool has_turns;
};

struct ap_stream {
	struct alleria_image pub;
	struct alleria_profile *profile;
	struct ap_process *process;
	uint32_t index; /* in the file */
	uint32_t entry; /* that it begins with */
	uint32_t rank;	/* in order of process and number */
	uint32_t tree;
	uint32_t number;
	uint32_t parent;
	uint32_t pid;
	const struct ap_stream *fork_of; /* or NULL */
	unsigned depth;			 /* forks before it */
	uint32_t fork_blocks;
	uint64_t fork_log;
	uint32_t fork_routes; /* of the blocks that it inherits */
	struct ap_entries units;
	struct ap_entries logs;
	bool ended; /* PF_END is there */
	const char *truncated;
	const char *lossy;
	uint64_t lost;
	uint64_t waited_ns;
	struct pf_counts counts;
	struct pt_plan *plan;	  /* that it was recorded by, or NULL */
	struct al_lanes lanes;	  /* of it */
	struct pf_window *window; /* by number; NULL: its end is not there */

	/* By the profile's lock. */
	bool started;	 /* what it was forked with is there */
	int log_error;	 /* of its descriptors: -errno */
	uint32_t n_logs; /* read */
	struct al_blocks blocks;
	struct al_executed executed;
	struct ap_block **block; /* by number in executed */
	uint32_t n_blocks;
	uint32_t blocks_size;
	struct ap_block **unwanted; /* by the tool's id: of threads that have no
				       lane that wants it, or NULL */
	uint32_t n_unwanted;
	struct ap_entries loose; /* blocks, by the tool's id, that lie in a file
				    and in no object; of the first */
	uint32_t n_searched;
	struct alleria_object **object; /* by number in mappings */
	size_t n_objects;
	struct alleria_mark **mark; /* by number - 1 */
	uint32_t n_marks;
};

struct ap_process {
	struct alleria_process pub;
	struct ap_stream **image; /* into the profile's order */

	/* By the profile's lock; dropped when the profile is refreshed. */
	struct alleria_thread *thread;
	size_t n_threads;
	const struct alleria_object **object;
};

/* Names as they were recorded. Zeroed: not read. */
struct ap_names {
	bool read;	      /* names in the file were read */
	bool known;	      /* all names were read, also unwritten ones */
	struct ap_name *name; /* by object and value */
	size_t n;
	struct alleria_function *function;
	size_t n_functions;
	struct alleria_line *line;
	size_t n_lines;
	const char **path; /* of objects, interned, sorted by path */
	const char **build_id;
	size_t n_objects;
	bool damaged;	  /* a block of names is damaged */
	uint64_t missing; /* number of objects whose files cannot be read, see
			     alleria_names_missing() */
};

struct ap_name {
	const char *object; /* interned, as the others */
	uint64_t value;
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t number; /* of the function */
};

struct alleria_profile {
	struct pf_reader *reader;
	size_t n_taken; /* entries */
	struct alleria_state state;
	struct alleria_run run;
	bool done;	/* PF_DONE is there */
	bool wall_told; /* and tells how long the run was */
	const char *status;
	const char *reason;
	struct ap_stream **stream; /* by number in the file, or NULL */
	uint32_t n_streams;
	uint32_t streams_size;
	bool lost_image;	  /* an image is damaged or missing */
	uint32_t lost_stream;	  /* lowest stream number of such an image */
	struct ap_stream **order; /* by process and number */
	uint32_t n_order;
	struct ap_process **process; /* process N is at N - 1 */
	uint32_t n_processes;
	struct ap_seen *seen;
	size_t n_seen;
	struct alleria_window *window;
	uint32_t n_windows;

	pthread_mutex_t lock; /* guards what follows, and what says so above */
	struct al_intern strings; /* locks itself */
	struct pf_unpacker *unpacker;
	struct ap_names names;
	struct al_symbols *symbols; /* NULL until names are read from object
				       files */
	uint64_t *set;		    /* sets of windows, by number - 1 */
	uint32_t n_sets;
};

/* How a process ended as its parent saw it. */
struct ap_seen {
	uint64_t tree;
	uint64_t number;
	uint64_t status; /* as from waitpid() */
};

/* -errno as enum alleria_error. */
int ap_error(int err);

const char *ap_intern(struct alleria_profile *, const char *);

const struct pf_head *ap_head(const struct alleria_profile *, uint32_t entry);

/* Head of chunk @i of a stream. */
const struct pf_head *ap_chunk(const struct ap_stream *, uint32_t i);

/* Appends. 0; -ENOMEM. */
int ap_entries_add(struct ap_entries *, uint32_t entry);

/* Loads a block with the profile's unpacker. As pf_load(). Context: lock held,
   or nobody else is there. */
int ap_load(struct alleria_profile *, uint32_t entry, const void **payload);

/* Return process @process, numbered from 1 over the whole profile; NULL if there
   is none. */
static inline struct ap_process *ap_process(const struct alleria_profile *p,
					    uint32_t process)
{
	return process - 1 < p->n_processes ? p->process[process - 1] : NULL;
}

/* Count a block as damaged whose checksum is right and whose content is
   malformed. */
void ap_add_damage(struct alleria_profile *, uint32_t entry);

/* A list of none. */
extern const char *const ap_no_strings[1];

#endif
