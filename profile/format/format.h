/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - the bytes of a profile
 *
 * A profile is a sequence of blocks:
 *
 *   struct pf_head | payload, one zstd frame | padding to 8
 *   ...
 *   the last index, a block like the others | struct pf_tail
 *
 * Nothing is between them. A block can be read without any other, but for what
 * it is about: units refer to the log blocks of their stream and of those that
 * it was forked from. A stream is one process image. Blocks of a stream are in
 * order; those of different streams are interleaved as they came.
 *
 *   kind       payload, unpacked
 *   PF_RUN     records: what was run, where and how; the first block
 *   PF_IMAGE   records: a stream begins
 *   PF_LOG     log records, proto/log.h, whole ones
 *   PF_UNITS   one chunk, proto/unit.h, coded as in profile/codec/codec.h
 *   PF_END     records: a stream has ended, how
 *   PF_NAMES   records: function, file and line of code
 *   PF_DONE    records: the run has ended; of what is told once, the last
 *   PF_INDEX   struct pf_entry of every block since the index before it
 *
 * Kinds of blocks, and of records, that a reader does not know, are skipped.
 */
#ifndef PROFILE_FORMAT_FORMAT_H
#define PROFILE_FORMAT_FORMAT_H

#include <stdint.h>

enum {
	PF_MAGIC = 0x50726c41,	    /* "AlrP" */
	PF_TAIL_MAGIC = 0x54726c41, /* "AlrT" */
	PF_MAJOR = 2,		    /* another one cannot be read */
	PF_MINOR = 2,		    /* a higher one adds kinds and fields: 1 has
				       PF_TITLE, PF_MADE; 2 PF_LOST_MESSAGES */
};

enum pf_kind {
	PF_RUN = 1,
	PF_IMAGE = 2,
	PF_LOG = 3,
	PF_UNITS = 4,
	PF_END = 5,
	PF_NAMES = 6,
	PF_DONE = 7,
	PF_INDEX = 8,
	PF_KINDS
};

/* Limits that a reader checks before it believes a head. */
enum {
	PF_MAX_HEAD = 512,	 /* [bytes] of a head, a multiple of 8 */
	PF_MAX_BYTES = 64 << 20, /* of a payload, packed or not; of words */
	PF_MAX_RATIO = 1 << 15,	 /* zstd reaches no more */
};

#define PF_NO_STREAM UINT32_MAX

/* What the units of a block, or of all before it, amount to. */
struct pf_counts {
	uint64_t instructions;
	uint64_t reads;	 /* data accesses; a modify is one of each */
	uint64_t writes; /* the same */
	uint64_t modifies;
};

/* Pages in a row; of 0 pages: none. An address lies in page min(address >>
   PF_PAGE_BITS, PF_LAST_PAGE). */
struct pf_extent {
	uint32_t first;
	uint32_t pages;
};

enum { PF_PAGE_BITS = 12, PF_EXTENTS = 16 };

#define PF_LAST_PAGE (UINT32_MAX - 1)

static inline uint32_t pf_page_of(uint64_t address)
{
	uint64_t page = address >> PF_PAGE_BITS;

	return page < PF_LAST_PAGE ? (uint32_t)page : PF_LAST_PAGE;
}

/* Where the units of a block lie in memory: no page outside of these was
   touched. In ascending order, with a page between any two; those that are not
   needed are zeros. */
struct pf_touched {
	struct pf_extent data[PF_EXTENTS]; /* bytes of accesses */
	struct pf_extent code[PF_EXTENTS]; /* first bytes of instructions */
};

/* A thread's bit in a mask of threads: the last is that of 64 and above. */
static inline uint64_t pf_thread_bit(uint32_t thread)
{
	return UINT64_C(1) << (thread - 1 < 63 ? thread - 1 : 63);
}

struct pf_head {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint16_t kind;	     /* enum pf_kind */
	uint16_t head_bytes; /* of this structure, longer where minor is higher;
				the payload is behind it */
	uint32_t head_crc;   /* CRC-32 as zlib's, of the head with 0 here */
	uint64_t sequence;   /* of the block in the file, from 0; an index has
				that of the block behind it */
	uint32_t stream;     /* number, from 0 in order of PF_IMAGE; or
				PF_NO_STREAM */
	uint32_t payload_crc; /* of the packed payload */
	uint64_t packed;      /* [bytes] of payload in the file */
	uint64_t bytes;	      /* of it, unpacked */
	uint64_t position;    /* PF_UNITS: number of the chunk in its stream,
				 from 0; PF_LOG: [bytes] of the stream's log
				 before it; PF_INDEX: [bytes] offset of the
				 index before it, or 0; else 0 */
	uint64_t words;	   /* PF_UNITS: [bytes] of the chunk, decoded; else 0 */
	uint64_t begin_ns; /* of what it tells, since the run began */
	uint64_t end_ns;
	struct pf_counts before; /* PF_UNITS: of its stream; else 0 */
	struct pf_counts counts; /* PF_UNITS: of this block; else 0 */
	uint32_t thread;  /* PF_UNITS: that runs at the first unit, from 1 */
	uint32_t marks;	  /* PF_UNITS: control units in it */
	uint64_t threads; /* PF_UNITS: those that run in it: pf_thread_bit() of
			     each */
	struct pf_touched touched; /* PF_UNITS: by it; else 0 */
};

/* One block in the index: its head, and where it lies. As long as that head,
   which may be longer than ours. */
struct pf_entry {
	uint64_t offset; /* [bytes] of the head in the file */
	struct pf_head head;
};

/* The last bytes of a file that was finished. */
struct pf_tail {
	uint32_t magic; /* PF_TAIL_MAGIC */
	uint32_t crc;	/* of what follows */
	uint64_t index; /* [bytes] where the head of the last PF_INDEX is */
};

/*
 * Records: a head, then what the kind says, padded to 8 bytes. Strings end
 * with NUL; several follow each other. Numbers are 64 bits.
 */
struct pf_record {
	uint32_t kind;	/* enum pf_fact */
	uint32_t bytes; /* of the record, this head included, without padding */
};

enum pf_fact {
	/* PF_RUN */
	PF_VERSION = 1,	    /* string: of Alleria */
	PF_STARTED = 2,	    /* number: [ns] since 1970, UTC */
	PF_MACHINE = 3,	    /* strings: system, release, machine, processor */
	PF_ENVIRONMENT = 4, /* number: CRC-32 of the environment */
	PF_OPTIONS = 5,	    /* strings: of the command that recorded it */
	PF_PAGE_SIZE = 6,   /* number: [bytes] */
	PF_PROCESSORS = 7,  /* number */
	PF_MEMORY = 8,	    /* number: [bytes] of the machine */
	/* PF_IMAGE */
	PF_PROCESS = 16,   /* numbers: pid, tree, number in the tree, number of
			    the parent in it or 0 */
	PF_COMMAND = 17,   /* strings: program, arguments */
	PF_DIRECTORY = 18, /* string: it was started in */
	PF_VALGRIND = 19,  /* string: version */
	PF_FIELDS = 20,	   /* number: enum pt_fields in its units */
	PF_FORK = 21, /* numbers: stream that it was forked from, blocks that
			 it inherits, [bytes] of that stream's log then */
	PF_PLAN = 22, /* struct pt_plan, proto/window.h: what was recorded,
			 and when; without it, everything */
	/* PF_END */
	PF_ENDING = 32, /* numbers: enum pf_ending, value */
	PF_LOST = 33,	/* number: accesses that could not be described; string:
			 why */
	PF_CUT_SHORT = 34, /* string: why the process's record is truncated */
	PF_BUFFERS =
		36,	/* numbers: buffers that its process has filled, [bytes]
			    of them all together */
	PF_WAITED = 35, /* numbers: [ns] that the program waited for the
			   daemon, how often */
	PF_MET = 37,	/* numbers: threads that were started, the first
			      one, too; signals that were delivered */
	PF_WINDOWS = 38, /* struct pf_window for each of the plan */
	PF_TITLE = 39,	 /* string: that the program has given its process */
	PF_MADE = 40,	 /* numbers: address, [bytes]; string: name of code that
			    lies in no file; of two that overlap the later
			    holds */
	PF_LOST_MESSAGES = 41, /* number: messages that its tool had no room
				  for */
	/* PF_NAMES */
	PF_OBJECT = 48, /* number: of the object, from 0; string: path;
			   string: build id in hex, or empty */
	PF_TEXT = 49,	/* number: of the string, from 0; string */
	PF_CODE = 50,	/* see struct pf_code_name; as many as fit */
	/* PF_DONE */
	PF_STATUS = 64, /* string: complete, lossy, truncated; string: reason,
			   or empty */
	PF_WALL = 65,	/* number: [ns] */
	PF_SEEN = 66,	/* numbers: tree, number in it, wait status: how a
			   process ended as its parent saw it */
};

/* What was recorded for a window, in one image. */
struct pf_window {
	uint64_t openings;
	struct pf_counts counts;
};

enum pf_ending {
	PF_EXITED = 1,	  /* value: exit code */
	PF_SIGNALLED = 2, /* value: signal */
	PF_EXECED = 3,	  /* another image follows, or none was recorded */
};

/* Name of the instructions from `value` up to the next name's. Texts and
   objects have been told in this file before, if not in this block. */
struct pf_code_name {
	uint64_t value; /* address as in the object's symbols */
	uint32_t object;
	uint32_t function; /* text */
	uint32_t file;	   /* text: path, as far as debug info tells it */
	uint32_t line;	   /* 0: not known */
};

#endif
