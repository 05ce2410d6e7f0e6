/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - prints the status, counts, processes and object files of a profile
 * as text and JSON; see profile_text.h
 */
#include "cli/print/profile_text.h"

#include <time.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "base/text/printable.h"
#include "cli/print/partial_profile.h"

static const char *const statuses[] = {
	[ALLERIA_COMPLETE] = "complete",
	[ALLERIA_LOSSY] = "lossy",
	[ALLERIA_TRUNCATED] = "truncated",
	[ALLERIA_UNFINISHED] = "unfinished",
};

static const char *const damages[] = {
	[ALLERIA_WHOLE] = "whole",
	[ALLERIA_NO_INDEX] = "without its end",
	[ALLERIA_TORN] = "cut within a block",
	[ALLERIA_BROKEN] = "broken",
};

static const char *const has_names[] = {
	"accesses",
	"addresses",
	"unused-loads",
	"values",
	"physical",
	"objects",
	"windows",
	"times",
	"cores",
	"instructions",
	"memory-instructions",
	"all-addresses",
	"data-objects",
};

enum {
	N_HAS = sizeof(has_names) / sizeof(has_names[0]),
	/* kinds that are not printed after "has", since the text of the counts
	   shows them */
	SHOWN_BY_COUNTS = ALLERIA_HAS_INSTRUCTIONS |
			  ALLERIA_HAS_MEMORY_INSTRUCTIONS |
			  ALLERIA_HAS_ALL_ADDRESSES,
};

/* ---- text ---- */

static void print_text_unprintable_as_question_marks(FILE *f, const char *s)
{
	al_write_unprintable_as_question_marks(f, s, SIZE_MAX);
}

static void print_words_as_line(FILE *f, const char *const *words)
{
	for (; *words; words++) {
		fputc(' ', f);
		print_text_unprintable_as_question_marks(f, *words);
	}
	fputc('\n', f);
}

static void print_number_or_question_mark(FILE *f, uint64_t number,
					  const char *suffix)
{
	char text[AL_NUMBER_BYTES];

	if (number == ALLERIA_NOT)
		fprintf(f, "?%s", suffix);
	else
		fprintf(f, "%s%s", al_number_format_grouped(text, number),
			suffix);
}

static void print_thread_and_signal_counts(FILE *f,
					   const struct alleria_counts *c)
{
	print_number_or_question_mark(
		f, c->threads, c->threads == 1 ? " thread, " : " threads, ");
	print_number_or_question_mark(
		f, c->signals, c->signals == 1 ? " signal\n" : " signals\n");
}

/* Return the words to print after the number of instructions: all instructions,
   only those that access memory, or only those of chosen kinds were counted.
   @recorded_flags: OR of enum alleria_has. */
static const char *
words_to_print_after_instruction_count(uint32_t recorded_flags)
{
	if (recorded_flags & ALLERIA_HAS_INSTRUCTIONS)
		return " instructions, ";
	return recorded_flags & ALLERIA_HAS_MEMORY_INSTRUCTIONS
		       ? " memory instructions only, "
		       : " instructions of chosen kinds only, ";
}

static void
print_counts_and_which_instrs_counted(FILE *f, uint32_t recorded_flags,
				      const struct alleria_counts *c)
{
	print_number_or_question_mark(
		f, c->instructions,
		words_to_print_after_instruction_count(recorded_flags));
	print_number_or_question_mark(f, c->accesses, " accesses: ");
	print_number_or_question_mark(f, c->reads, " reads, ");
	print_number_or_question_mark(f, c->writes, " writes, of these ");
	print_number_or_question_mark(f, c->modifies, " both\n");
}

/* Read the threads and object files of all processes, so that damage in them is
   known before the state of the file is printed. The library keeps them for the
   later calls. */
static void read_threads_and_object_files(struct alleria_profile *p)
{
	const struct alleria_object *const *object;
	const struct alleria_thread *thread;

	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++) {
		alleria_threads(p, i, &thread);
		alleria_objects(p, i, &object);
	}
}

/* Return the damage of the profile's state; ALLERIA_BROKEN if more is damaged
   than its end. */
static uint32_t profile_damage_kind(const struct alleria_profile *p)
{
	return cl_has_profile_damage_besides_cut_end(p)
		       ? ALLERIA_BROKEN
		       : alleria_state(p)->damage;
}

static void print_profile_file_state(const struct alleria_profile *p, FILE *f)
{
	const struct alleria_state *s = alleria_state(p);
	uint64_t damaged = alleria_damaged_blocks(p);

	fputs("file       ", f);
	print_number_or_question_mark(f, s->bytes, " bytes, ");
	print_number_or_question_mark(f, s->blocks, " blocks, ");
	fputs(profile_damage_kind(p) == ALLERIA_BROKEN ? "damaged"
						       : damages[s->damage],
	      f);
	if (damaged > 0) {
		fputs(", ", f);
		print_number_or_question_mark(f, damaged,
					      damaged == 1 ? " damaged block"
							   : " damaged blocks");
	}
	if (s->damage_bytes > 0) {
		fputs(", ", f);
		print_number_or_question_mark(f, s->damage_bytes,
					      " bytes lost at ");
		print_number_or_question_mark(f, s->damage_at, "");
	}
	fprintf(f, "\nstatus     %s", statuses[s->status]);
	if (s->reason[0]) {
		fputs(", ", f);
		print_text_unprintable_as_question_marks(f, s->reason);
	}
	fputc('\n', f);
}

/* Print the duration of the run; for an unfinished profile, the time from its
   start to its last data, or that it is not known. */
static void print_run_duration(FILE *f, const struct alleria_profile *p)
{
	double seconds = (double)alleria_run(p)->wall_ns / 1e9;

	if (alleria_state(p)->status != ALLERIA_UNFINISHED)
		fprintf(f, "%.3f s\n", seconds);
	else if (seconds < 0.0005)
		fputs("its duration is not known yet\n", f);
	else
		fprintf(f, "%.3f s so far\n", seconds);
}

static void print_versions_and_machine(const struct alleria_run *r, FILE *f)
{
	fputs("recorded   by Alleria ", f);
	print_text_unprintable_as_question_marks(f, r->version);
	fputs(", Valgrind ", f);
	print_text_unprintable_as_question_marks(f, r->valgrind);
	fputs(", on ", f);
	print_text_unprintable_as_question_marks(f, r->system);
	fputc(' ', f);
	print_text_unprintable_as_question_marks(f, r->release);
	fputc(' ', f);
	print_text_unprintable_as_question_marks(f, r->machine);
	fputc('\n', f);
	if (!r->processor[0])
		return;
	fputs("machine    ", f);
	print_text_unprintable_as_question_marks(f, r->processor);
	fprintf(f, ", %u processors, %.1f GiB\n", r->processors,
		(double)r->memory / (1 << 30));
}

static void
print_start_duration_machine_and_totals(const struct alleria_profile *p,
					FILE *f)
{
	const struct alleria_run *r = alleria_run(p);
	time_t started = (time_t)(r->started_ns / 1000000000u);
	char when[64] = "";
	struct tm tm;

	if (gmtime_r(&started, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &tm);
	fprintf(f, "run        %s, ", when);
	print_run_duration(f, p);
	print_versions_and_machine(r, f);
	fputs("has       ", f);
	for (unsigned i = 0; i < N_HAS; i++)
		if ((r->has & ~(uint32_t)SHOWN_BY_COUNTS) >> i & 1)
			fprintf(f, " %s", has_names[i]);
	fputs("\ntotal      ", f);
	print_counts_and_which_instrs_counted(f, r->has, &r->counts);
	fputs("           ", f);
	print_number_or_question_mark(f, r->processes,
				      r->processes == 1 ? " process, "
							: " processes, ");
	print_thread_and_signal_counts(f, &r->counts);
	cl_windows_print(p, f);
}

static void print_process_ending(FILE *f, const struct alleria_process *a)
{
	static const char *const words[] = {
		[ALLERIA_RUNNING] = "no end recorded",
		[ALLERIA_EXITED] = "exit code",
		[ALLERIA_SIGNALLED] = "signal",
		[ALLERIA_EXECED] = "executed another program",
	};

	fprintf(f, "  ended    %s", words[a->ending]);
	if (a->ending == ALLERIA_EXITED || a->ending == ALLERIA_SIGNALLED)
		fprintf(f, " %d", a->value);
	if (a->status != ALLERIA_COMPLETE) {
		fprintf(f, "; %s, ", statuses[a->status]);
		print_text_unprintable_as_question_marks(f, a->reason);
	}
	fputc('\n', f);
}

static void print_object_files_of_process(struct alleria_profile *p, FILE *f,
					  uint32_t process_index)
{
	const struct alleria_object *const *object;
	long n = alleria_objects(p, process_index, &object);

	for (long i = 0; i < n; i++) {
		fprintf(f, "  object   0x%llx ",
			(unsigned long long)object[i]->start);
		print_number_or_question_mark(f, object[i]->size, " bytes ");
		print_text_unprintable_as_question_marks(f, object[i]->path);
		fputc('\n', f);
	}
}

static void print_process_facts(struct alleria_profile *p, FILE *f,
				const struct alleria_process *a)
{
	fputc('\n', f);
	if (alleria_run(p)->trees > 1)
		fprintf(f, "tree %u ", a->tree);
	fprintf(f, "process %u, pid %u", a->number, a->pid);
	if (a->parent)
		fprintf(f, ", child of %u", a->parent);
	fputc('\n', f);
	for (uint32_t i = 0; i < a->images; i++) {
		fputs("  command ", f);
		print_words_as_line(f, alleria_image(p, a->index, i)->command);
	}
	fputs("  counts   ", f);
	print_counts_and_which_instrs_counted(f, a->has, &a->counts);
	fputs("           ", f);
	print_thread_and_signal_counts(f, &a->counts);
	print_process_ending(f, a);
	cl_threads_print_20_lines_at_most(p, f, a->index);
	cl_marks_print_of_process(p, f, a->index);
	print_object_files_of_process(p, f, a->index);
}

void cl_facts_print_profile(struct alleria_profile *p, FILE *f)
{
	read_threads_and_object_files(p);
	print_profile_file_state(p, f);
	print_start_duration_machine_and_totals(p, f);
	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++)
		print_process_facts(p, f, alleria_process(p, i));
}

/* ---- JSON ---- */

static void write_string_list(struct an_sink *out, const char *key,
			      const char *const *words)
{
	out->begin_list(out, key);
	for (; *words; words++)
		out->string(out, NULL, *words);
	out->end(out);
}

static void write_recorded_field_names(struct an_sink *out,
				       uint32_t recorded_flags)
{
	out->begin_list(out, "has");
	for (unsigned i = 0; i < N_HAS; i++)
		if (recorded_flags >> i & 1)
			out->string(out, NULL, has_names[i]);
	out->end(out);
}

static void write_counts(struct an_sink *out, const struct alleria_counts *c)
{
	out->number(out, "instructions", c->instructions);
	out->number(out, "accesses", c->accesses);
	out->number(out, "reads", c->reads);
	out->number(out, "writes", c->writes);
	out->number(out, "modifies", c->modifies);
	if (c->threads == ALLERIA_NOT)
		return;
	out->number(out, "threads", c->threads);
	out->number(out, "signals", c->signals);
}

static void write_profile_file_state(struct an_sink *out,
				     const struct alleria_profile *p)
{
	const struct alleria_state *s = alleria_state(p);

	out->begin(out, "file");
	out->number(out, "bytes", s->bytes);
	out->number(out, "blocks", s->blocks);
	out->string(out, "damage", damages[profile_damage_kind(p)]);
	out->number(out, "damaged_blocks", alleria_damaged_blocks(p));
	out->number(out, "damage_at", s->damage_at);
	out->number(out, "damage_bytes", s->damage_bytes);
	out->number(out, "format", alleria_run(p)->format_major);
	out->end(out);
}

static void write_run_facts(struct an_sink *out,
			    const struct alleria_profile *p)
{
	const struct alleria_run *r = alleria_run(p);

	write_string_list(out, "command", r->command);
	out->string(out, "status", statuses[alleria_state(p)->status]);
	if (alleria_state(p)->reason[0])
		out->string(out, "reason", alleria_state(p)->reason);
	write_recorded_field_names(out, r->has);
	write_counts(out, &r->counts);
	cl_windows_write_json_if_any(out, p);
	out->string(out, "system", r->system);
	out->string(out, "release", r->release);
	out->string(out, "machine", r->machine);
	out->number(out, "page_size", r->page_size);
	out->number(out, "started_ns", r->started_ns);
	out->number(out, "wall_ns", r->wall_ns);
}

static void write_object_files_of_process(struct an_sink *out,
					  struct alleria_profile *p,
					  uint32_t process_index)
{
	const struct alleria_object *const *object;
	long n = alleria_objects(p, process_index, &object);

	out->begin_list(out, "objects");
	for (long i = 0; i < n; i++) {
		out->begin(out, NULL);
		out->string(out, "path", object[i]->path);
		out->string(out, "build_id", object[i]->build_id);
		out->number(out, "start", object[i]->start);
		out->number(out, "size", object[i]->size);
		out->number(out, "bias", object[i]->bias);
		out->number(out, "image", object[i]->image);
		out->end(out);
	}
	out->end(out);
}

static void write_process_ending(struct an_sink *out,
				 const struct alleria_process *a)
{
	static const char *const key[] = {"running", "code", "signal", "exec"};
	bool valued =
		a->ending == ALLERIA_EXITED || a->ending == ALLERIA_SIGNALLED;

	out->begin(out, "exit");
	out->number(out, key[a->ending], valued ? (uint64_t)a->value : 1);
	out->end(out);
}

static void write_process_facts(struct an_sink *out, struct alleria_profile *p,
				const struct alleria_process *a)
{
	out->begin(out, NULL);
	out->number(out, "number", a->number);
	out->number(out, "pid", a->pid);
	out->number(out, "parent", a->parent);
	out->number(out, "tree", a->tree);
	write_string_list(out, "command", a->command);
	out->begin_list(out, "images");
	for (uint32_t i = 0; i < a->images; i++) {
		out->begin(out, NULL);
		write_string_list(out, "command",
				  alleria_image(p, a->index, i)->command);
		write_counts(out, &alleria_image(p, a->index, i)->counts);
		out->end(out);
	}
	out->end(out);
	write_process_ending(out, a);
	out->string(out, "status", statuses[a->status]);
	if (a->reason[0])
		out->string(out, "reason", a->reason);
	out->number(out, "lost", a->lost);
	out->number(out, "first_access", a->first_access);
	write_counts(out, &a->counts);
	cl_threads_write_json_of_process(out, p, a->index);
	cl_marks_write_json_of_process(out, p, a->index);
	write_object_files_of_process(out, p, a->index);
	out->end(out);
}

void cl_facts_print_profile_json(struct alleria_profile *p, FILE *f)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	read_threads_and_object_files(p);
	al_json_init(&json, f);
	out->begin(out, NULL);
	out->begin(out, "alleria");
	out->string(out, "version", alleria_run(p)->version);
	out->string(out, "valgrind", alleria_run(p)->valgrind);
	out->end(out);
	write_profile_file_state(out, p);
	out->begin(out, "run");
	write_run_facts(out, p);
	out->begin_list(out, "processes");
	for (uint32_t i = 1; i <= alleria_run(p)->processes; i++)
		write_process_facts(out, p, alleria_process(p, i));
	out->end(out);
	out->end(out);
	out->end(out);
}
