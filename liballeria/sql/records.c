/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.c - defines the tables of records: accesses, instructions,
 * executions, calls and events
 */
#include "liballeria/sql/table.h"

static const char *const access_kinds[] = {"read", "write", "modify", NULL};

#define ACCESS(member) SQ_MEMBER(alleria_access, member)
const struct sq_column sq_accesses[] = {
	{"number", SQ_NUMBER, ACCESS(number), SQ_B_ACCESS, NULL},
	{"instruction", SQ_NUMBER, ACCESS(instruction), SQ_B_INSTRUCTION, NULL},
	{"process", SQ_NUMBER, ACCESS(process), SQ_B_PROCESS, NULL},
	{"thread", SQ_NUMBER, ACCESS(thread), SQ_B_THREAD, NULL},
	{"ip", SQ_NUMBER, ACCESS(code), SQ_B_IP, NULL},
	{"address", SQ_KNOWN, ACCESS(address), SQ_B_ADDRESS, NULL},
	{"size", SQ_NUMBER, ACCESS(size), SQ_B_NONE, NULL},
	{"kind", SQ_ONE_OF, ACCESS(kind), SQ_B_KIND, access_kinds},
	{"flags", SQ_NUMBER, ACCESS(flags), SQ_B_NONE, NULL},
	{"read", SQ_VALUE, ACCESS(read), SQ_B_NONE, NULL},
	{"written", SQ_VALUE, ACCESS(written), SQ_B_NONE, NULL},
	{"time_ns", SQ_TIME, ACCESS(instruction), SQ_B_TIME, NULL},
	{"function", SQ_FUNCTION, ACCESS(code), SQ_B_FUNCTION, NULL},
	{"file", SQ_SOURCE, ACCESS(code), SQ_B_NONE, NULL},
	{"line", SQ_LINE, ACCESS(code), SQ_B_NONE, NULL},
	{"object", SQ_OBJECT, ACCESS(code), SQ_B_OBJECT, NULL},
	{"data", SQ_DATA, ACCESS(address), SQ_B_DATA, NULL},
	{"data_offset", SQ_DATA_OFFSET, ACCESS(address), SQ_B_NONE, NULL},
	{0},
};

#define INSTRUCTION(member) SQ_MEMBER(alleria_instruction, member)
const struct sq_column sq_instructions[] = {
	{"number", SQ_NUMBER, INSTRUCTION(number), SQ_B_INSTRUCTION, NULL},
	{"process", SQ_NUMBER, INSTRUCTION(process), SQ_B_PROCESS, NULL},
	{"thread", SQ_NUMBER, INSTRUCTION(thread), SQ_B_THREAD, NULL},
	{"ip", SQ_NUMBER, INSTRUCTION(address), SQ_B_IP, NULL},
	{"size", SQ_NUMBER, INSTRUCTION(size), SQ_B_NONE, NULL},
	{"bytes", SQ_CODE, INSTRUCTION(bytes), SQ_B_NONE, NULL},
	{"accesses", SQ_NUMBER, INSTRUCTION(n_accesses), SQ_B_NONE, NULL},
	{"first_access", SQ_NUMBER, INSTRUCTION(first_access), SQ_B_NONE, NULL},
	{"flags", SQ_NUMBER, INSTRUCTION(flags), SQ_B_NONE, NULL},
	{"time_ns", SQ_TIME, INSTRUCTION(number), SQ_B_TIME, NULL},
	{"function", SQ_FUNCTION, INSTRUCTION(address), SQ_B_FUNCTION, NULL},
	{"file", SQ_SOURCE, INSTRUCTION(address), SQ_B_NONE, NULL},
	{"line", SQ_LINE, INSTRUCTION(address), SQ_B_NONE, NULL},
	{"object", SQ_OBJECT, INSTRUCTION(address), SQ_B_OBJECT, NULL},
	{0},
};

#define EXECUTION(member) SQ_MEMBER(alleria_execution, member)
const struct sq_column sq_executions[] = {
	{"instruction", SQ_NUMBER, EXECUTION(instruction), SQ_B_INSTRUCTION,
	 NULL},
	{"access", SQ_NUMBER, EXECUTION(access), SQ_B_NEXT_ACCESS, NULL},
	{"process", SQ_NUMBER, EXECUTION(process), SQ_B_PROCESS, NULL},
	{"image", SQ_NUMBER, EXECUTION(image), SQ_B_NONE, NULL},
	{"thread", SQ_NUMBER, EXECUTION(thread), SQ_B_THREAD, NULL},
	{"instructions", SQ_NUMBER, EXECUTION(n_instructions), SQ_B_NONE, NULL},
	{"accesses", SQ_NUMBER, EXECUTION(n_accesses), SQ_B_NONE, NULL},
	{"exit", SQ_NUMBER, EXECUTION(exit), SQ_B_NONE, NULL},
	{"stamp", SQ_NUMBER, EXECUTION(stamp), SQ_B_NONE, NULL},
	{"time_ns", SQ_TIME, EXECUTION(instruction), SQ_B_TIME, NULL},
	{0},
};

static const char *const call_kinds[] = {
	"jump", "call", "return", "syscall", "handler", "start", NULL};

#define CALL(member) SQ_MEMBER(alleria_branch, member)
const struct sq_column sq_calls[] = {
	{"number", SQ_NUMBER, CALL(number), SQ_B_INSTRUCTION, NULL},
	{"process", SQ_NUMBER, CALL(process), SQ_B_PROCESS, NULL},
	{"image", SQ_NUMBER, CALL(image), SQ_B_NONE, NULL},
	{"thread", SQ_NUMBER, CALL(thread), SQ_B_THREAD, NULL},
	{"kind", SQ_ONE_OF, CALL(kind), SQ_B_NONE, call_kinds},
	{"from_ip", SQ_KNOWN, CALL(from), SQ_B_IP, NULL},
	{"to_ip", SQ_NUMBER, CALL(to), SQ_B_NONE, NULL},
	{"from_number", SQ_MAYBE, CALL(from_number), SQ_B_NONE, NULL},
	{"next_access", SQ_NUMBER, CALL(access), SQ_B_NONE, NULL},
	{"time_ns", SQ_TIME, CALL(number), SQ_B_TIME, NULL},
	{"from_function", SQ_FUNCTION, CALL(from), SQ_B_FUNCTION, NULL},
	{"to_function", SQ_FUNCTION, CALL(to), SQ_B_NONE, NULL},
	{"from_object", SQ_OBJECT, CALL(from), SQ_B_OBJECT, NULL},
	{"to_object", SQ_OBJECT, CALL(to), SQ_B_NONE, NULL},
	{0},
};

static const char *const event_kinds[] = {"",
					  "image begin",
					  "image end",
					  "thread start",
					  "thread end",
					  "thread switch",
					  "signal",
					  "child exit",
					  "fault",
					  "gap",
					  "window begin",
					  "window end",
					  "mark",
					  "core",
					  "written",
					  "born",
					  "died",
					  NULL};

#define EVENT(member) SQ_MEMBER(alleria_event, member)
const struct sq_column sq_events[] = {
	{"instruction", SQ_NUMBER, EVENT(instruction), SQ_B_INSTRUCTION, NULL},
	{"access", SQ_NUMBER, EVENT(access), SQ_B_ACCESS, NULL},
	{"process", SQ_NUMBER, EVENT(process), SQ_B_PROCESS, NULL},
	{"image", SQ_NUMBER, EVENT(image), SQ_B_NONE, NULL},
	{"thread", SQ_NUMBER, EVENT(thread), SQ_B_NONE, NULL},
	{"kind", SQ_ONE_OF, EVENT(kind), SQ_B_NONE, event_kinds},
	{"value", SQ_NUMBER, EVENT(value), SQ_B_NONE, NULL},
	{"detail", SQ_NUMBER, EVENT(detail), SQ_B_NONE, NULL},
	{"time_ns", SQ_NUMBER, EVENT(time_ns), SQ_B_NONE, NULL},
	{0},
};

/* Define the function @name, which reads the next batch of rows, of type
   struct @row, with @read. */
#define DEFINE_READER(name, row, read)                                         \
	long name(struct sq_cursor *c, const void **rows)                      \
	{                                                                      \
		const struct row *first = NULL;                                \
		long n = read(c->cursor, &first);                              \
                                                                               \
		*rows = first;                                                 \
		return n;                                                      \
	}

DEFINE_READER(sq_read_access_batch, alleria_access, alleria_accesses)
DEFINE_READER(sq_read_instruction_batch, alleria_instruction,
	      alleria_instructions)
DEFINE_READER(sq_read_execution_batch, alleria_execution, alleria_executions)
DEFINE_READER(sq_read_branch_batch, alleria_branch, alleria_branches)
DEFINE_READER(sq_read_event_batch, alleria_event, alleria_events)
