/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind.c - notes in which properties, such as caches, builds and environment,
 * two runs differ; see compare.h
 *
 * Counts are exact, so two runs of one program differ only for a reason: these
 * properties are the reasons that a report knows.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "base/text/path.h"
#include "lib/diff/compare.h"
#include "lib/diff/normal_name.h"
#include "proto/shared/command_cut.h"

__attribute__((format(printf, 2, 3))) static void
append_note_if_room(struct al_diff_notes *n, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (n->n < AL_DIFF_MAX_NOTES &&
	    vasprintf(&n->text[n->n], format, args) >= 0)
		n->n++;
	va_end(args);
}

static void note_incomplete_runs(struct al_diff *d)
{
	for (int side = 0; side < 2; side++) {
		const struct al_diff_input *in = d->in[side];

		if (in->status && strcmp(in->status, "complete") != 0)
			append_note_if_room(&d->obstacles, "%s is %s%s%s",
					    al_path_base_name(in->path),
					    in->status, in->reason ? ", " : "",
					    in->reason ? in->reason : "");
	}
}

static void note_whether_caches_equal(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];
	bool all = a->kind == AL_DIFF_JSON && b->kind == AL_DIFF_JSON;
	const char *one = all ? a->levels : a->first_and_last;
	const char *other = all ? b->levels : b->first_and_last;

	if (one == other)
		append_note_if_room(&d->same, "geometry");
	else
		append_note_if_room(
			&d->obstacles,
			"caches differ: %s, and %s; 'alleria replay' gives a "
			"profile's report with other caches",
			one ? one : "unknown", other ? other : "unknown");
}

/* Note the versions of Alleria if they differ, and whether those of Valgrind
   are equal, as far as both inputs have them. */
static void note_whether_tool_versions_are_equal(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	if (a->version && b->version && a->version != b->version)
		append_note_if_room(&d->noted, "Alleria %s, and %s", a->version,
				    b->version);
	if (!a->valgrind || !b->valgrind)
		return;
	if (a->valgrind == b->valgrind)
		append_note_if_room(&d->same, "Valgrind %s", a->valgrind);
	else
		append_note_if_room(&d->noted, "Valgrind %s, and %s",
				    a->valgrind, b->valgrind);
}

static void note_whether_cpu_features_equal(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	if (!a->features || !b->features)
		return;
	if (a->features == b->features)
		append_note_if_room(&d->same, "CPU features");
	else
		append_note_if_room(
			&d->noted,
			"CPU features differ: libraries may choose other "
			"functions, for example another memcpy() (%s, and %s)",
			a->processor ? a->processor : "unknown",
			b->processor ? b->processor : "unknown");
}

/* Return the part of the command from its first space on: the arguments. */
static const char *arguments_after_program(const struct al_diff_input *in)
{
	return in->command + strcspn(in->command, " ");
}

/* Return the length [bytes] of @command without the mark of a cut command; the
   whole length if it has none. Set @is_cut to whether it has the mark. */
static size_t length_without_cut_mark(const char *command, bool *is_cut)
{
	size_t n = strlen(command), mark = sizeof(PT_COMMAND_CUT) - 1;

	*is_cut = n >= mark && strcmp(command + n - mark, PT_COMMAND_CUT) == 0;
	return *is_cut ? n - mark : n;
}

/* Whether the arguments @a and @b of two commands are equal; if both are cut,
   so that the rest is not known, whether they are equal as far as both were
   recorded. Set @are_cut to whether both are cut. */
static bool are_recorded_arguments_equal(const char *a, const char *b,
					 bool *are_cut)
{
	bool a_cut, b_cut;
	size_t n = length_without_cut_mark(a, &a_cut);
	size_t m = length_without_cut_mark(b, &b_cut);

	*are_cut = a_cut && b_cut;
	return *are_cut ? strncmp(a, b, n < m ? n : m) == 0 : strcmp(a, b) == 0;
}

static void note_arguments_and_program_path_length(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];
	size_t n, m;
	bool are_cut;

	if (!a->command || !b->command || !a->program || !b->program)
		return;
	if (!are_recorded_arguments_equal(arguments_after_program(a),
					  arguments_after_program(b), &are_cut))
		append_note_if_room(&d->noted, "arguments: %s, and %s",
				    a->command, b->command);
	else if (are_cut)
		append_note_if_room(
			&d->noted,
			"arguments are cut at 64 KiB: the rest may differ");
	else
		append_note_if_room(&d->same, "arguments");
	n = strlen(a->program);
	m = strlen(b->program);
	if (n != m)
		append_note_if_room(
			&d->noted,
			"path of the program is %zu bytes %s: a few misses of "
			"start-up code may move",
			n < m ? m - n : n - m, n < m ? "longer" : "shorter");
}

static void note_whether_environment_variables_equal(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];
	char n[AL_NUMBER_BYTES];
	uint64_t bytes;

	if (!a->has_environment || !b->has_environment)
		return;
	if (a->environment_hash == b->environment_hash) {
		append_note_if_room(&d->same, "environment");
		return;
	}
	if (a->environment_bytes == b->environment_bytes &&
	    a->variables == b->variables) {
		append_note_if_room(&d->same, "size of the environment");
		return;
	}
	bytes = a->environment_bytes < b->environment_bytes
			? b->environment_bytes - a->environment_bytes
			: a->environment_bytes - b->environment_bytes;
	append_note_if_room(
		&d->noted,
		"environment differs by %s bytes (%" PRIu64 " variables, and "
		"%" PRIu64
		"): counts of start-up code may move by some hundred; "
		"--steady avoids that",
		al_number_format_grouped(n, bytes), a->variables, b->variables);
}

static void note_unequal_process_counts_or_names(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	if (a->n_processes != b->n_processes)
		append_note_if_room(&d->noted,
				    "%" PRIu64 " processes, and %" PRIu64,
				    a->n_processes, b->n_processes);
	else if (a->n_processes > 1 && a->programs != b->programs)
		append_note_if_room(&d->noted, "processes: %s, and %s",
				    a->programs, b->programs);
}

/* Return the first object of @in whose file name equals that of @path, both
   without folders and without the version after ".so"; NULL if there is
   none. */
static const struct al_diff_object *
find_object_by_base_name_without_version(const struct al_diff_input *in,
					 const char *path)
{
	char one[256], other[256];

	snprintf(one, sizeof(one), "%s", al_path_base_name(path));
	al_diff_drop_library_version(one);
	for (size_t i = 0; i < in->n_objects; i++) {
		snprintf(other, sizeof(other), "%s",
			 al_path_base_name(in->object[i].path));
		if (strcmp(al_diff_drop_library_version(other), one) == 0)
			return &in->object[i];
	}
	return NULL;
}

static bool is_object_file_named_like_program(const struct al_diff_input *in,
					      const struct al_diff_object *o)
{
	return in->program && strcmp(al_path_base_name(in->program),
				     al_path_base_name(o->path)) == 0;
}

static const struct al_diff_object *
find_main_program_object(const struct al_diff_input *in)
{
	for (size_t i = 0; i < in->n_objects; i++)
		if (is_object_file_named_like_program(in, &in->object[i]))
			return &in->object[i];
	return NULL;
}

/* Add a note for each object of both runs whose build ids differ: for libc to
   d->noted, for the program and other objects to d->builds. Add a note to
   d->same if the builds of libc are equal. */
static void note_object_build_id_differences(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	for (size_t i = 0; i < a->n_objects; i++) {
		const struct al_diff_object *o = &a->object[i], *p;
		const char *name = al_path_base_name(o->path);
		bool is_libc = strncmp(name, "libc.so", 7) == 0;

		p = is_object_file_named_like_program(a, o)
			    ? find_main_program_object(b)
			    : find_object_by_base_name_without_version(b,
								       o->path);
		if (p == NULL)
			continue;
		if (o->build_id == p->build_id) {
			if (is_libc)
				append_note_if_room(&d->same, "libc");
			continue;
		}
		append_note_if_room(is_libc ? &d->noted : &d->builds,
				    "build of %s (%.4s.. -> %.4s..)", name,
				    *o->build_id ? o->build_id : "none",
				    *p->build_id ? p->build_id : "none");
	}
}

static void note_window_differences(struct al_diff *d)
{
	const struct al_diff_input *a = d->in[0], *b = d->in[1];

	if (a->windows != b->windows)
		append_note_if_room(&d->obstacles,
				    "windows differ: '%s', and '%s'",
				    a->windows, b->windows);
}

void al_diff_record_comparability(struct al_diff *d)
{
	note_incomplete_runs(d);
	note_window_differences(d);
	note_whether_caches_equal(d);
	note_whether_tool_versions_are_equal(d);
	note_whether_cpu_features_equal(d);
	note_object_build_id_differences(d);
	note_arguments_and_program_path_length(d);
	note_whether_environment_variables_equal(d);
	note_unequal_process_counts_or_names(d);
	d->comparable = d->obstacles.n ? AL_DIFF_NOT_COMPARABLE
			: d->noted.n   ? AL_DIFF_NOTED
				       : AL_DIFF_ALL_SAME;
}
