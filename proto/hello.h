/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hello.h - handshake and messages on the control socket
 *
 * The socket is AF_UNIX, SOCK_SEQPACKET: one message, one packet. The tool
 * sends struct pt_hello with its strings; the daemon answers with struct
 * pt_welcome and, when it accepts, the ring's descriptor (SCM_RIGHTS). After
 * that both send struct pt_message. The end of the connection is the end of
 * the process image, however it came about.
 *
 * Versions: another major number is refused, naming both. A higher minor
 * number only adds unit kinds, log records and message types, which readers
 * skip, and features that the daemon uses only with tools of that version or
 * a later one.
 */
#ifndef PROTO_HELLO_H
#define PROTO_HELLO_H

#include <stdint.h>

enum {
	PT_MAGIC = 0x41726c41, /* magic of the hello and the welcome: "AlrA" */
	PT_CONTROL_MAGIC = 0x43726c41, /* magic of a command: "AlrC" */
	PT_MAJOR = 3,
	PT_MINOR = 6,
	PT_MAX_MESSAGE = 64 << 10, /* greatest size of a message [bytes] */
	PT_REASON = 192,	   /* size of pt_welcome.reason with its NUL
				      [bytes] */
};

/* Selects what the tool writes, according to the daemon's analyses. */
enum pt_fields {
	/* a slot for each conditional access, which shows whether it happened;
	   and the addresses that an instruction accesses if it may fault at
	   several points */
	PT_FIELD_ACCESSES = 1u << 0,
	PT_FIELD_ADDRESSES = 1u << 1, /* slots with all addresses */
	/* also loads whose value nobody uses: the loads that Lackey counts;
	   without this bit the fewer loads that Cachegrind counts */
	PT_FIELD_UNUSED_LOADS = 1u << 2,
	/* slots with the values that accesses read and write, and PT_WRITTEN
	   units; requires PT_FIELD_ADDRESSES */
	PT_FIELD_VALUES = 1u << 3,
	PT_FIELD_STAMPS = 1u << 7, /* a slot with the processor's time stamp
				      counter at the start of a block */
	PT_FIELD_CORES = 1u << 8,  /* PT_CORE units: the processor that the
				      program runs on */
	/* units from PT_SITE on: heap blocks, stacks, variables, mappings;
	   since version 3.2 of the protocol */
	PT_FIELD_DATA = 1u << 9,
};

enum pt_hello_flags {
	PT_HELLO_FORKED = 1u << 0, /* the process was forked, and has the blocks
				      of parent_stream */
	PT_HELLO_TOKEN = 1u << 1,  /* struct pt_token of parent_stream follows,
				      before the strings */
	PT_HELLO_FIXED_RING = 1u << 2, /* the ring must not grow */
};

/* A random number that identifies a stream. The daemon sends it to the stream's
   process. A forked child inherits it and returns it in its hello, which proves
   whose child it is. */
struct pt_token {
	uint64_t word[2];
};

/* Followed by n_strings NUL-terminated strings: working directory, program,
   then the arguments (without argv[0]). If they do not fit into PT_MAX_MESSAGE,
   the last one ends with PT_COMMAND_CUT, shared/command_cut.h. */
struct pt_hello {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t bytes; /* sizeof(struct pt_hello) + token, if any, + strings */
	uint32_t flags; /* enum pt_hello_flags */
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t parent_stream; /* stream of the forking process */
	uint32_t n_blocks;	/* number of the parent's blocks that the child
				   inherits */
	uint64_t parent_log;	/* log_head of the parent at the fork */
	uint32_t n_strings;
	char valgrind[20]; /* version of Valgrind, such as "3.19.0" */
};

/*
 * Sent instead of struct pt_hello by a peer that is no tool: a command.
 * n_strings NUL-terminated strings follow, the command's words. The answer is
 * one PT_MSG_DONE with the exit status, and a descriptor (SCM_RIGHTS) of the
 * text to print: to standard output if the status is 0, else to standard error.
 */
struct pt_control {
	uint32_t magic; /* PT_CONTROL_MAGIC */
	uint16_t major;
	uint16_t minor;
	uint32_t bytes; /* sizeof(struct pt_control) + strings */
	uint32_t n_strings;
};

struct pt_welcome {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t fields; /* enum pt_fields */
	uint32_t stream; /* the daemon's number for this connection */
	uint64_t bytes;	 /* [bytes] of the ring's memory; 0: refused, see
			    reason */
	uint32_t wants;	 /* what the tool has to do: bits of enum pt_wants */
	char reason[PT_REASON];
	uint32_t plan_bytes;   /* bytes that follow in PT_MSG_PLAN packets; 0:
				  record everything */
	struct pt_token token; /* token of the stream; absent before version 2.7
				  of the protocol */
	uint32_t allocator_bytes; /* bytes that follow in a PT_MSG_ALLOCATORS
				     packet, after the plan; 0: none; absent
				     before version 3.3 of the protocol */
	uint32_t pad;
};

enum pt_wants {
	PT_WANT_GOODBYE = 1u << 0, /* wait for PT_MSG_DONE before exit */
};

enum pt_message_type {
	/* tool to daemon */
	PT_MSG_CHUNK = 1, /* a chunk was published; sent irregularly, as a
			     hint */
	PT_MSG_LOG = 2,	  /* the log has grown by more than a quarter of its
			     size since the last PT_MSG_LOG; value: log_head */
	PT_MSG_WAIT = 3,  /* asks the daemon to send PT_MSG_ROOM as soon as it
			     has released more than `value` chunks or, if that
			     is UINT64_MAX, has read from the log */
	/* the page's `ending` is set, and no more units follow; sent again when
	   the tool stops waiting for PT_MSG_DONE */
	PT_MSG_BYE = 4,
	PT_MSG_LOST = 8, /* value: pid of a forked child that did not connect to
			    the daemon */
	/* asks which selects (instruction filters) of the plan match some
	   instructions; value: number of instructions; for each follow its
	   length in a byte and its bytes */
	PT_MSG_DECODE = 12,
	/* daemon to tool */
	PT_MSG_ROOM = 5,   /* the ring has room: released or log_tail has
			      grown */
	PT_MSG_TEXT = 6,   /* asks the tool to print the text that follows;
			      value: file descriptor to print to, 1 or 2 */
	PT_MSG_DONE = 7,   /* the report is complete; value: exit status that
			      the process must end with; 0: its own */
	PT_MSG_PLAN = 9,   /* a part of the plan follows; value: its offset */
	PT_MSG_ORDER = 11, /* asks the tool to open or close a window; value:
			      window * 2 + 1 to open, window * 2 to close */
	/* answers PT_MSG_DECODE; value: the same number; for each instruction
	   follows a word of 64 bits: bit i is set if select i matches, counting
	   only the selects (instruction filters) of the plan that need a
	   decoder */
	PT_MSG_DECODED = 13,
	PT_MSG_MARK = 14,	/* asks for a PT_MARK unit; its name follows,
			      NUL-terminated */
	PT_MSG_FLUSH = 15,	/* asks the tool to publish its partly filled
			      chunk */
	PT_MSG_ALLOCATORS = 16, /* a struct pt_allocators follows (allocator.h);
				   value: 0 */
	/* both ways */
	/* value: number of an event that happened in the sending process, or
	   in another process of the tree; all plans of a tree number events
	   alike */
	PT_MSG_HAPPENED = 10,
};

struct pt_message {
	uint32_t type; /* enum pt_message_type */
	uint32_t pad;
	uint64_t value;
};

#endif
