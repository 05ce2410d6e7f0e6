/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log.h - descriptors: what a block is, where an object was mapped
 *
 * The log is a byte ring beside the chunks. Records are padded to 8 bytes and
 * never dropped; a record's description is complete before the first unit
 * that refers to it is published. Block ids count up from 0 within a process
 * image and always mean the same description; routes do so alike, n_exits for
 * each block. A block that is made again, as it was, is not described again.
 *
 * A block record is followed by its arrays, in this order:
 *
 *   struct pt_log_block | pt_instr[n_instrs] | pt_access[n_accesses] |
 *   pt_exit[n_exits] | code bytes of the instructions, padded to 8
 */
#ifndef PROTO_LOG_H
#define PROTO_LOG_H

#include <stdint.h>

enum pt_log_kind {
	PT_LOG_BLOCK = 1,
	PT_LOG_MAP = 2,	   /* an object's file was mapped */
	PT_LOG_UNMAP = 3,  /* an address range went away, and what lies in it */
	PT_LOG_PAD = 4,	   /* nothing: fills the end of the ring */
	PT_LOG_FILE = 5,   /* the next block's file, where no PT_LOG_MAP has it:
			     struct pt_log_head, the path, NUL-terminated */
	PT_LOG_WANTED = 6, /* who wants the next block: struct pt_log_wanted */
	PT_LOG_VALUES = 7, /* the next block's slots that are no addresses:
			      struct pt_log_values */
	PT_LOG_NAMED = 8,  /* what PT_MARK units tell: struct pt_log_named */
	PT_LOG_CALL = 9,   /* these three: call.h */
	PT_LOG_RETURN = 10,
	PT_LOG_BODY = 11,
	PT_LOG_OUTCOME = 12, /* what became of the plan: struct
				pt_log_outcome */
};

enum {
	PT_MAX_RECORD = 1 << 17, /* [bytes] longest log record */
	PT_MAX_MAPPED = 1 << 16, /* objects at once; Valgrind 3.19 has room for
				    less than half as many */
	PT_MAX_LEN =
		19, /* [bytes] of an instruction: Valgrind's client request;
			    the processor's own have 15 at most */
	PT_MAX_VALUE = 64, /* [bytes] that are told of an access: its first */
};

struct pt_log_head {
	uint32_t kind;	/* enum pt_log_kind */
	uint32_t bytes; /* whole record, a multiple of 8 */
};

struct pt_log_block {
	struct pt_log_head head;
	uint32_t id;
	uint32_t route; /* of exit 0; exit e has route + e */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_code;  /* [bytes] of code at the end */
	uint16_t n_slots; /* slots of the whole block */
	uint16_t pad[3];
};

struct pt_instr {
	uint64_t addr;
	uint8_t len; /* [bytes] 1..PT_MAX_LEN */
	uint8_t pad[5];
	uint16_t before; /* instructions of the block, whoever wants them;
			    where a slot tells how far the process is */
};

enum pt_access_kind {
	PT_LOAD = 0,
	PT_STORE = 1,
	PT_MODIFY = 2, /* load and store of the same bytes by one instruction,
			  as Lackey and Cachegrind merge them */
};

enum pt_access_flags {
	PT_GUARDED = 1u << 0, /* may not happen: slot value PT_NOT_DONE */
	PT_HELPER = 1u << 1,  /* made by a helper of Valgrind's (fxsave ...):
				 Cachegrind cuts these to its smallest line */
	PT_ATOMIC = 1u << 2,  /* a modify whose load and store happen, or fault,
				 together */
};

enum { PT_NO_SLOT = 0xffff }; /* the address is delta alone */

/* In program order. Address: value of the slot + delta, modulo 2^64. */
struct pt_access {
	uint64_t delta;
	uint16_t instr; /* index of its instruction */
	uint16_t slot;	/* or PT_NO_SLOT */
	uint16_t size;	/* [bytes] >= 1 */
	uint8_t kind;	/* enum pt_access_kind */
	uint8_t flags;	/* enum pt_access_flags */
};

enum pt_jump {
	PT_JUMP_OTHER = 0,
	PT_JUMP_BORING = 1,
	PT_JUMP_CALL = 2,
	PT_JUMP_RET = 3,
	PT_JUMP_SYSCALL = 4,
	PT_JUMP_SIGNAL = 5, /* the guest raised a signal: see signal */
};

/* What has happened when a block is left by this exit; in program order, the
   block's end last. All counts grow from exit to exit. */
struct pt_exit {
	uint64_t target; /* guest address, 0 when not known beforehand */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t bytes; /* of the block unit */
	uint8_t jump;	/* enum pt_jump */
	uint8_t signal; /* number, or 0 */
};

/* Followed by the path, NUL-terminated. */
struct pt_log_map {
	struct pt_log_head head;
	uint64_t start;	 /* address */
	uint64_t size;	 /* [bytes] */
	uint64_t offset; /* [bytes] of start in the file */
	uint64_t bias;	 /* address = value in the file's symbols + bias */
};

/*
 * Only where there are windows (window.h): the lanes, a bit each, that want
 * the instructions of the next block; one set for all of them, or n_instrs
 * sets. An execution counts for those of them that its thread belongs to, and
 * not at all where these are none. Without this record everybody wants it.
 */
struct pt_log_wanted {
	struct pt_log_head head;
	uint64_t lanes[];
};

/*
 * Which slots hold what an access reads and writes: its bytes as they lie in
 * memory, 8 in a slot, pt_value_slots() one behind the other; what is behind
 * the last byte of the access means nothing. A modify has both. Where the slot
 * of a condition is 0, that half of the access did not happen: nothing was
 * written by a compare-and-swap that failed, or by a helper that was not
 * called. PT_NO_SLOT: the value is not told; there is no condition.
 *
 * These slots have the place of the access among the slots: those of accesses
 * before it are less, those of accesses behind it are more; what is read comes
 * before what is written.
 *
 * What some warm lane (window.h) may want tells how far the process is: how
 * many instructions it had executed when the block began. That goes on while
 * some window may need it; so it tells how far two points of a wait for an
 * opening are from each other, and nothing else.
 */
struct pt_value {
	uint16_t read;
	uint16_t written;
	uint16_t read_if;
	uint16_t written_if;
};

/* Followed by the values, of all accesses of the next block or of none. */
struct pt_log_values {
	struct pt_log_head head;
	uint16_t stamp;	   /* slot of the time stamp: PT_NO_SLOT, or 0 */
	uint16_t n_values; /* n_accesses, or 0 */
	uint16_t far;	   /* slot of how far the process is, plus 1; 0: none.
			      The first, but for a stamp */
	uint16_t pad;
	struct pt_value value[];
};

static inline unsigned pt_value_slots(unsigned size)
{
	return ((size < PT_MAX_VALUE ? size : PT_MAX_VALUE) + 7) / 8;
}

enum pt_named {
	PT_NAMED_MARK = 1,
	PT_NAMED_EVENT = 2, /* a request of the program's */
	PT_NAMED_BEGIN = 3, /* of a window, asked for; in either way */
	PT_NAMED_END = 4,
	PT_NAMED_START = 5, /* collection of what has that name */
	PT_NAMED_STOP = 6,
	PT_NAMED_REGION = 7, /* memory has a name from here on */
};

enum {
	PT_MAX_NAME = 255,	/* [bytes] of a name, without the NUL */
	PT_MAX_NAMES = 1 << 20, /* of an image: those behind are not told */
};

/* Followed by the name, NUL-terminated. Ids count up from 1 within a process
   image. */
struct pt_log_named {
	struct pt_log_head head;
	uint32_t id;
	uint32_t kind;	/* enum pt_named */
	uint64_t start; /* address, of a region */
	uint64_t size;	/* [bytes] */
};

enum pt_outcome {
	PT_OUTCOME_ALL = 1,	 /* what was told before is over: what follows
				 tells all */
	PT_OUTCOME_EVENT = 2,	 /* each event of the plan */
	PT_OUTCOME_IMAGE = 3,	 /* that the process's lanes name, and none was
				 mapped */
	PT_OUTCOME_FUNCTION = 4, /* that they name, and was not found */
};

enum pt_outcome_flags {
	PT_OUTCOME_HAPPENED = 1u << 0, /* of an event, since it was awaited */
	PT_OUTCOME_MAPPED = 1u << 1,   /* its image was, at some time */
	PT_OUTCOME_FOUND = 1u << 2,    /* its function was */
};

enum { PT_MAX_MISSED = 256 }; /* images and functions that are told */

/*
 * Only where there are windows: how far the events came that they wait for,
 * and what they name that was not there. Told at the end of an image, before
 * exec() (which may fail, and then again), and not by a process that is killed.
 *
 * Followed by the name of a function that is like the one that was not found,
 * NUL-terminated, or the empty string.
 */
struct pt_log_outcome {
	struct pt_log_head head;
	uint32_t what;	 /* enum pt_outcome */
	uint32_t number; /* of the plan's event, image or function */
	uint32_t flags;	 /* enum pt_outcome_flags */
	uint32_t pad;
	/*
	 * CALL, RETURN: calls. Where the function was not found, and of
	 * functions: names that its images have. THREADS: alive at once, at
	 * most. TIME [ns], ACCESSES, READS, WRITES, INSTRUCTIONS: how far the
	 * count is; where each thread counts, the highest. REQUEST, SIGNAL: how
	 * often it came, to whichever thread.
	 */
	uint64_t count;
};

struct pt_log_unmap {
	struct pt_log_head head;
	uint64_t start;
	uint64_t size;
};

#endif
