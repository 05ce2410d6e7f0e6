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
 * Versions: another major number is refused, naming both; a higher minor
 * number only adds unit kinds, log records and message types, which readers
 * skip, and what the daemon does only for tools that know it.
 */
#ifndef PROTO_HELLO_H
#define PROTO_HELLO_H

#include <stdint.h>

enum {
	PT_MAGIC = 0x41726c41,	       /* "AlrA" */
	PT_CONTROL_MAGIC = 0x43726c41, /* "AlrC" */
	PT_MAJOR = 3,
	PT_MINOR = 0,
	PT_MAX_MESSAGE = 64 << 10, /* [bytes] */
	PT_REASON = 192,	   /* [bytes] with the NUL */
};

/* What the daemon's analyses need; the tool emits nothing else. */
enum pt_fields {
	PT_FIELD_ACCESSES = 1u << 0,	 /* whether each access happened: slots
					    of guarded ones and of instructions
					    that make several */
	PT_FIELD_ADDRESSES = 1u << 1,	 /* slots of all accesses */
	PT_FIELD_UNUSED_LOADS = 1u << 2, /* loads whose value nobody uses too,
					    as far as Lackey sees them;
					    without it as far as Cachegrind
					    does, which are fewer */
	PT_FIELD_VALUES = 1u << 3, /* slots of what accesses read and wrote, and
				      PT_WRITTEN; with addresses only */
	PT_FIELD_STAMPS = 1u << 7, /* a slot of when a block began */
	PT_FIELD_CORES = 1u << 8,  /* PT_CORE */
};

enum pt_hello_flags {
	PT_HELLO_FORKED = 1u
			  << 0,	  /* goes on with the blocks of parent_stream */
	PT_HELLO_TOKEN = 1u << 1, /* struct pt_token of parent_stream follows,
				     before the strings */
	PT_HELLO_FIXED_RING = 1u << 2, /* the ring must not grow */
};

/* Random number of a stream. The daemon sends it to the stream's process; a
   fork inherits it, and the child's hello sends it back as proof of whose child
   it is. */
struct pt_token {
	uint64_t word[2];
};

/* Followed by n_strings NUL-terminated strings: working directory, program,
   then the arguments (without argv[0]). */
struct pt_hello {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t bytes; /* sizeof(struct pt_hello) + token, if any + strings */
	uint32_t flags; /* enum pt_hello_flags */
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t parent_stream; /* of the forking process */
	uint32_t n_blocks;	/* of the parent's that the child inherits */
	uint64_t parent_log;	/* parent's log_head at the fork */
	uint32_t n_strings;
	char valgrind[20]; /* version, "3.19.0" */
};

/*
 * What somebody who is no tool sends instead: a command. Followed by n_strings
 * NUL-terminated strings, its words. The answer is one PT_MSG_DONE with the
 * exit status, and a descriptor (SCM_RIGHTS) of what is to be printed: to
 * standard output when the status is 0, else to standard error.
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
	uint64_t bytes;	 /* of the ring's memory; 0: refused, see reason */
	uint32_t wants;	 /* enum pt_wants */
	char reason[PT_REASON];
	uint32_t plan_bytes;   /* bytes that follow in PT_MSG_PLAN packets; 0:
				  record everything */
	struct pt_token token; /* of the stream; absent before 2.7 */
};

enum pt_wants {
	PT_WANT_GOODBYE = 1u << 0, /* before it ends, wait for PT_MSG_DONE */
};

enum pt_message_type {
	/* tool to daemon */
	PT_MSG_CHUNK = 1,   /* published has grown; a hint, sent now and then */
	PT_MSG_LOG = 2,	    /* log_head has grown much */
	PT_MSG_WAIT = 3,    /* tell me when released > value */
	PT_MSG_BYE = 4,	    /* the page's `ending` is set, no more units follow;
			       a second one: the tool does not wait for
			       PT_MSG_DONE any more */
	PT_MSG_LOST = 8,    /* value: pid of a forked child that did not join */
	PT_MSG_DECODE = 12, /* value: how many instructions follow, each its
			       length in a byte, then its bytes. Which
			       selects of the plan take it? */
	/* daemon to tool */
	PT_MSG_ROOM = 5,   /* released or log_tail has grown */
	PT_MSG_TEXT = 6,   /* value: descriptor 1 or 2; text follows */
	PT_MSG_DONE = 7,   /* value: exit status to use when not 0 */
	PT_MSG_PLAN = 9,   /* value: offset of what follows in the plan */
	PT_MSG_ORDER = 11, /* value: window * 2 + 1 to open it, + 0 to close */
	PT_MSG_DECODED = 13, /* value: n as asked; then for each a word with a
				bit for each of the plan's selects that need a
				decoder, in their order */
	PT_MSG_MARK = 14,  /* leave a mark: its name follows, NUL-terminated */
	PT_MSG_FLUSH = 15, /* publish what there is of a chunk */
	/* both ways */
	PT_MSG_HAPPENED = 10, /* value: event of the plan, in the process that
				 sends it or in another one of the tree; all
				 plans of a tree number events alike */
};

struct pt_message {
	uint32_t type; /* enum pt_message_type */
	uint32_t pad;
	uint64_t value;
};

#endif
