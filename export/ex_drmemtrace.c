/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ex_drmemtrace.c - the 12-byte records of DynamoRIO's drmemtrace, a file for
 * each thread
 *
 * Room:    export.
 *
 * Of version 5 of the format, in which a conditional jump tells whether it was
 * taken, and an indirect branch is preceded by its target; without encodings.
 * Names of types and markers there stand in comments.
 */
#include <string.h>

#include "export/ex_branch.h"
#include "export/ex_walk.h"

enum {
	VERSION = 5,
	X86_64 = 0x40, /* of a file's type */
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

/* Of the instruction before. */
struct before {
	uint64_t address;
	bool asks_to_return; /* it says which system call, rt_sigreturn */
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

static int begin(struct ex_thread *t)
{
	const struct alleria_run *run = alleria_run(t->file.job->profile);
	uint64_t us = (run->started_ns + t->process->begin_ns) / 1000;
	const struct {
		enum type type;
		unsigned size;
		uint64_t address;
	} head[] = {
		{HEADER, 0, VERSION},
		{MARKER, VERSION_MARKER, VERSION},
		{MARKER, FILETYPE, X86_64},
		{THREAD, 4, tid(t)},
		{PID, 4, t->process->pid},
		{MARKER, CACHE_LINE_SIZE, LINE},
		{MARKER, PAGE_SIZE, PAGE},
		{MARKER, TIMESTAMP, SINCE_1601 + us},
		{MARKER, CPU_ID, NO_CPU},
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(head) / sizeof(*head) && !err; i++)
		err = put(t, head[i].type, head[i].size, head[i].address);
	*(struct before *)t->state = (struct before){0};
	return err;
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

	if (a->kind != ALLERIA_STORE)
		err = put(t, READ, a->size, a->address);
	if (a->kind != ALLERIA_LOAD && !err)
		err = put(t, WRITE, a->size, a->address);
	return err;
}

/* mov $15, %eax or %rax, as in what handlers return to. */
static bool is_number_of_return(const struct alleria_instruction *i)
{
	static const uint8_t eax[] = {0xb8, 15, 0, 0, 0};
	static const uint8_t rax[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0};

	return (i->size == sizeof(eax) &&
		memcmp(i->bytes, eax, sizeof(eax)) == 0) ||
	       (i->size == sizeof(rax) &&
		memcmp(i->bytes, rax, sizeof(rax)) == 0);
}

static int instruction(struct ex_thread *t, const struct alleria_instruction *i,
		       uint64_t next)
{
	enum ex_branch branch = ex_branch_of(i->bytes, i->size);
	bool taken = next != 0 && next != i->address + i->size;
	enum type type = type_of(branch, taken);
	struct before *before = t->state;
	int err = 0;

	if (type == INSTR && before->address == i->address)
		type = NO_FETCH;
	if (ex_branch_is_indirect(branch))
		err = put(t, MARKER, BRANCH_TARGET, next);
	if (!err)
		err = put(t, type, i->size, i->address);
	for (unsigned a = 0; a < i->n_accesses && !err; a++)
		err = put_access(t, &i->access[a]);
	if (!err && branch == EX_NO_BRANCH && taken && next != i->address)
		err = put(t, MARKER,
			  before->asks_to_return ? KERNEL_XFER : KERNEL_EVENT,
			  i->address + i->size);
	before->address = i->address;
	before->asks_to_return = is_number_of_return(i);
	return err;
}

static int end(struct ex_thread *t)
{
	int err = put(t, THREAD_EXIT, 4, tid(t));

	return err ? err : put(t, FOOTER, 0, 0);
}

static int write_drmemtrace(struct ex_job *job)
{
	struct before before = {0};
	const struct ex_walk walk = {
		.job = job,
		.state = &before,
		.begin = begin,
		.instruction = instruction,
		.end = end,
	};

	return ex_walk(&walk);
}

extern const struct ex_format ex_drmemtrace;

const struct ex_format ex_drmemtrace = {
	.name = "drmemtrace",
	.summary = "DynamoRIO's records, a file for each thread",
	.write = write_drmemtrace,
};
