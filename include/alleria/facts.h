/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - opens a profile; describes its run, its processes and their code
 *
 * The library owns the structures returned here. They and their strings are
 * valid until alleria_close(), and alleria_refresh() updates them in place.
 * Lists of structures are valid until alleria_refresh() or alleria_close().
 * Strings are never NULL; an unknown string is "". Strings come from the
 * recorded program and may hold any bytes: escape them before printing.
 */
#ifndef ALLERIA_FACTS_H
#define ALLERIA_FACTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALLERIA_VERSION "0.1.0" /* version of this header */

/* Return the version of the library that is loaded. */
const char *alleria_version(void);

enum alleria_error {
	ALLERIA_E_MEMORY = -1,	   /* out of memory */
	ALLERIA_E_FILE = -2,	   /* the file cannot be opened or read; see
				      errno */
	ALLERIA_E_FORMAT = -3,	   /* the file is no profile */
	ALLERIA_E_VERSION = -4,	   /* the profile's format version is not
				      supported */
	ALLERIA_E_DAMAGED = -5,	   /* a part of the profile is damaged or
				      missing */
	ALLERIA_E_RANGE = -6,	   /* no such process, access, parameter ... */
	ALLERIA_E_ARGUMENT = -7,   /* invalid arguments */
	ALLERIA_E_UNRECORDED = -8, /* the run was recorded without the data that
				      is needed */
	ALLERIA_E_STOPPED = -9,	   /* an executor failed */
};

/* Return an error in words: one line, lower case, no full stop; never NULL.
   @error: 0 or enum alleria_error. */
const char *alleria_error_text(int error);

/* ---- the file ---- */

struct alleria_profile;
struct alleria_cursor;

enum { ALLERIA_MESSAGE = 320 }; /* [bytes] length of a message with its NUL */

/**
 * alleria_open() - Open a profile for reading.
 * @out: receives the profile, for alleria_close(); NULL on error.
 * @message: [ALLERIA_MESSAGE] receives on error one line that names the file;
 *           or NULL.
 *
 * A profile that is still being written, or is damaged, is opened as far as it
 * can be read; alleria_state() returns its state. This reads the heads of all
 * blocks, and the blocks that describe the run and its processes.
 *
 * Return: 0; ALLERIA_E_FILE, _FORMAT, _VERSION, _MEMORY.
 */
int alleria_open(const char *path, struct alleria_profile **out, char *message);
void alleria_close(struct alleria_profile *); /* does nothing for NULL */

/* Read the blocks written since alleria_open() or the last call. Cursors at the
   end then continue with records of their last process and later ones, not of
   earlier ones. Return: 1: there are new blocks; 0: none; negative: as
   alleria_open(). */
int alleria_refresh(struct alleria_profile *);

enum alleria_status {
	ALLERIA_COMPLETE = 0,
	ALLERIA_LOSSY = 1,	/* some accesses could not be recorded */
	ALLERIA_TRUNCATED = 2,	/* the recording ends before the program did */
	ALLERIA_UNFINISHED = 3, /* the end is missing: still being written, or
				   the recorder was killed */
};

enum alleria_damage {
	ALLERIA_WHOLE = 0,
	ALLERIA_NO_INDEX = 1, /* no index: still being written, or cut off
				 between two blocks */
	ALLERIA_TORN = 2,     /* the file ends within a block */
	ALLERIA_BROKEN = 3,   /* bytes that belong to no block, or a block that
				 was found damaged when the profile was
				 opened */
};

struct alleria_state {
	uint32_t status;       /* enum alleria_status, of the run */
	uint32_t damage;       /* enum alleria_damage, of the file */
	const char *reason;    /* reason why the profile is not complete, or
				  "" */
	uint64_t damage_at;    /* [bytes] offset of the first damage in the
				  file */
	uint64_t damage_bytes; /* number of damaged bytes in the file */
	uint64_t bytes;	       /* [bytes] size of the file */
	uint64_t blocks;       /* number of blocks in the file */
};

/* Return the state of the profile; never NULL. */
const struct alleria_state *alleria_state(const struct alleria_profile *);

/* Return how many blocks of the file were found damaged so far, by opening,
   cursors and other calls. The content of such a block is left out of answers;
   ALLERIA_E_DAMAGED reports it where records are missing. Any number of threads
   may call this at once. */
uint64_t alleria_damaged_blocks(const struct alleria_profile *);

/* Return how many blocks of the file the library has read since
   alleria_open(). alleria_bytes_read() returns the sum of their sizes in the
   file [bytes]. */
uint64_t alleria_blocks_read(const struct alleria_profile *);
uint64_t alleria_bytes_read(const struct alleria_profile *);

/* ---- the run ---- */

/* Kinds of data that were recorded. */
enum alleria_has {
	ALLERIA_HAS_ACCESSES = 1 << 0,	   /* accesses to data */
	ALLERIA_HAS_ADDRESSES = 1 << 1,	   /* addresses of accesses, of some at
					      least */
	ALLERIA_HAS_UNUSED_LOADS = 1 << 2, /* also loads whose value is not
					      used, as far as Lackey counts
					      them */
	ALLERIA_HAS_VALUES = 1 << 3,	   /* values that accesses read and
					      wrote */
	/* ALLERIA_HAS_PHYSICAL and ALLERIA_HAS_OBJECTS are reserved. */
	ALLERIA_HAS_PHYSICAL = 1 << 4,
	ALLERIA_HAS_OBJECTS = 1 << 5,
	ALLERIA_HAS_WINDOWS = 1 << 6,	   /* only what windows select was
					      recorded */
	ALLERIA_HAS_TIMES = 1 << 7,	   /* time stamps of executions */
	ALLERIA_HAS_CORES = 1 << 8,	   /* processors that ran the program */
	ALLERIA_HAS_INSTRUCTIONS = 1 << 9, /* all instructions of the code that
					      windows select; without windows,
					      of all code */
	ALLERIA_HAS_MEMORY_INSTRUCTIONS = 1 << 10, /* all instructions of the
						      selected code that access
						      memory */
	ALLERIA_HAS_ALL_ADDRESSES = 1 << 11, /* the address of every recorded
						access */
	ALLERIA_HAS_DATA = 1 << 12, /* births and deaths of data objects, for
				       data.h */
};

/* Counts of a process, an image or the run. ALLERIA_NOT is defined in
   records.h. */
struct alleria_counts {
	uint64_t instructions;
	uint64_t accesses; /* number of accesses: reads + writes - modifies,
			      since a modify is one access */
	uint64_t reads;	   /* a modify is a read and a write */
	uint64_t writes;
	uint64_t modifies;
	uint64_t threads; /* number of threads ever started; ALLERIA_NOT: not
			     recorded */
	uint64_t signals; /* number of signals delivered; ALLERIA_NOT: not
			     recorded */
	uint64_t room[5]; /* reserved */
};

struct alleria_run {
	const char *version;  /* version of Alleria that recorded the run */
	const char *valgrind; /* version of Valgrind, of the first image */
	const char *system;   /* name of the operating system, such as
				 "Linux" */
	const char *release;  /* release of the system */
	const char *machine;  /* architecture of the machine, such as
				 "x86_64" */
	const char *processor;
	const char *const *options; /* arguments of the recording command; NULL
				       ends them */
	const char *const *command; /* the first program and its arguments; NULL
				       ends them */
	const char *directory;	    /* working directory in which the run was
				       started */
	uint64_t started_ns;	    /* [ns] start of the run, since 1970, UTC */
	uint64_t wall_ns;	    /* [ns] duration of the run; if its end is
				       missing, until the last block */
	uint64_t environment;	    /* CRC-32 of the environment of the
				       recording command, NULs included */
	uint64_t low_address;	    /* lowest address that a program may use */
	uint64_t high_address;	    /* highest address that a program may use */
	uint32_t page_size;	    /* [bytes] */
	uint32_t address_bits;	    /* number of bits of an address: 64 */
	uint32_t processors;	    /* number of processors of the machine; 0:
				       not recorded */
	uint32_t has;		    /* enum alleria_has: OR of the `has` of
				       all images */
	uint64_t memory;	    /* [bytes] memory of the machine; 0: not
				       recorded */
	uint32_t format_major;	    /* major version of the file's format */
	uint32_t format_minor;
	uint32_t processes;
	uint32_t trees;
	struct alleria_counts counts; /* sums over all processes */
};

const struct alleria_run *alleria_run(const struct alleria_profile *);

/* ---- processes ---- */

enum alleria_ending {
	ALLERIA_RUNNING = 0,   /* no end was recorded */
	ALLERIA_EXITED = 1,    /* value: exit code */
	ALLERIA_SIGNALLED = 2, /* value: signal */
	ALLERIA_EXECED = 3,    /* the image ended by exec: the next image
				  follows, unless it was not recorded */
};

/* An exec image: what a process runs from its start or fork, or from an exec,
   to the next exec or its end. */
struct alleria_image {
	uint32_t process;	    /* number of the image's process, as for
				       alleria_process() */
	uint32_t number;	    /* number of the image in its process, from
				       0 */
	const char *const *command; /* command line of the image, program first;
				       NULL ends it */
	const char *directory;
	const char *valgrind; /* version of the Valgrind that ran the image */
	uint32_t has;	      /* kinds of data that were recorded: bits of
				 enum alleria_has */
	uint32_t ending;      /* enum alleria_ending */
	int32_t value;	      /* exit code or signal, see enum alleria_ending */
	uint32_t pad;	      /* reserved */
	uint64_t begin_ns;    /* [ns] start and end of the image, since the run
				 began */
	uint64_t end_ns;
	uint64_t first_access; /* number of the image's first access, or, if it
				  made none, of the next access */
	uint64_t first_instruction;
	struct alleria_counts counts;
};

struct alleria_process {
	uint32_t index;	 /* number in the profile, from 1, in order of tree and
			    number: the value of `process` elsewhere */
	uint32_t tree;	 /* process tree, from 1 */
	uint32_t number; /* number in its tree, from 1 */
	uint32_t parent; /* number of its parent in the tree; 0: first process
			    of the tree */
	uint32_t pid;
	uint32_t images;	    /* number of its images, > 0 */
	const char *const *command; /* command of its first image; NULL ends
				       it */
	const char *directory;
	uint32_t ending;    /* enum alleria_ending: from the wait status that
			       its parent received if that was recorded, else
			       from the last image */
	int32_t value;	    /* exit code or signal, see enum alleria_ending */
	uint32_t status;    /* enum alleria_status, of the recording of the
			       process */
	uint32_t has;	    /* enum alleria_has: OR over all images of the
			       process */
	const char *reason; /* reason why the recording of the process is not
			       complete, or "" */
	uint64_t lost;	    /* number of accesses of the process that could not
			       be recorded */
	uint64_t begin_ns;  /* [ns] start and end of the process, since the run
			       began */
	uint64_t end_ns;
	uint64_t waited_ns;    /* [ns] time that the process waited for the
				  recorder */
	uint64_t first_access; /* number of the process's first access, or, if
				  it made none, of the next access */
	uint64_t first_instruction;
	struct alleria_counts counts;
};

/* Return a process; NULL if there is no such process. alleria_process() finds
   the process whose `index` is @process, from 1 to the `processes` of struct
   alleria_run; alleria_process_numbered() that with number @number in tree
   @tree; alleria_process_with_pid() process number @nth, from 0, of those with
   pid @pid, since pids are reused. If a profile has one tree, `index` and
   `number` are equal. `index` may change when alleria_refresh() finds a
   process of an earlier tree. */
const struct alleria_process *alleria_process(const struct alleria_profile *,
					      uint32_t process);
const struct alleria_process *
alleria_process_numbered(const struct alleria_profile *, uint32_t tree,
			 uint32_t number);
const struct alleria_process *
alleria_process_with_pid(const struct alleria_profile *, uint32_t pid,
			 uint32_t nth);
/* Return exec image @number, from 0, of a process; NULL: no such image. */
const struct alleria_image *alleria_image(const struct alleria_profile *,
					  uint32_t process, uint32_t number);

/**
 * alleria_time_of() - Estimate when an instruction was executed.
 * @instruction: number.
 *
 * The file stores when each block began and ended; a block's instructions are
 * assumed to be spread evenly between the two. An instruction lost by damage
 * gets the time of the next block. Reads nothing from the file.
 *
 * Return: [ns] since the run began; ALLERIA_NOT: no such instruction.
 */
uint64_t alleria_time_of(const struct alleria_profile *, uint64_t instruction);

/* ---- threads ---- */

struct alleria_thread {
	uint32_t process;
	uint32_t image;
	uint32_t number; /* number of the thread in its image, from 1 in order
			    of creation */
	uint32_t ended;	 /* 1: the end of the thread was recorded; 0: not */
	uint64_t begin_instruction; /* number of the next instruction when the
				       thread started */
	uint64_t end_instruction;   /* number of the next instruction when the
				       thread ended */
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t instructions;
	uint64_t accesses;
};

/* Return all threads of a process, image by image. The first call for a process
   reads all of its blocks that hold events. Return: number of threads, > 0; or
   enum alleria_error. */
long alleria_threads(struct alleria_profile *, uint32_t process,
		     const struct alleria_thread **out);

/* ---- objects ---- */

/* A file with code that a process had mapped. */
struct alleria_object {
	const char *path;
	const char *build_id; /* build id in hex; "" if the object has none */
	uint64_t start;	      /* address of the first byte of its section
				 .text */
	uint64_t size;	      /* [bytes] size of its section .text */
	uint64_t bias;	      /* address = value in the file's symbol table +
				 bias */
	uint64_t begin_ns;    /* [ns] when it was mapped: begin of the image if
				 mapped from its start, else begin of the first
				 block of executions that follows the record of
				 the mapping in the file; end of the image if
				 none follows */
	uint64_t end_ns;      /* [ns] when it was unmapped: end of the first
				 block of executions that follows the record of
				 the unmapping, or of the image if none
				 follows; ALLERIA_NOT: never */
	uint32_t process;
	uint32_t image;
	uint32_t number; /* number of the object file in the image, from 0 */
	uint32_t pad;	 /* reserved */
};

/* Return all objects of a process, image by image, in the order in which they
   were mapped. The first call for a process reads its records of mappings and
   blocks of code. Return: number of objects, >= 0; or enum alleria_error. */
long alleria_objects(struct alleria_profile *, uint32_t process,
		     const struct alleria_object *const **out);

/* ---- names ---- */

/* Function, file and line of an address. Unknown strings are "???", an unknown
   line is 0. Equal strings have equal addresses within a profile. The caller
   owns the structure. */
struct alleria_name {
	const char *function;
	const char *file;   /* source file, with the directories that the debug
			       information gives */
	const char *object; /* path */
	uint64_t value;	    /* address that was looked up, as in the object's
			       symbol table; unchanged if in no object */
	uint32_t line;
	uint32_t number;  /* number of the object that the address lies in, in
			     its image; or ALLERIA_NONE */
	uint64_t room[4]; /* reserved */
};

/* Return how many objects hold code without names, because names were not
   recorded and the object's file cannot be read. They are counted when a name
   is read for the first time; before, the function returns 0. Any number of
   threads may call it at once. */
uint64_t alleria_names_missing(struct alleria_profile *);

/**
 * alleria_name() - Find function, file and line of an address.
 * @process: number, as in alleria_process().
 * @at: number of an instruction of the process: use the objects mapped when it
 *      was executed, with the precision of a block of the file; ALLERIA_NOT:
 *      those mapped last.
 *
 * If an object was unmapped in the same block of the file, its code has no name
 * here; see alleria_name_block() and alleria_name_in_batch().
 *
 * Only executed code has names. They are recorded when an image ends; code of
 * an image without an end is named from the object files. Code outside an
 * object's .text, as in .plt, has only the object's path, unless a call stack
 * of an allocation contains it.
 *
 * Return: 0, also when nothing is known; ALLERIA_E_RANGE: no such process, or
 *         instruction @at is not one of its instructions; _DAMAGED, _MEMORY.
 */
int alleria_name(struct alleria_profile *, uint32_t process, uint64_t address,
		 uint64_t at, struct alleria_name *out);

struct alleria_block;

/* Find function, file and line of instruction @index of a block, using the
   objects mapped when the block was translated. Return: 0; ALLERIA_E_RANGE: no
   such instruction; _DAMAGED, _MEMORY. */
int alleria_name_block(struct alleria_profile *, const struct alleria_block *,
		       uint32_t index, struct alleria_name *out);

struct alleria_cursor;

/* Find function, file and line of the code at @address, an instruction of a
   record in the cursor's last batch: use the objects that were mapped when that
   instruction was executed. After a seek, request a batch first: until then the
   result is unspecified. Return: 0; ALLERIA_E_RANGE: the cursor has never
   returned a batch; _DAMAGED, _MEMORY. */
int alleria_name_in_batch(struct alleria_cursor *, uint64_t address,
			  struct alleria_name *out);

struct alleria_function {
	const char *name;
	const char *file;   /* source file of the instruction at `value` */
	const char *object; /* path */
	uint64_t value;	    /* address, as in the object's symbol table, of the
			       function's lowest instruction for which
			       alleria_name() finds the function */
	uint32_t line;	    /* line of the instruction at `value`; 0: unknown */
	uint32_t number;    /* number of the function, from 0 */
};

/* A source line: code from `value` on, up to the next alleria_line of the
   object. */
struct alleria_line {
	const char *file;
	const char *object; /* path */
	uint64_t value;
	uint32_t line;	   /* line number; 0: unknown */
	uint32_t function; /* number of the function that contains the line */
};

/* Return in @out the functions (alleria_lines(): the source lines) of the code
   that alleria_name() can name, sorted by object, then by `value`. Return: how
   many there are; or a negative enum alleria_error. */
long alleria_functions(struct alleria_profile *,
		       const struct alleria_function **out);
long alleria_lines(struct alleria_profile *, const struct alleria_line **out);

/* ---- windows ---- */

/* A window of the run's window file, and the counts recorded for it in all
   images whose end was recorded. */
struct alleria_window {
	const char *name;
	uint64_t openings;
	uint64_t instructions;
	uint64_t reads; /* a modify is a read and a write */
	uint64_t writes;
	uint64_t modifies;
	uint64_t unended; /* number of images without a recorded end: their
			     counts for the window are unknown */
	uint64_t room[5]; /* reserved */
};

/* Return all windows of the run. Return: how many; 0: the run was recorded
   without windows. */
long alleria_windows(const struct alleria_profile *,
		     const struct alleria_window **out);

/* Return the set of windows that recorded an access or an instruction, as
   bits: bit i stands for window i of alleria_windows(). Return 0 if the run
   was recorded without windows, or the set is unknown. @number: the member
   `window` of the record. */
uint64_t alleria_window_set(struct alleria_profile *, uint32_t number);

/* ---- named marks ---- */

enum alleria_mark_kind {
	ALLERIA_MARK_PLACE = 1,	 /* a position in the program, ALLERIA_MARK() */
	ALLERIA_MARK_EVENT = 2,	 /* an event that windows may wait for */
	ALLERIA_MARK_BEGIN = 3,	 /* request to open a window */
	ALLERIA_MARK_END = 4,	 /* request to close a window */
	ALLERIA_MARK_START = 5,	 /* collection of a category starts */
	ALLERIA_MARK_STOP = 6,	 /* collection of a category stops */
	ALLERIA_MARK_REGION = 7, /* a range of memory gets a name */
};

/* A named mark that the program made by <valgrind/alleria.h>, or a user by
   vgdb. Equal marks are listed once; an event is recorded for each. */
struct alleria_mark {
	const char *name;
	uint64_t start;	 /* start address of the region that the mark names
			    (ALLERIA_MARK_REGION) */
	uint64_t size;	 /* [bytes] size of the region that the mark names */
	uint32_t kind;	 /* enum alleria_mark_kind */
	uint32_t number; /* number of the mark in the image, from 1 */
	uint32_t process;
	uint32_t image;
};

/* Return in @out the marks of an image; the mark with `number` N is at index N
   - 1. The `value` of an event of kind ALLERIA_MARK is such a number. Return:
   how many marks there are; ALLERIA_E_RANGE: no such image; another enum
   alleria_error. */
long alleria_marks(struct alleria_profile *, uint32_t process, uint32_t image,
		   const struct alleria_mark *const **out);

#ifdef __cplusplus
}
#endif

#endif
