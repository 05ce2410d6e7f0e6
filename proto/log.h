/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log.h - descriptors: contents of blocks, positions of mapped objects
 *
 * The log is a byte ring that precedes the chunks. Records are padded to 8
 * bytes and never dropped; a descriptor is complete before the first unit that
 * refers to it is published. Block ids count up from 0 within an exec image and
 * never change their meaning. The same holds for route numbers, of which a
 * block has n_exits. A block that is translated again without change is not
 * described again.
 *
 * These arrays follow a block record, in this order:
 *
 *   struct pt_log_block | pt_instr[n_instrs] | pt_access[n_accesses] |
 *   pt_exit[n_exits] | code bytes of the instructions, padded to 8
 */
#ifndef PROTO_LOG_H
#define PROTO_LOG_H

#include <stdint.h>

enum pt_log_kind {
	PT_LOG_BLOCK = 1,
	PT_LOG_MAP = 2,	  /* a file was mapped: struct pt_log_map */
	PT_LOG_UNMAP = 3, /* an address range was unmapped; all mappings that
			     overlap it end: struct pt_log_unmap */
	PT_LOG_PAD = 4,	  /* padding up to the end of the log's memory */
	/* path of the next block's file if no PT_LOG_MAP covers it: struct
	   pt_log_head, then the path, NUL-terminated */
	PT_LOG_FILE = 5,
	PT_LOG_LANES = 6,    /* lanes (filters of windows) that record the next
			       block: struct pt_log_lanes */
	PT_LOG_VALUES = 7,   /* states which slots of the next block hold the
			       values of its accesses, the time stamp and the
			       process's instruction count: struct
			       pt_log_values */
	PT_LOG_NAMED = 8,    /* kind and name of PT_MARK units: struct
			       pt_log_named */
	PT_LOG_CALL = 9,     /* begin of an intercepted call: call.h */
	PT_LOG_RETURN = 10,  /* end of an intercepted call: call.h */
	PT_LOG_BODY = 11,    /* code of an intercepted function: call.h */
	PT_LOG_OUTCOME = 12, /* whether an event of the plan happened, or an
				image or function that was not found: struct
				pt_log_outcome */
};

enum {
	PT_MAX_RECORD = 1 << 17, /* [bytes] longest log record */
	PT_MAX_MAPPED = 1 << 16, /* mappings at a time; Valgrind 3.19 supports
				    less than half as many */
	/* [bytes] of an instruction: Valgrind's client request has 19,
	   instructions of the processor have at most 15 */
	PT_MAX_LEN = 19,
	PT_MAX_VALUE = 64, /* [bytes] greatest number of bytes recorded of an
			      access's value: its first ones */
};

struct pt_log_head {
	uint32_t kind;	/* enum pt_log_kind */
	uint32_t bytes; /* [bytes] of the whole record, a multiple of 8 */
};

struct pt_log_block {
	struct pt_log_head head;
	uint32_t id;
	uint32_t route; /* route of exit 0 (route: number of a block and one of
			   its exits); exit e has route + e */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_code;  /* [bytes] of code at the end of the record */
	uint16_t n_slots; /* number of slots of an execution of the whole
			     block */
	uint16_t pad[3];
};

struct pt_instr {
	uint64_t addr;
	uint8_t len; /* length of the instruction [bytes], 1..PT_MAX_LEN */
	uint8_t pad[5];
	/* Number of the block's instructions that come before this instruction,
	   whether they are recorded or not; valid only if the block has a slot
	   for the process's instruction count (pt_log_values.far is not 0). */
	uint16_t before;
};

enum pt_access_kind {
	PT_LOAD = 0,
	PT_STORE = 1,
	PT_MODIFY = 2, /* one instruction loads and stores the same bytes, as
			  Lackey and Cachegrind define it */
};

enum pt_access_flags {
	PT_GUARDED = 1u << 0, /* conditional; the slot value is PT_NOT_DONE if
				 it did not happen */
	PT_HELPER = 1u << 1,  /* made by a helper of Valgrind (fxsave ...);
				 Cachegrind truncates it to its smallest line */
	PT_ATOMIC = 1u << 2,  /* a modify whose load and store happen or fault
				 together */
};

enum {
	PT_NO_SLOT = 0xffff
}; /* pt_access.slot of an access whose address is delta alone */

/* Ordered as the program makes them. Address: slot value + delta, modulo
   2^64. */
struct pt_access {
	uint64_t delta;
	uint16_t instr; /* index of the instruction that makes the access */
	uint16_t slot;	/* index of the slot that its address depends on, or
			   PT_NO_SLOT */
	uint16_t size;	/* size of the access [bytes], at least 1 */
	uint8_t kind;	/* enum pt_access_kind */
	uint8_t flags;	/* enum pt_access_flags */
};

enum pt_jump {
	PT_JUMP_OTHER = 0,
	PT_JUMP_BORING = 1,
	PT_JUMP_CALL = 2,
	PT_JUMP_RET = 3,
	PT_JUMP_SYSCALL = 4,
	PT_JUMP_SIGNAL = 5, /* the guest raised a signal, see pt_exit.signal */
};

/* Describes the part of a block that was executed when the block is left by
   this exit. Exits are in program order, the block's end last; counts do not
   decrease from exit to exit. */
struct pt_exit {
	uint64_t target;     /* address that the exit leads to; 0: unknown
				before execution */
	uint16_t n_instrs;   /* number of the block's instructions executed */
	uint16_t n_accesses; /* number of the block's accesses made */
	uint16_t bytes;	     /* [bytes] length of the unit of an execution
				that leaves by this exit */
	uint8_t jump;	     /* enum pt_jump: how this exit leaves the block */
	uint8_t signal;	     /* signal number for PT_JUMP_SIGNAL, or 0 */
};

/* Record PT_LOG_MAP of a file that was mapped. The path follows,
   NUL-terminated. */
struct pt_log_map {
	struct pt_log_head head;
	uint64_t start;	 /* address of the first byte of the file's code */
	uint64_t size;	 /* [bytes] of the file's code */
	uint64_t offset; /* 0; not used */
	uint64_t bias;	 /* address = value in the file's symbols + bias */
};

/*
 * Written only for processes with windows (window.h): for each instruction of
 * the next block the lanes that record it, bit i for lane i. There is one mask
 * for all instructions, or n_instrs masks. An execution counts for those lanes
 * that its thread belongs to, and is ignored if there is none. Without this
 * record all lanes record the block.
 */
struct pt_log_lanes {
	struct pt_log_head head;
	uint64_t lanes[];
};

/*
 * Numbers of the slots that hold the values an access reads and writes. A value
 * is stored as in memory, 8 bytes to a slot, in
 * pt_capped_count_of_8_byte_slots() successive slots; bytes past the end of the
 * access are undefined. A modify has both values. If the slot read_if or
 * written_if is 0, that half of the access did not happen, such as the write of
 * a failed compare-and-swap or of a helper that was not called. PT_NO_SLOT
 * means that the value is not recorded, or that there is no condition.
 *
 * Value slots are ordered like the accesses: their numbers are greater than
 * those of preceding accesses and less than those of later ones. The value read
 * precedes the value written.
 */
struct pt_value {
	uint16_t read;
	uint16_t written;
	uint16_t read_if;
	uint16_t written_if;
};

/*
 * Names, for each access of the next block, the slots that hold its values;
 * n_values is 0 if values are not recorded.
 *
 * A block that a warm lane (window.h) may record has a slot with the number of
 * instructions that the process had executed when the block began. The count
 * advances only while a window may need it, so only differences within one wait
 * for an opening are valid.
 */
struct pt_log_values {
	struct pt_log_head head;
	uint16_t stamp;	   /* slot of the time stamp: 0, or PT_NO_SLOT */
	uint16_t n_values; /* elements of value[]: n_accesses, or 0 */
	uint16_t far;	   /* slot of the process's instruction count, plus 1;
			      0: none. Only the time stamp precedes it */
	uint16_t pad;
	struct pt_value value[];
};

/* Return the number of slots of 8 bytes that record a value of @value_bytes, of
   which at most the first PT_MAX_VALUE bytes are recorded. */
static inline unsigned pt_capped_count_of_8_byte_slots(unsigned value_bytes)
{
	return ((value_bytes < PT_MAX_VALUE ? value_bytes : PT_MAX_VALUE) + 7) /
	       8;
}

enum pt_named {
	PT_NAMED_MARK = 1,
	PT_NAMED_EVENT = 2, /* client request ALLERIA_EVENT, for which events of
			       the plan may wait */
	PT_NAMED_BEGIN =
		3, /* the program or a monitor command of gdb requested that
			       windows of that name open, if there are any */
	PT_NAMED_END = 4,
	PT_NAMED_START = 5, /* the program starts the recording of the category
			       with that name: "calls", "accesses",
			       "allocations" or "locks" */
	PT_NAMED_STOP = 6,
	PT_NAMED_REGION = 7, /* memory has this name from here on; if `size` is
				0, the region that contains `start` ends */
};

enum {
	PT_MAX_NAME = 255,	/* [bytes] of a name, without the NUL */
	PT_MAX_NAMES = 1 << 20, /* greatest number of names of an exec image;
				   later names are dropped */
};

/* The name follows, NUL-terminated. Ids count up from 1 within an exec
   image. */
struct pt_log_named {
	struct pt_log_head head;
	uint32_t id;
	uint32_t kind;	/* enum pt_named */
	uint64_t start; /* address of a region; only PT_NAMED_REGION */
	uint64_t size;	/* size of a region [bytes]; only PT_NAMED_REGION */
};

enum pt_outcome {
	PT_OUTCOME_ALL = 1,   /* outcomes sent before are void; all outcomes
				    follow anew */
	PT_OUTCOME_EVENT = 2, /* result of an event of the plan; each event
				    has one */
	PT_OUTCOME_IMAGE =
		3, /* an image that a window of the process names and that
				    was not mapped */
	PT_OUTCOME_FUNCTION =
		4, /* a function that a window of the process names and that
				    was not found */
};

enum pt_outcome_flags {
	PT_OUTCOME_HAPPENED = 1u << 0, /* the event happened while the tool
					  awaited it, or before this process
					  began */
	PT_OUTCOME_MAPPED = 1u << 1,   /* the image of the event or function was
					  mapped at some time; UNLOAD: is still
					  mapped */
	PT_OUTCOME_FOUND = 1u << 2,    /* the event's function was found */
};

enum {
	PT_MAX_MISSED = 256
}; /* greatest number of outcomes for images and functions */

/*
 * Written only for processes with windows: whether each awaited event has
 * happened and how far its count has come, and each named image (object file)
 * or function that was missing. The tool writes outcomes when the process ends,
 * and before exec(), which may fail, so they may be written again. A killed
 * process writes none.
 *
 * The name of a function similar to the one that was not found follows,
 * NUL-terminated; else the empty string.
 */
struct pt_log_outcome {
	struct pt_log_head head;
	uint32_t what;	 /* kind of outcome, enum pt_outcome */
	uint32_t number; /* index of the plan's event, image or function */
	uint32_t flags;	 /* enum pt_outcome_flags */
	uint32_t pad;
	/*
	 * CALL, RETURN: calls. If the function was not found, and for
	 * PT_OUTCOME_FUNCTION: number of all function names in the images that
	 * match. THREADS: most threads alive at a time. TIME [ns], ACCESSES,
	 * READS, WRITES, INSTRUCTIONS: progress of the count; the highest one
	 * if each thread counts separately. REQUEST, SIGNAL: occurrences in all
	 * threads.
	 */
	uint64_t count;
};

struct pt_log_unmap {
	struct pt_log_head head;
	uint64_t start;
	uint64_t size;
};

#endif
