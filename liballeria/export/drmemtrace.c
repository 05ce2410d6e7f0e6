/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drmemtrace.c - the 12-byte records of DynamoRIO's drmemtrace, a file for
 * each thread
 *
 * Of version 5 of the format, in which a conditional jump tells whether it was
 * taken, and an indirect branch is preceded by its target. An instruction's
 * bytes come before it when they are new, or were not seen for long. A thread
 * that runs again after another one has a time stamp, by which DynamoRIO's tools
 * interleave threads.
 * Names of types and markers there stand in comments.
 */
#include <stdlib.h>
#include <string.h>

#include "liballeria/export/branch_kind.h"
#include "liballeria/export/instr_walk.h"
#include "liballeria/export/signal_return.h"

enum {
	VERSION = 5,
	X86_64 = 0x40, /* of a file's type */
	BYTES = 0x200, /* the same: the bytes of instructions are there */
	LONGEST = 15,  /* instruction [bytes] */
	LINE = 64,     /* [bytes] */
	PAGE = 4096,   /* [bytes] */
};

enum type {
	READ = 0,
	WRITE = 1,
	INSTR = 10,
	DIRECT_JUMP = 11,
	INDIRECT_JUMP = 12,
	DIRECT_CALL = 14,
	INDIRECT_CALL = 15,
	RETURN = 16,
	THREAD = 22,
	THREAD_EXIT = 23,
	PID = 24,
	HEADER = 25,
	FOOTER = 26,
	MARKER = 28,
	NO_FETCH = 29, /* an iteration of a string instruction but the first */
	ENCODING = 47, /* up to 8 bytes of the next instruction */
	TAKEN_JUMP = 48,
	UNTAKEN_JUMP = 49,
};

enum marker {
	KERNEL_EVENT = 0, /* a signal came here */
	KERNEL_XFER = 1,  /* its handler is left */
	TIMESTAMP = 2,	  /* [us] since 1601 */
	CPU_ID = 3,
	FILETYPE = 9,
	CACHE_LINE_SIZE = 10,
	VERSION_MARKER = 12,
	PAGE_SIZE = 18,
	BRANCH_TARGET = 29,
};

#define NO_CPU UINT64_MAX
#define SINCE_1601 UINT64_C(11644473600000000) /* [us] 1970 */

/* An instruction whose bytes were written. */
struct written {
	uint64_t address;
	uint8_t size;
	uint8_t bytes[ALLERIA_MAX_BYTES];
};

struct state {
	bool has_head;			 /* the file's head is written */
	uint64_t next;			 /* number of the instruction that
					    follows without a thread switch */
	uint64_t before;		 /* address of the instruction before */
	bool asks;			 /* it asks to leave a handler */
	struct written written[1 << 14]; /* at address modulo how many */
};

static int put(struct ex_thread *t, enum type type, unsigned size,
	       uint64_t address)
{
	const uint16_t head[2] = {(uint16_t)type, (uint16_t)size};
	char record[12];

	memcpy(record, head, sizeof(head));
	memcpy(record + sizeof(head), &address, sizeof(address));
	return ex_file_write(&t->file, record, sizeof(record));
}

/* The first of a process has its pid, as Linux does it; numbers of the others
   are ours, above those that there are. */
static uint64_t tid(const struct ex_thread *t)
{
	return t->process->pid + ((uint64_t)(t->number - 1) << 22);
}

/* Return the time of an instruction: its process's beginning, and a microsecond
   for each instruction of the process before it. So the times of switches, to
   whichever thread, are in order and never equal. */
static uint64_t time_of(const struct ex_thread *t, uint64_t number)
{
	const struct alleria_run *run = alleria_run(t->file.job->profile);
	uint64_t us = (run->started_ns + t->process->begin_ns) / 1000;

	return SINCE_1601 + us + (number - t->process->first_instruction);
}

static int begin(struct ex_thread *t)
{
	memset(t->state, 0, sizeof(struct state));
	return 0;
}

/* Write the markers that tell the time from instruction @number on. */
static int put_time(struct ex_thread *t, uint64_t number)
{
	int err = put(t, MARKER, TIMESTAMP, time_of(t, number));

	return err ? err : put(t, MARKER, CPU_ID, NO_CPU);
}

/* Write what a file begins with; @number is that of its first instruction. */
static int put_head(struct ex_thread *t, uint64_t number)
{
	struct state *s = t->state;
	const struct {
		enum type type;
		unsigned size;
		uint64_t address;
	} head[] = {
		{HEADER, 0, VERSION},
		{MARKER, VERSION_MARKER, VERSION},
		{MARKER, FILETYPE, X86_64 | BYTES},
		{THREAD, 4, tid(t)},
		{PID, 4, t->process->pid},
		{MARKER, CACHE_LINE_SIZE, LINE},
		{MARKER, PAGE_SIZE, PAGE},
	};
	int err = 0;

	s->has_head = true;
	s->next = number;

	for (size_t i = 0; i < sizeof(head) / sizeof(*head) && !err; i++)
		err = put(t, head[i].type, head[i].size, head[i].address);
	return err ? err : put_time(t, number);
}

static enum type type_of(enum ex_branch b, bool taken)
{
	switch (b) {
	case EX_NO_BRANCH:
		break;
	case EX_JUMP:
		return DIRECT_JUMP;
	case EX_JUMP_INDIRECT:
		return INDIRECT_JUMP;
	case EX_CONDITIONAL:
		return taken ? TAKEN_JUMP : UNTAKEN_JUMP;
	case EX_CALL:
		return DIRECT_CALL;
	case EX_CALL_INDIRECT:
		return INDIRECT_CALL;
	case EX_RETURN:
		return RETURN;
	}
	return INSTR;
}

static int put_access(struct ex_thread *t, const struct alleria_access *a)
{
	int err = 0;

	if (a->kind != ALLERIA_WRITE)
		err = put(t, READ, a->size, a->address);
	if (a->kind != ALLERIA_READ && !err)
		err = put(t, WRITE, a->size, a->address);
	return err;
}

static int put_bytes(struct ex_thread *t, const struct alleria_instruction *i)
{
	struct state *s = t->state;
	struct written *w =
		&s->written[i->address % (sizeof(s->written) / sizeof(*w))];
	int err = 0;

	if (w->address == i->address && w->size == i->size &&
	    memcmp(w->bytes, i->bytes, i->size) == 0)
		return 0;
	w->address = i->address;
	w->size = i->size;
	memcpy(w->bytes, i->bytes, i->size);
	for (unsigned at = 0; at < i->size && !err; at += 8) {
		unsigned n = i->size - at < 8 ? i->size - at : 8;
		uint64_t word = 0;

		memcpy(&word, i->bytes + at, n);
		err = put(t, ENCODING, n, word);
	}
	return err;
}

/* What the kernel does behind an instruction. */
static int put_kernel(struct ex_thread *t, const struct alleria_instruction *i,
		      const struct ex_next *next, bool leaves)
{
	uint64_t on = i->address + i->size;
	int err = 0;

	if (leaves)
		err = put(t, MARKER, KERNEL_XFER, on);
	if (next->signal && !err)
		err = put(t, MARKER, KERNEL_EVENT,
			  next->address ? next->address : on);
	return err;
}

/* Valgrind's own, of four bytes four times and a rest; the processor has no
   such thing, and executes them one by one. */
static int put_long(struct ex_thread *t, const struct alleria_instruction *i)
{
	struct alleria_instruction part = *i;
	int err = 0;

	for (unsigned at = 0; at < i->size && !err; at += part.size) {
		part.address = i->address + at;
		part.bytes = i->bytes + at;
		part.size = i->size - at < 4 ? (uint8_t)(i->size - at) : 4;
		err = put_bytes(t, &part);
		if (!err)
			err = put(t, INSTR, part.size, part.address);
	}
	return err;
}

static int put_instruction(struct ex_thread *t,
			   const struct alleria_instruction *i,
			   const struct ex_next *next)
{
	enum ex_branch branch = ex_branch_of(i->bytes, i->size);
	bool taken =
		next->address != 0 && next->address != i->address + i->size;
	enum type type = type_of(branch, taken);
	int err;

	if (i->size > LONGEST)
		return put_long(t, i);
	err = put_bytes(t, i);
	if (type == INSTR && ((struct state *)t->state)->before == i->address)
		type = NO_FETCH;
	if (ex_branch_is_indirect(branch) && !err)
		err = put(t, MARKER, BRANCH_TARGET, next->address);
	return err ? err : put(t, type, i->size, i->address);
}

static int instruction(struct ex_thread *t, const struct alleria_instruction *i,
		       const struct ex_next *next)
{
	struct state *s = t->state;
	int err = 0;

	if (!s->has_head)
		err = put_head(t, i->number);
	else if (s->next != i->number)
		err = put_time(t, i->number);
	s->next = i->number + 1;
	if (!err)
		err = put_instruction(t, i, next);

	for (unsigned a = 0; a < i->n_accesses && !err; a++)
		err = put_access(t, &i->access[a]);
	if (!err)
		err = put_kernel(t, i, next, s->asks);
	s->before = i->address;
	s->asks = ex_signal_asks_to_return(i);
	return err;
}

static int end(struct ex_thread *t)
{
	struct state *s = t->state;
	int err = 0;

	if (!s->has_head)
		err = put_head(t, t->process->first_instruction);
	if (!err)
		err = put(t, THREAD_EXIT, 4, tid(t));
	return err ? err : put(t, FOOTER, 0, 0);
}

static int write_drmemtrace(struct ex_job *job)
{
	struct ex_walk walk = {
		.job = job,
		.format = "drmemtrace",
		.sub = "trace", /* where -indir OUT finds it */
		.state = malloc(sizeof(struct state)),
		.begin = begin,
		.instruction = instruction,
		.end = end,
	};
	int err = walk.state ? ex_walk(&walk)
			     : ex_fail(job, ALLERIA_E_MEMORY, NULL);

	free(walk.state);
	return err;
}

extern const struct ex_format ex_drmemtrace;

const struct ex_format ex_drmemtrace = {
	.name = "drmemtrace",
	.summary = "DynamoRIO's records, a folder for -indir",
	.needs = ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_drmemtrace,
};
