/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - what happened in a run: records of fixed layout
 *
 * Numbers of accesses and of instructions count from 0 over the whole profile,
 * process by process in order of tree and number, its images one after the
 * other. A modify is one access with one number, though it counts as a read and
 * as a write. What was lost by damage keeps its numbers where the next block
 * tells them. While a profile is still being written, numbers of a process move
 * when one before it grows.
 *
 * `process` is a number from 1, as in alleria_process(); `thread` a number in
 * its image, from 1 in order of creation; addresses are those of the program.
 */
#ifndef ALLERIA_RECORDS_H
#define ALLERIA_RECORDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct alleria_block;

/* No such thing, where an index or a number of 32 bits, or of 64, is told. */
#define ALLERIA_NONE UINT32_MAX
#define ALLERIA_NOT UINT64_MAX

enum {
	ALLERIA_MAX_ACCESSES = 1024, /* of an execution */
	ALLERIA_MAX_BYTES = 19,	     /* of an instruction: Valgrind's client
					request; the processor's own have 15 */
	ALLERIA_MAX_VALUE = 64,	     /* of what an access read or wrote */
};

enum alleria_kind {
	ALLERIA_READ = 0,
	ALLERIA_WRITE = 1,
	ALLERIA_MODIFY = 2,	     /* read and write of the same bytes by one
			       instruction */
	ALLERIA_LOAD = ALLERIA_READ, /* earlier names */
	ALLERIA_STORE = ALLERIA_WRITE,
};

enum alleria_access_flags {
	ALLERIA_GUARDED = 1 << 0, /* might not have happened: masked,
				     conditional */
	ALLERIA_HELPER = 1 << 1,  /* of a state-saving instruction (fxsave ...);
				     cache simulators take at most a line of
				     it */
	ALLERIA_ATOMIC = 1 << 2,  /* a modify that cannot be parted */
	ALLERIA_VALUE = 1 << 3,	  /* it is known what it read and wrote */
	ALLERIA_PHYSICAL = 1 << 4, /* reserved: its physical address is */
};

/*
 * A data access that happened. 64 bytes.
 *
 * With ALLERIA_VALUE, `read` and `written` point to the bytes that it read and
 * that it wrote, as they lie in memory: `size` of them, but
 * ALLERIA_MAX_VALUE at most. They stay as long as the batch. NULL: it did
 * not; not even where the kind says so, as with a compare-and-swap that
 * found something else. An access that faulted did not happen, and has no
 * record; a modify whose write faulted has one of its read.
 */
struct alleria_access {
	uint64_t number;	/*  0 */
	uint64_t address;	/*  8 0: it was not recorded */
	uint64_t code;		/* 16 address of its instruction */
	uint64_t instruction;	/* 24 number of its instruction */
	uint32_t thread;	/* 32 */
	uint32_t process;	/* 36 */
	uint16_t size;		/* 40 [bytes] >= 1 */
	uint8_t kind;		/* 42 enum alleria_kind */
	uint8_t flags;		/* 43 enum alleria_access_flags */
	uint32_t window;	/* 44 that wanted it: alleria_window_set() */
	const uint8_t *read;	/* 48 */
	const uint8_t *written; /* 56 */
};

enum alleria_instruction_flags {
	ALLERIA_FAULTED = 1 << 0, /* a fault stopped it: not all of its accesses
				     happened, or none */
};

/* An instruction that was begun. 56 bytes. */
struct alleria_instruction {
	uint64_t number;		     /*  0 */
	uint64_t address;		     /*  8 */
	uint64_t first_access;		     /* 16 number that its first has, or
						would have */
	const struct alleria_access *access; /* 24 in program order; stay as
						long as the batch */
	const uint8_t *bytes;		     /* 32 its code; stays */
	uint32_t thread;		     /* 40 */
	uint32_t process;		     /* 44 */
	uint16_t n_accesses;		     /* 48 that happened */
	uint8_t size;	 /* 50 [bytes] 1..ALLERIA_MAX_BYTES */
	uint8_t flags;	 /* 51 enum alleria_instruction_flags */
	uint32_t window; /* 52 that wanted it: alleria_window_set() */
};

/* One execution of a block: its first n_instructions were begun. 48 bytes. */
struct alleria_execution {
	uint64_t instruction;		   /*  0 number of its first */
	uint64_t access;		   /*  8 number of its first */
	const struct alleria_block *block; /* 16 */
	uint32_t thread;		   /* 24 */
	uint32_t process;		   /* 28 */
	uint16_t exit;		 /* 32 that it was left by, in block->exit */
	uint16_t n_instructions; /* 34 > 0 */
	uint16_t n_accesses;	 /* 36 that happened */
	uint16_t image;		 /* 38 of the process, from 0 */
	uint64_t stamp; /* 40 processor's time stamp counter when it began;
			   0: not recorded */
};

enum alleria_branch_kind {
	ALLERIA_JUMP = 0, /* taken, of whatever kind */
	ALLERIA_CALL = 1,
	ALLERIA_RETURN = 2,
	ALLERIA_SYSCALL = 3, /* from it to what was executed next */
	ALLERIA_HANDLER = 4, /* a signal's handler was entered */
	ALLERIA_START = 5,   /* the first of an image, or of a thread */
};

/*
 * Control went from one instruction to another one that does not follow it in
 * memory, or called, returned or asked the system. Branches not taken are not
 * told. In order of arrival. 56 bytes.
 */
struct alleria_branch {
	uint64_t number; /*  0 of the instruction arrived at */
	uint64_t to;	 /*  8 its address */
	uint64_t from;	 /* 16 address of the last one of the thread before */
	uint64_t from_number; /* 24 its number; ALLERIA_NOT: there is none,
				 or it is lost */
	uint64_t access;      /* 32 number of the next access */
	uint32_t thread;      /* 40 */
	uint32_t process;     /* 44 */
	uint8_t kind;	      /* 48 enum alleria_branch_kind */
	uint8_t flags;	      /* 49 0 */
	uint16_t image;	      /* 50 */
	uint32_t room;	      /* 52 */
};

enum alleria_event_kind {
	ALLERIA_IMAGE_BEGIN = 1,
	ALLERIA_IMAGE_END = 2,	   /* value: of struct alleria_image, ending */
	ALLERIA_THREAD_START = 3,  /* value: number of the new thread */
	ALLERIA_THREAD_END = 4,	   /* value: number of the thread */
	ALLERIA_THREAD_SWITCH = 5, /* thread: that runs from here on */
	ALLERIA_SIGNAL = 6,	   /* value: number of the signal delivered */
	ALLERIA_CHILD_EXIT = 7,	   /* value: its pid; detail: wait status */
	ALLERIA_FAULT = 8,	   /* the instruction before was stopped by a
				      fault; value: its address */
	ALLERIA_GAP = 9,	   /* something is missing before this; value:
				      instructions, if known, else 0 */
	ALLERIA_WINDOW_BEGIN = 10, /* it opened; value: its number, from 0 */
	ALLERIA_WINDOW_END = 11,   /* it closed; the same */
	ALLERIA_MARK = 12,	   /* something was told by a name; value: its
				      number, see alleria_marks(); detail: enum
				      alleria_mark_kind */
	ALLERIA_CORE = 13, /* value: processor that it runs on from here on;
				 looked at when Valgrind's scheduler was there */
	ALLERIA_WRITTEN =
		14, /* the system wrote memory, or there is new memory;
				 value: address; detail: [bytes] */
};

/* Something that happened between two instructions. 56 bytes. */
struct alleria_event {
	uint64_t instruction; /*  0 number of the next */
	uint64_t access;      /*  8 number of the next */
	uint64_t time_ns;     /* 16 since the run began; see
				 alleria_time_of() */
	uint64_t value;	      /* 24 see the kind */
	uint64_t detail;      /* 32 see the kind; else 0 */
	uint32_t thread;      /* 40 that runs; 0: none yet */
	uint32_t process;     /* 44 */
	uint16_t kind;	      /* 48 enum alleria_event_kind */
	uint16_t image;	      /* 50 */
	uint32_t room;	      /* 52 */
};

/* ---- blocks of code ---- */

/* An instruction of a block. 24 bytes. */
struct alleria_code {
	uint64_t address;     /*  0 */
	const uint8_t *bytes; /*  8 */
	uint8_t size;	      /* 16 [bytes] */
	uint8_t room[7];      /* 17 */
};

/* An access that an instruction of a block makes. 8 bytes. */
struct alleria_code_access {
	uint16_t code; /* 0 index of its instruction */
	uint16_t size; /* 2 [bytes] */
	uint8_t kind;  /* 4 enum alleria_kind */
	uint8_t flags; /* 5 enum alleria_access_flags */
	uint16_t room; /* 6 */
};

/* A way out of a block. 16 bytes. */
struct alleria_code_exit {
	uint64_t target;     /* 0 address; 0: not known beforehand */
	uint16_t n_code;     /* 8 instructions begun */
	uint16_t n_accesses; /* 10 made, or refused by their guards */
	uint8_t kind;	     /* 12 enum alleria_branch_kind */
	uint8_t signal;	     /* 13 that it raises, or 0 */
	uint16_t room;	     /* 14 */
};

/*
 * A block: instructions executed one after the other, if not left before the
 * end. One that a fault stopped is a block of its own, shorter. It stays as
 * long as the profile, and the same one has the same address. 56 bytes.
 */
struct alleria_block {
	const struct alleria_code *code;	  /*  0 */
	const struct alleria_code_access *access; /*  8 in program order */
	const struct alleria_code_exit *exit;	  /* 16 in program order */
	uint32_t number;			  /* 24 from 0, in the image */
	uint32_t object;     /* 28 number in the image, of alleria_objects();
				ALLERIA_NONE: in none */
	uint32_t process;    /* 32 that executed it */
	uint32_t image;	     /* 36 */
	uint16_t n_code;     /* 40 > 0 */
	uint16_t n_accesses; /* 42 */
	uint16_t n_exits;    /* 44 > 0 */
	uint16_t flags; /* 46 enum alleria_instruction_flags, of its last */
	uint64_t room;	/* 48 */
};

#ifdef __cplusplus
}
#endif

#endif
