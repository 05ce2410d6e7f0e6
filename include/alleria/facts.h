/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - a profile opened: what was run, and what its code is called
 *
 * Structures here are the library's: they and their strings stay until
 * alleria_close(), and alleria_refresh() brings them up to date in place; lists
 * of them stay until one or the other.
 * Strings are never NULL; "" where there is nothing to say. They come from the
 * program that was run: print them with care.
 */
#ifndef ALLERIA_FACTS_H
#define ALLERIA_FACTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALLERIA_VERSION "0.1.0" /* of this header */

/* The library's, at run time. */
const char *alleria_version(void);

enum alleria_error {
	ALLERIA_E_MEMORY = -1,	   /* there is none left */
	ALLERIA_E_FILE = -2,	   /* it cannot be opened or read; see errno */
	ALLERIA_E_FORMAT = -3,	   /* it is no profile */
	ALLERIA_E_VERSION = -4,	   /* of a format that this does not know */
	ALLERIA_E_DAMAGED = -5,	   /* a part of it is broken or missing */
	ALLERIA_E_RANGE = -6,	   /* there is no such thing */
	ALLERIA_E_ARGUMENT = -7,   /* arguments that make no sense */
	ALLERIA_E_UNRECORDED = -8, /* the run was recorded without it */
	ALLERIA_E_STOPPED = -9,	   /* an executor failed */
};

/* One line, lower case, no full stop; never NULL. */
const char *alleria_error_text(int error);

/* ---- the file ---- */

struct alleria_profile;
struct alleria_cursor;

enum { ALLERIA_MESSAGE = 320 }; /* [bytes] of a message */

/**
 * alleria_open() - Open a profile for reading.
 * @out: receives it, for alleria_close(); NULL on error.
 * @message: [ALLERIA_MESSAGE] receives one line on error that names the file;
 *           or NULL.
 *
 * It may still be being written, and it may be damaged: what can be read is
 * read, and alleria_state() tells. Heads of blocks are read, and what tells of
 * the run and its processes.
 *
 * Return: 0; ALLERIA_E_FILE, _FORMAT, _VERSION, _MEMORY.
 */
int alleria_open(const char *path, struct alleria_profile **out, char *message);
void alleria_close(struct alleria_profile *); /* NULL: nothing */

/* Looks for what was written since. Cursors that were at the end go on. 1:
   there is more; 0: nothing; negative: as alleria_open(). */
int alleria_refresh(struct alleria_profile *);

enum alleria_status {
	ALLERIA_COMPLETE = 0,
	ALLERIA_LOSSY = 1,	/* some accesses could not be described */
	ALLERIA_TRUNCATED = 2,	/* it ends before the program did */
	ALLERIA_UNFINISHED = 3, /* its end is not there: being written, or its
				   writer was killed */
};

enum alleria_damage {
	ALLERIA_WHOLE = 0,
	ALLERIA_NO_INDEX = 1, /* being written, or cut between two blocks */
	ALLERIA_TORN = 2,     /* ends within a block */
	ALLERIA_BROKEN = 3,   /* holds bytes that are no block, or a damaged
				 block that was read as it was opened */
};

struct alleria_state {
	uint32_t status;       /* enum alleria_status, of the run */
	uint32_t damage;       /* enum alleria_damage, of the file */
	const char *reason;    /* that it is not complete; or "" */
	uint64_t damage_at;    /* [bytes] offset of the first damage */
	uint64_t damage_bytes; /* in all */
	uint64_t bytes;	       /* of the file */
	uint64_t blocks;       /* of it */
};

const struct alleria_state *alleria_state(const struct alleria_profile *);

/* Return how many blocks of the file were found damaged so far, by opening,
   cursors and other calls. The content of such a block is left out of answers;
   ALLERIA_E_DAMAGED reports it where records are missing. Threads: any. */
uint64_t alleria_damaged_blocks(const struct alleria_profile *);

/* What was read since it was opened, by all cursors and questions: blocks of
   the file, and their bytes as they lie there. */
uint64_t alleria_blocks_read(const struct alleria_profile *);
uint64_t alleria_bytes_read(const struct alleria_profile *);

/* ---- the run ---- */

/* What was recorded of data accesses and more. */
enum alleria_has {
	ALLERIA_HAS_ACCESSES = 1 << 0,	   /* which accesses happened */
	ALLERIA_HAS_ADDRESSES = 1 << 1,	   /* and where */
	ALLERIA_HAS_UNUSED_LOADS = 1 << 2, /* also loads whose value nobody
					      used, as far as Lackey sees
					      them */
	ALLERIA_HAS_VALUES = 1 << 3,	   /* what accesses read and wrote */
	/* reserved: */
	ALLERIA_HAS_PHYSICAL = 1 << 4,
	ALLERIA_HAS_OBJECTS = 1 << 5,
	/* recorded: */
	ALLERIA_HAS_WINDOWS = 1 << 6, /* not everything, but what these want */
	ALLERIA_HAS_TIMES = 1 << 7,   /* stamps of executions */
	ALLERIA_HAS_CORES = 1 << 8,   /* processors */
	ALLERIA_HAS_INSTRUCTIONS = 1 << 9, /* each instruction of the code that
					      windows want */
	ALLERIA_HAS_MEMORY_INSTRUCTIONS = 1
					  << 10, /* each that accesses memory */
	ALLERIA_HAS_ALL_ADDRESSES = 1 << 11, /* of each access that is there */
};

/* ALLERIA_NOT is in records.h. */
struct alleria_counts {
	uint64_t instructions;
	uint64_t accesses; /* records: reads + writes - modifies */
	uint64_t reads;	   /* a modify is a read and a write */
	uint64_t writes;
	uint64_t modifies;
	uint64_t threads; /* ever alive; ALLERIA_NOT: not recorded */
	uint64_t signals; /* delivered; ALLERIA_NOT: not recorded */
	uint64_t room[5];
};

struct alleria_run {
	const char *version;  /* of Alleria that recorded it */
	const char *valgrind; /* version, of the first image */
	const char *system;   /* "Linux" */
	const char *release;  /* of the system */
	const char *machine;  /* "x86_64" */
	const char *processor;
	const char *const *options; /* of the recording command; NULL ends
				       them */
	const char *const *command; /* the first program and its arguments; NULL
				       ends them */
	const char *directory;	    /* it was started in */
	uint64_t started_ns;	    /* since 1970, UTC */
	uint64_t wall_ns;	    /* that it took, or what of it was seen */
	uint64_t environment;	    /* CRC-32 of the environment */
	uint64_t low_address;	    /* that a program may have; from, */
	uint64_t high_address;	    /* to, included */
	uint32_t page_size;	    /* [bytes] */
	uint32_t address_bits;	    /* 64 */
	uint32_t processors;	    /* that the machine had; 0: not recorded */
	uint32_t has;		    /* enum alleria_has, in some image */
	uint64_t memory;       /* [bytes] of the machine; 0: not recorded */
	uint32_t format_major; /* of the file */
	uint32_t format_minor;
	uint32_t processes;
	uint32_t trees;
	struct alleria_counts counts; /* of all processes */
};

const struct alleria_run *alleria_run(const struct alleria_profile *);

/* ---- processes ---- */

enum alleria_ending {
	ALLERIA_RUNNING = 0,   /* no end was recorded */
	ALLERIA_EXITED = 1,    /* value: exit code */
	ALLERIA_SIGNALLED = 2, /* value: signal */
	ALLERIA_EXECED = 3,    /* an image follows, or none was recorded */
};

/* A program in a process, from its start, or from the fork that made the
   process, to its end or to the exec that began another. */
struct alleria_image {
	uint32_t process;	    /* number, as in alleria_process() */
	uint32_t number;	    /* in its process, from 0 */
	const char *const *command; /* NULL ends it */
	const char *directory;
	const char *valgrind; /* version */
	uint32_t has;	      /* enum alleria_has */
	uint32_t ending;      /* enum alleria_ending */
	int32_t value;	      /* see there */
	uint32_t pad;
	uint64_t begin_ns; /* since the run began */
	uint64_t end_ns;
	uint64_t first_access; /* numbers that its first have, or would */
	uint64_t first_instruction;
	struct alleria_counts counts;
};

struct alleria_process {
	uint32_t index;	 /* in the profile, from 1, in order of tree and number:
			    what `process` is elsewhere */
	uint32_t tree;	 /* from 1 */
	uint32_t number; /* in its tree, from 1 */
	uint32_t parent; /* number in its tree; 0: it is the first */
	uint32_t pid;
	uint32_t images;	    /* > 0 */
	const char *const *command; /* of its first image; NULL ends it */
	const char *directory;
	uint32_t ending; /* enum alleria_ending: as its parent saw it, if that
			    was recorded, else as it told */
	int32_t value;	 /* see there */
	uint32_t status; /* enum alleria_status */
	uint32_t has;	 /* enum alleria_has, in some image */
	const char *reason; /* that it is not complete; or "" */
	uint64_t lost;	    /* accesses that could not be described */
	uint64_t begin_ns;  /* since the run began */
	uint64_t end_ns;
	uint64_t waited_ns;    /* for the recorder */
	uint64_t first_access; /* numbers that its first have, or would */
	uint64_t first_instruction;
	struct alleria_counts counts;
};

/* Return a process: by its number in the profile, from 1 to run.processes, which
   is its `index`; by its number in its tree; the @nth with a pid, from 0, for
   pids are used again. NULL: there is none. Where a profile has one tree, both
   numbers are the same. Numbers in the profile may move when alleria_refresh()
   finds a process of an earlier tree. */
const struct alleria_process *alleria_process(const struct alleria_profile *,
					      uint32_t process);
const struct alleria_process *
alleria_process_numbered(const struct alleria_profile *, uint32_t tree,
			 uint32_t number);
const struct alleria_process *
alleria_process_with_pid(const struct alleria_profile *, uint32_t pid,
			 uint32_t nth);
const struct alleria_image *alleria_image(const struct alleria_profile *,
					  uint32_t process, uint32_t number);

/**
 * alleria_time_of() - When an instruction was executed.
 * @instruction: number.
 *
 * The file tells when each block of it began and ended; between them time is
 * taken to pass evenly over its instructions. Reads nothing.
 *
 * Return: [ns] since the run began; ALLERIA_NOT: there is no such number.
 */
uint64_t alleria_time_of(const struct alleria_profile *, uint64_t instruction);

/* ---- threads ---- */

struct alleria_thread {
	uint32_t process;
	uint32_t image;
	uint32_t number; /* in its image, from 1 in order of creation */
	uint32_t ended;	 /* 1: its end was recorded */
	uint64_t begin_instruction; /* number of the next one then */
	uint64_t end_instruction;   /* the same */
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t instructions; /* executed by it */
	uint64_t accesses;     /* made by it */
};

/* All of them of a process, image by image; > 0, or negative: enum
   alleria_error. The first question about a process reads those of its blocks
   in which there are events. */
long alleria_threads(struct alleria_profile *, uint32_t process,
		     const struct alleria_thread **out);

/* ---- objects ---- */

/* A file that a process had mapped with code in it. */
struct alleria_object {
	const char *path;
	const char *build_id; /* hex; "" when it has none */
	uint64_t start;	      /* address */
	uint64_t size;	      /* [bytes] */
	uint64_t bias;	      /* address = value in the file's symbols + bias */
	uint64_t begin_ns;    /* it was mapped; told to a block of the file */
	uint64_t end_ns;      /* it was unmapped; ALLERIA_NOT: it stayed */
	uint32_t process;
	uint32_t image;
	uint32_t number; /* from 0, in the image */
	uint32_t pad;
};

/* All of them of a process, in the order they were mapped, images one after the
   other; >= 0 or negative. The first question reads its descriptors. */
long alleria_objects(struct alleria_profile *, uint32_t process,
		     const struct alleria_object *const **out);

/* ---- names ---- */

/* What is not known is "???" and line 0. Equal strings have equal addresses
   within a profile. The caller owns the structure. */
struct alleria_name {
	const char *function;
	const char *file;   /* path, as far as debug information has it */
	const char *object; /* path */
	uint64_t value;	    /* address as in the object's symbols; in none: the
			       address itself */
	uint32_t line;
	uint32_t number; /* of the object in its image, or ALLERIA_NONE */
	uint64_t room[4];
};

/* Return how many objects hold code without names, because names were not
   recorded and the object's file cannot be read. Only objects whose names were
   asked for count. Threads: any. */
uint64_t alleria_names_missing(struct alleria_profile *);

/**
 * alleria_name() - Function, file and line of an address.
 * @process: number, as in alleria_process().
 * @at: number of an instruction: what lay there when it was executed;
 *      ALLERIA_NOT: what lay there last.
 *
 * Names are those that were recorded: of code that was executed. They are
 * written when an image ends; code of an image without an end is named from the
 * objects' files. Code beside an object's .text, as in .plt, has but the
 * object's path.
 * Return: 0, also when nothing is known; ALLERIA_E_RANGE: no such process;
 *         _DAMAGED, _MEMORY.
 */
int alleria_name(struct alleria_profile *, uint32_t process, uint64_t address,
		 uint64_t at, struct alleria_name *out);

struct alleria_block;

/* The same of instruction @index of a block, exactly. */
int alleria_name_block(struct alleria_profile *, const struct alleria_block *,
		       uint32_t index, struct alleria_name *out);

struct alleria_function {
	const char *name;
	const char *file;   /* of its first instruction */
	const char *object; /* path */
	uint64_t value;	    /* of its first instruction that has a name */
	uint32_t line;	    /* of it; 0: not known */
	uint32_t number;    /* from 0 */
};

/* Code from `value` on belongs to a line of a function. */
struct alleria_line {
	const char *file;
	const char *object; /* path */
	uint64_t value;
	uint32_t line;	   /* 0: not known */
	uint32_t function; /* number */
};

/* All that were recorded, by object and value. How many, or negative. */
long alleria_functions(struct alleria_profile *,
		       const struct alleria_function **out);
long alleria_lines(struct alleria_profile *, const struct alleria_line **out);

/* ---- windows ---- */

/* A window of the run's window file, and what was recorded for it, in all
   images whose end is there. */
struct alleria_window {
	const char *name;
	uint64_t openings;
	uint64_t instructions;
	uint64_t reads; /* a modify is a read and a write */
	uint64_t writes;
	uint64_t modifies;
	uint64_t unended; /* images with the window whose end is not there, or
			     not yet: what was recorded for it in them is not
			     known */
	uint64_t room[5];
};

/* All of them. How many; 0: everything was recorded. */
long alleria_windows(const struct alleria_profile *,
		     const struct alleria_window **out);

/* The windows that wanted an access or an instruction, whose `window` is
   @number: bit i for window i of these. 0: there are none. */
uint64_t alleria_window_set(struct alleria_profile *, uint32_t number);

/* ---- what was told by a name ---- */

enum alleria_mark_kind {
	ALLERIA_MARK_PLACE = 1,
	ALLERIA_MARK_EVENT = 2,	 /* that windows may wait for */
	ALLERIA_MARK_BEGIN = 3,	 /* of a window, asked for */
	ALLERIA_MARK_END = 4,	 /* likewise */
	ALLERIA_MARK_START = 5,	 /* collection of a category goes on */
	ALLERIA_MARK_STOP = 6,	 /* or stops */
	ALLERIA_MARK_REGION = 7, /* memory has the name from here on */
};

/* What the program told by <valgrind/alleria.h>, or somebody by vgdb; once,
   however often. */
struct alleria_mark {
	const char *name;
	uint64_t start;	 /* address, of a region */
	uint64_t size;	 /* [bytes] */
	uint32_t kind;	 /* enum alleria_mark_kind */
	uint32_t number; /* from 1, in the image */
	uint32_t process;
	uint32_t image;
};

/* All of an image; the one with a number is at number - 1. How many, or
   negative: ALLERIA_E_RANGE: no such image. Events tell when. */
long alleria_marks(struct alleria_profile *, uint32_t process, uint32_t image,
		   const struct alleria_mark *const **out);

#ifdef __cplusplus
}
#endif

#endif
