/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - defines the bytes of a profile
 *
 * A profile is a sequence of blocks:
 *
 *   struct pf_head | payload, one zstd frame | padding to 8
 *   ...
 *   the last index, a block like the others | struct pf_tail
 *
 * No bytes are between blocks. A block can be decoded without any other block,
 * but not always interpreted: units refer to the log blocks of their stream and
 * of the streams that it was forked from. A stream is one process image. The
 * blocks of a stream are in order; blocks of different streams are interleaved
 * in the order of their writing.
 *
 *   kind       unpacked payload
 *   PF_RUN     records: version, machine and options of the run; first block
 *   PF_IMAGE   records: command and plan of a stream that begins
 *   PF_LOG     complete log records, proto/log.h
 *   PF_UNITS   one chunk, proto/unit.h, coded as in profile/codec/codec.h
 *   PF_END     records: how a stream ended, its losses and figures
 *   PF_NAMES   records: function, file and line of code
 *   PF_DONE    records: the end of the run; last block before the last index
 *   PF_INDEX   struct pf_entry of every block since the previous index
 *
 * A reader skips blocks and records of a kind that it does not know.
 */
#ifndef PROFILE_FORMAT_FORMAT_H
#define PROFILE_FORMAT_FORMAT_H

#include <stdint.h>

enum {
	PF_MAGIC = 0x50726c41,	    /* magic of the head of each block:
				       "AlrP" */
	PF_TAIL_MAGIC = 0x54726c41, /* magic of struct pf_tail: "AlrT" */
	PF_MAJOR = 2,		    /* major version of the format; others
				       cannot be read */
	PF_MINOR = 4,		    /* higher minor versions add kinds and
				       fields: 1 added PF_TITLE and PF_MADE, 2
				       PF_LOST_MESSAGES, 3 PF_FEATURES,
				       PF_VARIABLES and PF_SOURCE, 4
				       PF_CALL, and PT_SITE to
				       PT_REGION */
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

/* Limits that a reader checks before it uses the header of a block. */
enum {
	PF_MAX_HEAD = 512,	 /* greatest length of a block header [bytes];
				    every length is a multiple of 8 */
	PF_MAX_BYTES = 64 << 20, /* greatest length [bytes] of a packed payload,
				    an unpacked payload and a decoded chunk */
	PF_MAX_RATIO = 1 << 15,	 /* greatest ratio of an unpacked to a packed
				    payload's length; zstd reaches no more */
};

#define PF_NO_STREAM UINT32_MAX

/* Sums over the units of one chunk, of all earlier chunks of its stream, or of
   one window in one image. */
struct pf_counts {
	uint64_t instructions;
	uint64_t reads;	 /* data reads, modifies included */
	uint64_t writes; /* data writes, modifies included */
	uint64_t modifies;
};

/* A range of consecutive pages; empty if `pages` is 0. An address lies in page
   min(address >> PF_PAGE_BITS, PF_LAST_PAGE). */
struct pf_extent {
	uint32_t first;
	uint32_t pages;
};

enum { PF_PAGE_BITS = 12, PF_EXTENTS = 16 };

#define PF_LAST_PAGE (UINT32_MAX - 1)

/* Return the number of the page of @address, at most PF_LAST_PAGE. */
static inline uint32_t pf_page_number_at_most_last_page(uint64_t address)
{
	uint64_t page = address >> PF_PAGE_BITS;

	return page < PF_LAST_PAGE ? (uint32_t)page : PF_LAST_PAGE;
}

/* Memory that the units of a chunk (a PF_UNITS block) use: no page outside
   these extents was accessed. Extents ascend, with at least one page between
   two of them; unused ones at the end are zero. */
struct pf_touched {
	struct pf_extent data[PF_EXTENTS]; /* pages of the bytes that accesses
					      read or write */
	struct pf_extent code[PF_EXTENTS]; /* pages of the first bytes of
					      instructions */
};

/* Return a thread's bit in a mask of threads. @thread_number_from_1: number
   from 1; threads 64 and above share the last bit. */
static inline uint64_t
pf_thread_mask_bit_64_and_above_shared(uint32_t thread_number_from_1)
{
	return UINT64_C(1) << (thread_number_from_1 - 1 < 63
				       ? thread_number_from_1 - 1
				       : 63);
}

struct pf_head {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint16_t kind;	      /* enum pf_kind */
	uint16_t head_bytes;  /* [bytes] of this structure, more in higher minor
				versions; the payload follows it */
	uint32_t head_crc;    /* CRC-32 of zlib over the head with 0 here */
	uint64_t sequence;    /* number of the block in the file, from 0; an
				index has the number of the block after it */
	uint32_t stream;      /* number of the stream, from 0 in the order of
				PF_IMAGE; or PF_NO_STREAM */
	uint32_t payload_crc; /* CRC-32 of the packed payload */
	uint64_t packed;      /* [bytes] of the payload in the file */
	uint64_t bytes;	      /* [bytes] of the unpacked payload */
	uint64_t position;    /* PF_UNITS: number of the chunk in its stream,
				 from 0; PF_LOG: [bytes] of the stream's log
				 before this block; PF_INDEX: [bytes] offset of
				 the previous index, or 0; else 0 */
	uint64_t words;	   /* PF_UNITS: [bytes] of the decoded chunk; else 0 */
	uint64_t begin_ns; /* time when the content begins, since the start of
			      the run; 0: PF_LOG, PF_INDEX, and PF_DONE unless
			      pf_recover() made it */
	uint64_t end_ns;   /* time when the content ends, likewise */
	struct pf_counts before; /* PF_UNITS: sums over the earlier chunks of
				    the stream; else 0 */
	struct pf_counts counts; /* PF_UNITS: sums over this block; else 0 */
	uint32_t thread; /* PF_UNITS: number of the thread that runs at the
			     first unit, from 1 */
	uint32_t marks;	 /* PF_UNITS: number of control units (all units but
			    complete block executions) except PT_WINDOW_RECORDS
			    and each PT_CUT that no window records */
	/* PF_UNITS: mask of pf_thread_mask_bit_64_and_above_shared() of the
	   threads that run in the block */
	uint64_t threads;
	struct pf_touched touched; /* PF_UNITS: pages that the chunk's
				      instructions and accesses lie in; else
				      0 */
};

/* An entry of the index: offset and head of a block. In the file an entry is as
   long as that head requires, which may be longer than struct pf_head. */
struct pf_entry {
	uint64_t offset; /* [bytes] offset of the block's head in the file */
	struct pf_head head;
};

/* The last bytes of a finished file. */
struct pf_tail {
	uint32_t magic; /* PF_TAIL_MAGIC */
	uint32_t crc;	/* CRC-32 of the 8 bytes of the member `index` */
	uint64_t index; /* [bytes] offset of the head of the last PF_INDEX */
};

/*
 * A record is a head, then the content that its kind defines, padded to 8
 * bytes. Strings end with NUL; several strings follow each other. Numbers have
 * 64 bits.
 */
struct pf_record {
	uint32_t kind;	/* enum pf_fact */
	uint32_t bytes; /* [bytes] of the record's head and content, without
			   padding */
};

enum pf_fact {
	/* PF_RUN */
	PF_VERSION = 1,	    /* string: version of Alleria */
	PF_STARTED = 2,	    /* number: start of the run, [ns] since 1970, UTC */
	PF_MACHINE = 3,	    /* strings: system, release, machine, processor */
	PF_ENVIRONMENT = 4, /* number: CRC-32 of the environment of the command
			       that recorded the run */
	PF_OPTIONS = 5,	    /* strings: name and arguments of the command that
			       recorded the run */
	PF_PAGE_SIZE = 6,   /* number: [bytes] */
	PF_PROCESSORS = 7,  /* number: processors of the machine */
	PF_MEMORY = 8,	    /* number: [bytes] of the machine's memory */
	PF_FEATURES = 9,    /* string: features of the processor that programs
			       test for, separated by blanks */
	/* PF_IMAGE */
	PF_PROCESS = 16,   /* numbers: pid, tree, number in the tree, number of
			    the parent in the tree or 0 */
	PF_COMMAND = 17,   /* strings: program, arguments */
	PF_DIRECTORY = 18, /* string: directory in which the program started */
	PF_VALGRIND = 19,  /* string: version of Valgrind */
	PF_FIELDS = 20,	   /* number: enum pt_fields of the stream's units */
	PF_FORK = 21,	   /* numbers: stream that this stream was forked from,
			      number of blocks of code that this stream
			      inherits, [bytes] of that stream's log at the
			      fork */
	PF_PLAN = 22, /* struct pt_plan, proto/window.h: the recording plan;
			 without it everything was recorded */
	/* PF_END */
	PF_ENDING = 32, /* numbers: enum pf_ending, the exit code or signal */
	PF_LOST = 33,	/* number: accesses that could not be described, and
			   control units and marks for which memory was short;
			   string: reason */
	PF_CUT_SHORT = 34, /* string: why the process's recording is
			      truncated */
	PF_BUFFERS = 36, /* numbers: chunks that the process has filled, [bytes]
			    of all of them */
	PF_WAITED = 35,	 /* numbers: [ns] that the program waited for the
			   daemon, number of waits */
	PF_MET = 37,	 /* numbers: threads that were started, including the
			      first; signals that were delivered */
	PF_WINDOWS = 38, /* a struct pf_window for each window of the plan */
	PF_TITLE = 39,	 /* string: title that the program gave its process */
	PF_MADE = 40,	 /* numbers: address, [bytes]; string: name of code that
			    lies in no file; if two ranges overlap, the later
			    one is valid */
	PF_LOST_MESSAGES = 41, /* number: messages that the tool could not
				  send */
	PF_VARIABLES = 42, /* numbers: environment variables that the program
				  began with, [bytes] of their strings with
				  NULs, FNV-1a of these bytes */
	/* PF_NAMES */
	PF_OBJECT = 48, /* number of the object, from 0; string: path;
			   string: build id in hex, or empty */
	PF_TEXT = 49,	/* number, from 0, that stands for a string in later
			   records; the string */
	PF_CODE = 50,	/* one or more struct pf_code_name */
	PF_SOURCE = 51, /* numbers: number of the text with the path of a source
			   file, FNV-1a of the file, lines of it */
	PF_CALL = 52,	/* one or more struct pf_code_name, with file and line
			   of the call that the instruction was inlined into;
			   for some instructions that have a PF_CODE */
	/* PF_DONE */
	PF_STATUS = 64, /* string: complete, lossy, truncated; string: reason,
			   or empty */
	PF_WALL = 65,	/* number: duration of the run [ns] */
	PF_SEEN = 66,	/* numbers: tree of a process, its number in the tree,
			   wait status that its parent received */
};

/* Openings of one window (a part of the run that is recorded) in one image, and
   sums over the units that were recorded for it. */
struct pf_window {
	uint64_t openings;
	struct pf_counts counts;
};

enum pf_ending {
	PF_EXITED = 1,	  /* value: exit code */
	PF_SIGNALLED = 2, /* value: signal */
	PF_EXECED = 3,	  /* the process called exec; its next image follows,
			     unless it was not recorded */
};

/* Function, source file and line of the instruction at `value`. For a return
   address in the call stack of a PT_SITE unit, `value` is the address of the
   byte before it, the last byte of the call. The numbers refer to earlier
   PF_TEXT and PF_OBJECT records, in this block or an earlier one. */
struct pf_code_name {
	uint64_t value;	   /* address of the instruction in the object's own
			      address space */
	uint32_t object;   /* number of the PF_OBJECT that has the
			      instruction */
	uint32_t function; /* number of the PF_TEXT with the name of the
			      function */
	uint32_t file;	   /* number of the PF_TEXT with the path of the source
			      file, from the debug info */
	uint32_t line;	   /* 0: not known */
};

#endif
