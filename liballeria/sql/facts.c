/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - defines the tables of facts: run, processes, threads, objects,
 * functions and lines
 */
#include "liballeria/sql/table.h"

static const char *const endings[] = {"running", "exited", "signalled",
				      "execed", NULL};
static const char *const states[] = {"complete", "lossy", "truncated",
				     "unfinished", NULL};
static const char *const damages[] = {"whole", "no index", "torn", "broken",
				      NULL};

#define RUN(member) SQ_MEMBER(sq_run_row, member)
const struct sq_column sq_run[] = {
	{"command", SQ_WORDS, RUN(run.command), SQ_B_NONE, NULL},
	{"directory", SQ_TEXT, RUN(run.directory), SQ_B_NONE, NULL},
	{"options", SQ_WORDS, RUN(run.options), SQ_B_NONE, NULL},
	{"status", SQ_ONE_OF, RUN(state.status), SQ_B_NONE, states},
	{"reason", SQ_TEXT, RUN(state.reason), SQ_B_NONE, NULL},
	{"damage", SQ_ONE_OF, RUN(state.damage), SQ_B_NONE, damages},
	{"started_ns", SQ_NUMBER, RUN(run.started_ns), SQ_B_NONE, NULL},
	{"wall_ns", SQ_NUMBER, RUN(run.wall_ns), SQ_B_NONE, NULL},
	{"processor", SQ_TEXT, RUN(run.processor), SQ_B_NONE, NULL},
	{"processes", SQ_NUMBER, RUN(run.processes), SQ_B_NONE, NULL},
	{"instructions", SQ_NUMBER, RUN(run.counts.instructions), SQ_B_NONE,
	 NULL},
	{"accesses", SQ_NUMBER, RUN(run.counts.accesses), SQ_B_NONE, NULL},
	{"reads", SQ_NUMBER, RUN(run.counts.reads), SQ_B_NONE, NULL},
	{"writes", SQ_NUMBER, RUN(run.counts.writes), SQ_B_NONE, NULL},
	{"modifies", SQ_NUMBER, RUN(run.counts.modifies), SQ_B_NONE, NULL},
	{"bytes", SQ_NUMBER, RUN(state.bytes), SQ_B_NONE, NULL},
	{"blocks", SQ_NUMBER, RUN(state.blocks), SQ_B_NONE, NULL},
	{"bytes_read", SQ_NUMBER, RUN(bytes_read), SQ_B_NONE, NULL},
	{"blocks_read", SQ_NUMBER, RUN(blocks_read), SQ_B_NONE, NULL},
	{0},
};

#define PROCESS(member) SQ_MEMBER(alleria_process, member)
const struct sq_column sq_processes[] = {
	{"process", SQ_NUMBER, PROCESS(index), SQ_B_NONE, NULL},
	{"tree", SQ_NUMBER, PROCESS(tree), SQ_B_NONE, NULL},
	{"number", SQ_NUMBER, PROCESS(number), SQ_B_NONE, NULL},
	{"parent", SQ_NUMBER, PROCESS(parent), SQ_B_NONE, NULL},
	{"pid", SQ_NUMBER, PROCESS(pid), SQ_B_NONE, NULL},
	{"images", SQ_NUMBER, PROCESS(images), SQ_B_NONE, NULL},
	{"command", SQ_WORDS, PROCESS(command), SQ_B_NONE, NULL},
	{"directory", SQ_TEXT, PROCESS(directory), SQ_B_NONE, NULL},
	{"ending", SQ_ONE_OF, PROCESS(ending), SQ_B_NONE, endings},
	{"value", SQ_SIGNED, PROCESS(value), SQ_B_NONE, NULL},
	{"status", SQ_ONE_OF, PROCESS(status), SQ_B_NONE, states},
	{"reason", SQ_TEXT, PROCESS(reason), SQ_B_NONE, NULL},
	{"lost", SQ_NUMBER, PROCESS(lost), SQ_B_NONE, NULL},
	{"begin_ns", SQ_NUMBER, PROCESS(begin_ns), SQ_B_NONE, NULL},
	{"end_ns", SQ_NUMBER, PROCESS(end_ns), SQ_B_NONE, NULL},
	{"first_access", SQ_NUMBER, PROCESS(first_access), SQ_B_NONE, NULL},
	{"first_instruction", SQ_NUMBER, PROCESS(first_instruction), SQ_B_NONE,
	 NULL},
	{"instructions", SQ_NUMBER, PROCESS(counts.instructions), SQ_B_NONE,
	 NULL},
	{"accesses", SQ_NUMBER, PROCESS(counts.accesses), SQ_B_NONE, NULL},
	{"reads", SQ_NUMBER, PROCESS(counts.reads), SQ_B_NONE, NULL},
	{"writes", SQ_NUMBER, PROCESS(counts.writes), SQ_B_NONE, NULL},
	{"modifies", SQ_NUMBER, PROCESS(counts.modifies), SQ_B_NONE, NULL},
	{0},
};

#define THREAD(member) SQ_MEMBER(alleria_thread, member)
const struct sq_column sq_threads[] = {
	{"process", SQ_NUMBER, THREAD(process), SQ_B_NONE, NULL},
	{"image", SQ_NUMBER, THREAD(image), SQ_B_NONE, NULL},
	{"thread", SQ_NUMBER, THREAD(number), SQ_B_NONE, NULL},
	{"ended", SQ_NUMBER, THREAD(ended), SQ_B_NONE, NULL},
	{"begin_instruction", SQ_NUMBER, THREAD(begin_instruction), SQ_B_NONE,
	 NULL},
	{"end_instruction", SQ_NUMBER, THREAD(end_instruction), SQ_B_NONE,
	 NULL},
	{"begin_ns", SQ_NUMBER, THREAD(begin_ns), SQ_B_NONE, NULL},
	{"end_ns", SQ_NUMBER, THREAD(end_ns), SQ_B_NONE, NULL},
	{0},
};

#define OBJECT(member) SQ_MEMBER(alleria_object, member)
const struct sq_column sq_objects[] = {
	{"process", SQ_NUMBER, OBJECT(process), SQ_B_NONE, NULL},
	{"image", SQ_NUMBER, OBJECT(image), SQ_B_NONE, NULL},
	{"number", SQ_NUMBER, OBJECT(number), SQ_B_NONE, NULL},
	{"path", SQ_TEXT, OBJECT(path), SQ_B_NONE, NULL},
	{"start", SQ_NUMBER, OBJECT(start), SQ_B_NONE, NULL},
	{"size", SQ_NUMBER, OBJECT(size), SQ_B_NONE, NULL},
	{"bias", SQ_NUMBER, OBJECT(bias), SQ_B_NONE, NULL},
	{"build_id", SQ_TEXT, OBJECT(build_id), SQ_B_NONE, NULL},
	{"begin_ns", SQ_NUMBER, OBJECT(begin_ns), SQ_B_NONE, NULL},
	{"end_ns", SQ_MAYBE, OBJECT(end_ns), SQ_B_NONE, NULL},
	{0},
};

#define FUNCTION(member) SQ_MEMBER(alleria_function, member)
const struct sq_column sq_functions[] = {
	{"number", SQ_NUMBER, FUNCTION(number), SQ_B_NONE, NULL},
	{"name", SQ_TEXT, FUNCTION(name), SQ_B_NONE, NULL},
	{"file", SQ_TEXT, FUNCTION(file), SQ_B_NONE, NULL},
	{"line", SQ_NUMBER, FUNCTION(line), SQ_B_NONE, NULL},
	{"object", SQ_TEXT, FUNCTION(object), SQ_B_NONE, NULL},
	{"value", SQ_NUMBER, FUNCTION(value), SQ_B_NONE, NULL},
	{0},
};

#define LINE(member) SQ_MEMBER(alleria_line, member)
const struct sq_column sq_lines[] = {
	{"object", SQ_TEXT, LINE(object), SQ_B_NONE, NULL},
	{"value", SQ_NUMBER, LINE(value), SQ_B_NONE, NULL},
	{"file", SQ_TEXT, LINE(file), SQ_B_NONE, NULL},
	{"line", SQ_NUMBER, LINE(line), SQ_B_NONE, NULL},
	{"function", SQ_NUMBER, LINE(function), SQ_B_NONE, NULL},
	{0},
};

long sq_read_run_row_then_none(struct sq_cursor *c, const void **rows)
{
	if (c->index++ > 0)
		return 0;
	c->run = (struct sq_run_row){
		.run = *alleria_run(c->profile),
		.state = *alleria_state(c->profile),
		.blocks_read = alleria_blocks_read(c->profile),
		.bytes_read = alleria_bytes_read(c->profile),
	};
	*rows = &c->run;
	return 1;
}

long sq_read_next_process_row(struct sq_cursor *c, const void **rows)
{
	*rows = alleria_process(c->profile, c->process++);
	return *rows ? 1 : 0;
}

long sq_read_threads_of_next_process(struct sq_cursor *c, const void **rows)
{
	const struct alleria_thread *first = NULL;
	long n;

	if (!alleria_process(c->profile, c->process))
		return 0;
	n = alleria_threads(c->profile, c->process++, &first);
	*rows = first;
	return n;
}

long sq_read_next_object_file_row(struct sq_cursor *c, const void **rows)
{
	const struct alleria_object *const *all;
	long n;

	for (; alleria_process(c->profile, c->process); c->process++) {
		n = alleria_objects(c->profile, c->process, &all);
		if (n < 0) {
			c->process++;
			c->index = 0;
			return n;
		}
		if (c->index < n) {
			*rows = all[c->index++];
			return 1;
		}
		c->index = 0;
	}
	return 0;
}

long sq_read_all_functions_then_none(struct sq_cursor *c, const void **rows)
{
	const struct alleria_function *first = NULL;
	long n = c->index++ > 0 ? 0 : alleria_functions(c->profile, &first);

	*rows = first;
	return n;
}

long sq_read_all_lines_then_none(struct sq_cursor *c, const void **rows)
{
	const struct alleria_line *first = NULL;
	long n = c->index++ > 0 ? 0 : alleria_lines(c->profile, &first);

	*rows = first;
	return n;
}
