/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - declares the records of a run, which have a fixed layout
 *
 * Numbers of accesses and of instructions count from 0 over the whole profile:
 * process by process in order of tree and number, image by image. A modify is
 * one access with one number, though it counts as a read and as a write.
 * Records lost by damage keep their numbers, since each block stores the number
 * of its first record. While a profile is being written, numbers of a process
 * change when an earlier process grows.
 *
 * `process` is a number from 1, as in alleria_process(). `thread` is a number
 * in its image, from 1 in order of creation. Addresses are virtual addresses
 * of the program. `room` is reserved. A comment such as "offset 8: ..."
 * begins with the offset of the member in its struct [bytes].
 */
#ifndef ALLERIA_RECORDS_H
#define ALLERIA_RECORDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct alleria_block;

/* Values that mean "none" in indices and numbers: ALLERIA_NONE in those of 32
   bits, ALLERIA_NOT in those of 64 bits. */
#define ALLERIA_NONE UINT32_MAX
#define ALLERIA_NOT UINT64_MAX

enum {
	ALLERIA_MAX_ACCESSES = 1024, /* greatest number of accesses of an
					execution */
	ALLERIA_MAX_BYTES = 19,	     /* greatest length of an instruction
					[bytes]; the processor's have up to 15,
					Valgrind's client request has 19 */
	ALLERIA_MAX_VALUE = 64,	     /* greatest number of bytes that are stored
					of the value of an access */
};

enum alleria_kind {
	ALLERIA_READ = 0,
	ALLERIA_WRITE = 1,
	ALLERIA_MODIFY = 2,	     /* read and write of the same bytes by one
					instruction */
	ALLERIA_LOAD = ALLERIA_READ, /* older names of ALLERIA_READ and
					ALLERIA_WRITE */
	ALLERIA_STORE = ALLERIA_WRITE,
};

enum alleria_access_flags {
	ALLERIA_GUARDED = 1 << 0,  /* masked or conditional: happens only if its
				      guard is true */
	ALLERIA_HELPER = 1 << 1,   /* made by a state-saving instruction (fxsave
				      ...); cache simulators count at most one
				      line of it */
	ALLERIA_ATOMIC = 1 << 2,   /* the access is an atomic modify */
	ALLERIA_VALUE = 1 << 3,	   /* the value of the access was recorded */
	ALLERIA_PHYSICAL = 1 << 4, /* reserved: its physical address was
				      recorded */
};

/*
 * A data access that happened. 64 bytes.
 *
 * With ALLERIA_VALUE, `read` and `written` point to the bytes read and written,
 * in memory order: `size` bytes, at most ALLERIA_MAX_VALUE. They are valid as
 * long as the batch. NULL: the access did not read, or did not write, even if
 * its kind implies it: a compare-and-swap that fails does not write. An access
 * that faulted did not happen and has no record; a modify whose write faulted
 * has a record of its read.
 */
struct alleria_access {
	uint64_t number;      /* offset 0: number of the access */
	uint64_t address;     /* offset 8: address of the first byte accessed;
				 0: not recorded */
	uint64_t code;	      /* offset 16: address of the instruction that made
				 the access */
	uint64_t instruction; /* offset 24: number of the instruction that made
				 the access */
	uint32_t thread;      /* offset 32: number of the thread that made the
				 access */
	uint32_t process;     /* offset 36: number of the process that made the
				 access */
	uint16_t size;	 /* offset 40: size of the access [bytes], at least 1 */
	uint8_t kind;	 /* offset 42: kind of access, enum alleria_kind */
	uint8_t flags;	 /* offset 43: enum alleria_access_flags */
	uint32_t window; /* offset 44: number of the set of windows that
			    recorded the access, for alleria_window_set() */
	const uint8_t *read;	/* offset 48: bytes that the access read; NULL:
				   none, or not recorded */
	const uint8_t *written; /* offset 56: bytes that the access wrote; NULL:
				   none, or not recorded */
};

enum alleria_instruction_flags {
	ALLERIA_FAULTED = 1 << 0, /* a fault stopped it: some or all of its
				     accesses did not happen */
};

/* An instruction whose execution started. 56 bytes. */
struct alleria_instruction {
	uint64_t number;       /* offset 0: number of the instruction */
	uint64_t address;      /* offset 8: address of the instruction */
	uint64_t first_access; /* offset 16: number of the instruction's first
				  access or, if the instruction made none, of
				  the next access */
	const struct alleria_access *access; /* offset 24: [n_accesses] its
						accesses, in program order;
						valid as long as the batch */
	const uint8_t *bytes; /* offset 32: [size] its code; valid until
				 alleria_close() */
	uint32_t thread;      /* offset 40: number of the thread that executed
				 the instruction */
	uint32_t process;     /* offset 44: number of the process that executed
				 the instruction */
	uint16_t n_accesses;  /* offset 48: number of accesses that the
				 instruction made */
	uint8_t size;	      /* offset 50: length of the instruction [bytes],
				 1..ALLERIA_MAX_BYTES */
	uint8_t flags;	      /* offset 51: enum alleria_instruction_flags */
	uint32_t window;      /* offset 52: number of the set of windows that
				 recorded the instruction, for
				 alleria_window_set() */
};

/* One execution of a block: its first n_instructions were started. 48 bytes. */
struct alleria_execution {
	uint64_t instruction; /* offset 0: number of the first instruction of
				 the execution */
	uint64_t access;      /* offset 8: number of the first access of the
				 execution or, if it made none, of the next
				 access */
	const struct alleria_block
		*block;	  /* offset 16: block that was executed */
	uint32_t thread;  /* offset 24: number of the thread that executed the
			     block */
	uint32_t process; /* offset 28: number of the process that executed the
			     block */
	uint16_t exit; /* offset 32: index in block->exit of the exit taken */
	uint16_t n_instructions; /* offset 34: number of instructions started, >
				    0 */
	uint16_t n_accesses;	 /* offset 36: number of accesses that happened
				during the execution */
	uint16_t image; /* offset 38: number of the image that executed the
			   block, from 0 in its process */
	uint64_t stamp; /* offset 40: the processor's time stamp counter at its
			   start; 0: not recorded */
};

enum alleria_branch_kind {
	ALLERIA_JUMP = 0, /* a taken jump, direct or indirect */
	ALLERIA_CALL = 1,
	ALLERIA_RETURN = 2,
	ALLERIA_SYSCALL = 3, /* from a system call to the next instruction of
				the thread */
	ALLERIA_HANDLER = 4, /* into the handler of a signal */
	ALLERIA_START = 5,   /* to the first instruction of an image or a
				thread */
};

/*
 * A transfer of control: a taken jump to an instruction that does not follow in
 * memory, a call, a return, a system call, the start of a signal handler or of
 * a thread. Branches not taken have no record. Records are ordered by the
 * instruction arrived at. 56 bytes.
 */
struct alleria_branch {
	uint64_t number; /* offset 0: number of the instruction arrived at */
	uint64_t to;	 /* offset 8: address of the instruction arrived at */
	uint64_t from; /* offset 16: address of the instruction that the thread
			  executed before; 0 if from_number is ALLERIA_NOT */
	uint64_t from_number; /* offset 24: number of the instruction at `from`;
				 ALLERIA_NOT: none, or lost by damage */
	uint64_t access;      /* offset 32: number of the next access after the
				 branch */
	uint32_t thread;      /* offset 40: number of the thread that
				 branched */
	uint32_t process;     /* offset 44: number of the process that
				 branched */
	uint8_t kind;	      /* offset 48: enum alleria_branch_kind */
	uint8_t flags;	      /* offset 49: always 0 */
	uint16_t image; /* offset 50: number of the image that branched, from 0
			   in its process */
	uint32_t room;	/* offset 52: reserved */
};

enum alleria_event_kind {
	ALLERIA_IMAGE_BEGIN = 1,
	ALLERIA_IMAGE_END = 2,	   /* value: `value` of struct alleria_image;
				      detail: its `ending` */
	ALLERIA_THREAD_START = 3,  /* value: number of the new thread */
	ALLERIA_THREAD_END = 4,	   /* value: number of the thread that ended */
	ALLERIA_THREAD_SWITCH = 5, /* thread: the thread that runs now */
	ALLERIA_SIGNAL = 6,	   /* value: number of the signal that was
				      delivered */
	ALLERIA_CHILD_EXIT = 7,	   /* value: pid of the child; detail: wait
				      status */
	ALLERIA_FAULT = 8,	   /* a fault stopped the previous instruction;
				      value: address of that instruction */
	ALLERIA_GAP = 9,	   /* records are missing before this event;
				      value: number of missing instructions; 0:
				      unknown */
	ALLERIA_WINDOW_BEGIN = 10, /* a window opened; value: its number, from
				      0 */
	ALLERIA_WINDOW_END = 11,   /* a window closed; value: its number, from
				      0 */
	ALLERIA_MARK = 12,	   /* a named mark; value: its number, see
				      alleria_marks(); detail: enum
				      alleria_mark_kind */
	ALLERIA_CORE = 13,    /* value: processor that the image runs on now;
			      sampled by Valgrind's scheduler */
	ALLERIA_WRITTEN = 14, /* value: address of memory that the kernel or
				 Valgrind wrote, or that was mapped; detail:
				 [bytes] */
	ALLERIA_BORN = 15,    /* a heap block was allocated; value: address;
			      detail: [bytes]. With ALLERIA_DIED of the old
			      address before it: a block was resized */
	ALLERIA_DIED = 16,    /* a heap block was freed; value: address */
};

/* An event between two instructions. 56 bytes. */
struct alleria_event {
	uint64_t instruction; /* offset 0: number of the next instruction after
				 the event */
	uint64_t access;      /* offset 8: number of the next access after the
				 event */
	uint64_t time_ns; /* offset 16: [ns] since the run began, estimated as
			     by alleria_time_of() */
	uint64_t value;	  /* offset 24: see enum alleria_event_kind */
	uint64_t detail;  /* offset 32: see enum alleria_event_kind; else 0 */
	uint32_t thread;  /* offset 40: number of the thread that ran at the
			     event; 0: none, as at the begin and the end of an
			     image */
	uint32_t process; /* offset 44: number of the process that the event is
			     in */
	uint16_t kind;	  /* offset 48: enum alleria_event_kind */
	uint16_t image;	  /* offset 50: number of the image that the event is
			     in, from 0 in its process */
	uint32_t room;	  /* offset 52: reserved */
};

/* ---- blocks of code ---- */

/* An instruction of a block. 24 bytes. */
struct alleria_code {
	uint64_t address;     /* offset 0: address of the instruction */
	const uint8_t *bytes; /* offset 8: [size] machine code */
	uint8_t size;	      /* offset 16: length of the instruction [bytes] */
	uint8_t room[7];      /* offset 17: reserved */
};

/* An access that an instruction of a block makes. 8 bytes. */
struct alleria_code_access {
	uint16_t code; /* offset 0: index in the block of the instruction that
			  makes the access */
	uint16_t size; /* offset 2: size of the access [bytes] */
	uint8_t kind;  /* offset 4: enum alleria_kind */
	uint8_t flags; /* offset 5: enum alleria_access_flags */
	uint16_t room; /* offset 6: reserved */
};

/* An exit of a block. 16 bytes. */
struct alleria_code_exit {
	uint64_t target; /* offset 0: address that the exit leads to; 0:
			    determined at run time */
	uint16_t n_code; /* offset 8: number of instructions started before the
			    block is left here */
	uint16_t n_accesses; /* offset 10: number of accesses before the exit,
				guarded ones included */
	uint8_t kind;	     /* offset 12: enum alleria_branch_kind */
	uint8_t signal;	     /* offset 13: signal that the exit raises, or 0 */
	uint16_t room;	     /* offset 14: reserved */
};

/*
 * A block: instructions that Valgrind translated together, with one entry and
 * one or more exits. The executed part of a block that a fault stopped is a
 * block of its own. A block is valid until alleria_close(), and has the same
 * address in all records. 56 bytes.
 */
struct alleria_block {
	const struct alleria_code *code; /* offset 0: [n_code] instructions */
	const struct alleria_code_access *access; /* offset 8: [n_accesses]
						     accesses, in program
						     order */
	const struct alleria_code_exit *exit; /* offset 16: [n_exits] exits, in
						 program order */
	uint32_t number;  /* offset 24: number of the block in its image, from
			     0 */
	uint32_t object;  /* offset 28: number of its object in the image, see
			     alleria_objects(); ALLERIA_NONE: in no known
			     object */
	uint32_t process; /* offset 32: number of the process that executed the
			     block */
	uint32_t image;	  /* offset 36: number of the block's image in the
			    process, from 0 */
	uint16_t n_code;  /* offset 40: number of instructions, > 0 */
	uint16_t n_accesses; /* offset 42: number of accesses that its
				instructions make */
	uint16_t n_exits;    /* offset 44: number of exits, > 0 */
	uint16_t flags;	     /* offset 46: enum alleria_instruction_flags of the
			   block's last instruction */
	uint64_t room;	     /* offset 48: reserved */
};

#ifdef __cplusplus
}
#endif

#endif
