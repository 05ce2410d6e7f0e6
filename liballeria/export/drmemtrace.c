/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drmemtrace.c - writes the 12-byte records of DynamoRIO's drmemtrace, a file
 * for each thread
 *
 * Version 5 of the format has types for taken and untaken conditional jumps,
 * and a record with the target before an indirect branch. The bytes of an
 * instruction are written before it when it occurs first, and again after
 * another instruction has replaced it in the table of written ones. When a
 * thread runs again after another one, a time stamp is written, by which
 * DynamoRIO's tools interleave threads.
 */
#include <stdlib.h>
#include <string.h>

#include "liballeria/export/branch_kind.h"
#include "liballeria/export/instr_walk.h"
#include "liballeria/export/signal_return.h"

enum {
	VERSION = 5,
	X86_64 = 0x40, /* flag of the file type: x86-64 */
	BYTES = 0x200, /* flag of the file type: bytes of instructions are
			  included */
	MAX_INSTRUCTION = 15, /* [bytes] longest instruction of the processor */
	/* [bytes] values in the trace's records of type MARKER for the size of
	   a cache line and of a page */
	CACHE_LINE = 64,
	PAGE = 4096,
};

/* Types of the trace's records. */
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
	NO_FETCH = 29, /* second or later iteration of a string instruction, for
			  which no code is fetched */
	ENCODING = 47, /* up to 8 bytes of the next instruction */
	TAKEN_JUMP = 48,
	UNTAKEN_JUMP = 49,
};

enum marker {
	/* a signal handler is executed after this record */
	KERNEL_EVENT = 0,
	KERNEL_XFER = 1, /* the signal handler returns */
	TIMESTAMP = 2,	 /* [us] since 1601 */
	CPU_ID = 3,
	FILETYPE = 9,
	CACHE_LINE_SIZE = 10,
	VERSION_MARKER = 12,
	PAGE_SIZE = 18,
	BRANCH_TARGET = 29,
};

#define NO_CPU UINT64_MAX
#define SINCE_1601 UINT64_C(11644473600000000) /* [us] from 1601 to 1970 */

/* An instruction whose bytes were written to the file. */
struct written {
	uint64_t address;
	uint8_t size;
	uint8_t bytes[ALLERIA_MAX_BYTES];
};

struct state {
	/* the header of the thread's file was written */
	bool has_head;
	/* number of the instruction after the last one written; the next has
	   another number if other threads ran in between */
	uint64_t next;
	/* address of the previous instruction of the thread */
	uint64_t before;
	bool loads_sigreturn; /* the previous instruction loads the
					    number of rt_sigreturn */
	/* cache of written instructions: each is at the index that is its
	   address modulo the array's size */
	struct written written[1 << 14];
};

/* Write one 12-byte record. @size, @address: its members `size` and `addr`, of
   which the meaning depends on @type. */
static int write_record(struct ex_thread *t, enum type type, unsigned size,
			uint64_t address)
{
	const uint16_t head[2] = {(uint16_t)type, (uint16_t)size};
	char record[12];

	memcpy(record, head, sizeof(head));
	memcpy(record + sizeof(head), &address, sizeof(address));
	return ex_file_write(&t->file, record, sizeof(record));
}

/* Return the id by which a thread is written. As in Linux, the first thread of
   a process has its pid; the ids of the others are made up, above the highest
   possible pid. */
static uint64_t make_thread_id_from_pid_and_number(const struct ex_thread *t)
{
	return t->process->pid + ((uint64_t)(t->number - 1) << 22);
}

/* Return the time of an instruction [us since 1601]: the start of its process,
   plus one microsecond for each earlier instruction of the process. So the
   times at the thread switches of a process ascend, and no two are equal. */
static uint64_t
us_since_1601_at_1us_per_process_instr(const struct ex_thread *t,
				       uint64_t instr_number)
{
	const struct alleria_run *run = alleria_run(t->file.job->profile);
	uint64_t us = (run->started_ns + t->process->begin_ns) / 1000;

	return SINCE_1601 + us + (instr_number - t->process->first_instruction);
}

static int zero_trace_state_of_thread(struct ex_thread *t)
{
	memset(t->state, 0, sizeof(struct state));
	return 0;
}

/* Write a marker with the time of instruction @instr_number, and one with an
   unknown CPU. */
static int write_time_and_cpu_markers(struct ex_thread *t,
				      uint64_t instr_number)
{
	int err = write_record(
		t, MARKER, TIMESTAMP,
		us_since_1601_at_1us_per_process_instr(t, instr_number));

	return err ? err : write_record(t, MARKER, CPU_ID, NO_CPU);
}

/* Write the header records of a thread's file, and set has_head and next.
   @first_instr_number: number of the file's first instruction. */
static int write_header_and_set_next_instr(struct ex_thread *t,
					   uint64_t first_instr_number)
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
		{THREAD, 4, make_thread_id_from_pid_and_number(t)},
		{PID, 4, t->process->pid},
		{MARKER, CACHE_LINE_SIZE, CACHE_LINE},
		{MARKER, PAGE_SIZE, PAGE},
	};
	int err = 0;

	s->has_head = true;
	s->next = first_instr_number;

	for (size_t i = 0; i < sizeof(head) / sizeof(*head) && !err; i++)
		err = write_record(t, head[i].type, head[i].size,
				   head[i].address);
	return err ? err : write_time_and_cpu_markers(t, first_instr_number);
}

static enum type record_type_of_branch(enum ex_branch b, bool taken)
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

static int
write_read_and_write_records_of_access(struct ex_thread *t,
				       const struct alleria_access *a)
{
	int err = 0;

	if (a->kind != ALLERIA_WRITE)
		err = write_record(t, READ, a->size, a->address);
	if (a->kind != ALLERIA_READ && !err)
		err = write_record(t, WRITE, a->size, a->address);
	return err;
}

/* Write the bytes of an instruction, at most 8 in a record, and store it in the
   cache of written instructions. Nothing is written if the cache has this
   address with the same bytes. */
static int write_and_cache_new_encoding(struct ex_thread *t,
					const struct alleria_instruction *i)
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
	for (unsigned offset = 0; offset < i->size && !err; offset += 8) {
		unsigned n = i->size - offset < 8 ? i->size - offset : 8;
		uint64_t word = 0;

		memcpy(&word, i->bytes + offset, n);
		err = write_record(t, ENCODING, n, word);
	}
	return err;
}

/* Write the markers for what the kernel does after instruction @i: KERNEL_XFER
   if @i is the system call that leaves a signal handler (@leaves_handler),
   KERNEL_EVENT if a handler is executed next. */
static int write_handler_exit_and_entry_markers(
	struct ex_thread *t, const struct alleria_instruction *i,
	const struct ex_next *next, bool leaves_handler)
{
	uint64_t next_address = i->address + i->size;
	int err = 0;

	if (leaves_handler)
		err = write_record(t, MARKER, KERNEL_XFER, next_address);
	if (next->signal && !err)
		err = write_record(t, MARKER, KERNEL_EVENT,
				   next->address ? next->address
						 : next_address);
	return err;
}

/* Write an instruction longer than the processor's as instructions of 4 bytes,
   the last one of the rest. Valgrind's client request is one instruction of 19
   bytes for Valgrind, but five for the processor. */
static int
write_long_instr_as_4_byte_instrs(struct ex_thread *t,
				  const struct alleria_instruction *i)
{
	struct alleria_instruction part = *i;
	int err = 0;

	for (unsigned offset = 0; offset < i->size && !err;
	     offset += part.size) {
		part.address = i->address + offset;
		part.bytes = i->bytes + offset;
		part.size =
			i->size - offset < 4 ? (uint8_t)(i->size - offset) : 4;
		err = write_and_cache_new_encoding(t, &part);
		if (!err)
			err = write_record(t, INSTR, part.size, part.address);
	}
	return err;
}

static int write_encoding_and_fetch_record(struct ex_thread *t,
					   const struct alleria_instruction *i,
					   const struct ex_next *next)
{
	enum ex_branch branch = ex_branch_classify(i->bytes, i->size);
	bool taken =
		next->address != 0 && next->address != i->address + i->size;
	enum type type = record_type_of_branch(branch, taken);
	int err;

	if (i->size > MAX_INSTRUCTION)
		return write_long_instr_as_4_byte_instrs(t, i);
	err = write_and_cache_new_encoding(t, i);
	if (type == INSTR && ((struct state *)t->state)->before == i->address)
		type = NO_FETCH;
	if (ex_branch_is_indirect(branch) && !err)
		err = write_record(t, MARKER, BRANCH_TARGET, next->address);
	return err ? err : write_record(t, type, i->size, i->address);
}

static int
write_all_drmemtrace_records_of_instr(struct ex_thread *t,
				      const struct alleria_instruction *i,
				      const struct ex_next *next)
{
	struct state *s = t->state;
	int err = 0;

	if (!s->has_head)
		err = write_header_and_set_next_instr(t, i->number);
	else if (s->next != i->number)
		err = write_time_and_cpu_markers(t, i->number);
	s->next = i->number + 1;
	if (!err)
		err = write_encoding_and_fetch_record(t, i, next);

	for (unsigned a = 0; a < i->n_accesses && !err; a++)
		err = write_read_and_write_records_of_access(t, &i->access[a]);
	if (!err)
		err = write_handler_exit_and_entry_markers(t, i, next,
							   s->loads_sigreturn);
	s->before = i->address;
	s->loads_sigreturn = ex_is_load_of_sigreturn_number(i);
	return err;
}

static int write_footer_and_missing_header(struct ex_thread *t)
{
	struct state *s = t->state;
	int err = 0;

	if (!s->has_head)
		err = write_header_and_set_next_instr(
			t, t->process->first_instruction);
	if (!err)
		err = write_record(t, THREAD_EXIT, 4,
				   make_thread_id_from_pid_and_number(t));
	return err ? err : write_record(t, FOOTER, 0, 0);
}

static int write_drmemtrace_files(struct ex_export_job *job)
{
	struct ex_walk walk = {
		.job = job,
		.format = "drmemtrace",
		.subfolder = "trace", /* DynamoRIO's tools with -indir OUT read
				    OUT/trace */
		.state = malloc(sizeof(struct state)),
		.begin = zero_trace_state_of_thread,
		.instruction = write_all_drmemtrace_records_of_instr,
		.end = write_footer_and_missing_header,
	};
	int err = walk.state ? ex_write_all_thread_files(&walk)
			     : ex_set_job_error_return_minus_1(
				       job, ALLERIA_E_MEMORY, NULL);

	free(walk.state);
	return err;
}

extern const struct ex_format ex_drmemtrace;

const struct ex_format ex_drmemtrace = {
	.name = "drmemtrace",
	.summary = "DynamoRIO's records, a folder for -indir",
	.needs = ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_drmemtrace_files,
};
