/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_notes.c - adds notes to the result of the analysis "data"; see rows.h
   and field_list.h */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/field_list.h"
#include "analyzers/data/row_label.h"
#include "analyzers/notes.h"
#include "base/text/line_writer.h"
#include "base/text/path.h"

enum {
	MAX_NOTE = 512,	  /* [bytes] buffer of a note that names no function */
	MAX_NAMED = 1024, /* [bytes] maximum length of the name of one
			      allocator function in a note */
	MAX_ROW_NOTE = 1024, /* [bytes] buffer of a note that names a row */
	MISSING_NAMED = 3, /* number of allocator functions that are named if no
			      image has them */
};

/* Add a note to the text report, and to the list "notes" of the JSON, which the
   caller has opened. */
static void add_note(struct al_model *m, const char *note)
{
	al_model_add_uncopied_string(m, NULL, an_note_add_line(m, note));
}

/* Note that says why no members of a row are known. */
struct members_note {
	const char *label; /* of the row; cut in the text */
	const char *reason;
};

static const char no_members[] = "no members of ";

static void print_missing_members_note(const void *note, uint64_t unused,
				       struct an_text *text)
{
	const struct members_note *n = note;
	size_t others = strlen(no_members) + strlen(": ") + strlen(n->reason);
	char *label = an_data_cut_label(
		n->label, text->columns > others ? text->columns - others : 0);
	char line[MAX_ROW_NOTE];

	(void)unused;
	if (label != NULL) {
		snprintf(line, sizeof(line), "%s%s: %s", no_members, label,
			 n->reason);
		text->line(text, line);
	}
	free(label);
}

static void add_note_why_row_has_no_members(struct al_model *m,
					    const char *label,
					    const char *reason)
{
	struct members_note *note =
		al_model_alloc_uninitialised(m, sizeof(*note));
	char whole[MAX_ROW_NOTE];

	if (note == NULL)
		return;
	*note = (struct members_note){label, reason};
	snprintf(whole, sizeof(whole), "%s%s: %s", no_members, label, reason);
	al_model_add_uncopied_string(
		m, NULL, al_model_copy_string_empty_if_no_memory(m, whole));
	al_model_add_view_copy(
		m, &(struct al_view){.draw = print_missing_members_note,
				     .state = note});
}

/* Add a note with the number of data objects that were not recorded, if there
   are any. */
static void add_note_if_unrecorded_objects(struct al_model *m, uint64_t count)
{
	char number[AL_NUMBER_BYTES], note[MAX_NOTE];

	if (count == 0)
		return;
	snprintf(note, sizeof(note),
		 "%s data objects are not known: too many existed at a time",
		 al_number_format_grouped(number, count));
	add_note(m, note);
}

/* Add a note to the text: reads at entries of allocator functions may differ
   from Cachegrind's, because recording data objects changes which loads VEX
   removes there. */
static void add_allocator_reads_note(struct al_model *m)
{
	an_note_add_line(m, "where an allocator begins, Cachegrind may count "
			    "other reads: doc/DATA.md");
}

/* Add a note if heap blocks overlapped, or free() or realloc() was called for
   an address that is no heap block: then a file of --allocators may describe a
   function wrongly, or name the function that frees but not the one that
   allocates. */
static void add_note_if_overlaps_or_bad_frees(struct al_model *m,
					      const struct an_data_rows *t)
{
	char overlaps[AL_NUMBER_BYTES], bad_frees[AL_NUMBER_BYTES];
	char note[MAX_NOTE];

	if (t->overlaps == 0 && t->bad_frees == 0)
		return;
	snprintf(note, sizeof(note),
		 "overlapping heap blocks: %s, bad frees: %s; "
		 "check --allocators",
		 al_number_format_grouped(overlaps, t->overlaps),
		 al_number_format_grouped(bad_frees, t->bad_frees));
	add_note(m, note);
}

/* Note the first MISSING_NAMED functions that the user names as allocators and
   that no exec image (program that a process ran) has, and the number of the
   other missing ones. */
static void
add_notes_of_named_allocators_not_found(struct al_model *m,
					const struct an_data_rows *t)
{
	char note[MAX_NAMED + 40];
	unsigned n = 0;

	for (uint32_t i = 0; i < t->missing_named.n; i++) {
		const struct an_symbol *f = &t->missing_named.function[i];

		if (an_data_rows_has_user_named_allocator(t, f) ||
		    n++ >= MISSING_NAMED)
			continue;
		snprintf(note, sizeof(note), "--allocators: %s was not found",
			 f->function);
		add_note(m, note);
	}
	snprintf(note, sizeof(note),
		 "--allocators: %u more functions were not found",
		 n - MISSING_NAMED);
	if (n > MISSING_NAMED)
		add_note(m, note);
}

/* ---- members ---- */

/* Whether a name is that of a variable of the start files that the compiler
   links to each program, such as crtbegin.o; these have no debug
   information. */
static bool is_variable_of_start_files(const char *name)
{
	static const char *const names[] = {"completed.", "__dso_handle",
					    "_IO_stdin_used", "__TMC_END__"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool can_have_members(const struct an_data_row *r)
{
	return an_data_kind_is_heap_or_pool_block(r->kind) ||
	       (an_data_kind_is_static_or_tls_variable(r->kind) &&
		!(r->type == NULL && is_variable_of_start_files(r->name)));
}

bool an_data_row_is_of_own_code(const struct an_data_row *r)
{
	struct an_own_place own;

	if (!an_data_kind_is_static_or_tls_variable(r->kind))
		return an_data_row_find_user_code_caller(r, &own);
	return !al_path_is_in_system_folder(r->object) && can_have_members(r);
}

static const char *reason_of_missing_type(const struct an_data_row *r)
{
	if (an_data_kind_is_static_or_tls_variable(r->kind))
		return "no debug information has its type";
	return r->n_site > 0 && r->site[0].line > 0 ? "no access implied a type"
						    : "no debug information";
}

/* Return why no members of a row of blocks or variables are known, such as "no
   access implied a type". NULL: members are known. */
static const char *reason_of_missing_members(const struct an_data_row *r)
{
	const struct an_type *type = an_data_row_type_with_member_fields(r);

	if (an_data_row_has_no_common_element_size(r))
		return "its blocks have different sizes";
	if (an_data_row_static_or_voted_type(r) == NULL)
		return reason_of_missing_type(r);
	if (an_data_row_static_or_voted_type(r)->size > AN_MAX_EXACT_ELEMENT)
		return "its type has more than 4096 bytes";
	if (type == NULL)
		return "its type does not divide its size";
	return type->n_members < 2 && type->flexible_member == NULL
		       ? "its type is no structure"
		       : NULL;
}

/* If the members of none of the rows are known, add a note that says why. It
   names one row: the first in the program's own code that could have members,
   or else the first that could have any; if there is none, the note says that.
   @row: [n], the rows with most misses first. */
static void
add_note_why_no_row_has_members(const struct an_data_row *const *row,
				uint32_t n, struct al_model *m)
{
	const struct an_data_row *first = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (!can_have_members(row[i]))
			continue;
		if (reason_of_missing_members(row[i]) == NULL)
			return;
		if (first == NULL || (an_data_row_is_of_own_code(row[i]) &&
				      !an_data_row_is_of_own_code(first)))
			first = row[i];
	}
	if (first == NULL) {
		add_note(m, "no members: the first rows are neither heap "
			    "blocks nor variables");
		return;
	}
	add_note_why_row_has_no_members(
		m, an_data_row_alloc_label_in_model(m, first),
		reason_of_missing_members(first));
}

/* ---- all notes ---- */

/* Note overlapping blocks and bad frees; objects that are not known; each
   program in which no allocator was
   found; functions of the user that were not found; why no members are known of
   the first rows, if that is so for all of them; and that the profile has no
   data objects at all. Each only if it is so. */
static void
add_list_of_notes(struct al_model *m, const struct an_data_rows *t,
		  const struct an_data_row *const *row_to_report_members_of,
		  uint32_t n, const struct an_data_options *options)
{
	char note[MAX_NOTE];

	al_model_begin_list(m, "notes");
	add_note_if_overlaps_or_bad_frees(m, t);
	add_note_if_unrecorded_objects(m, t->unrecorded);
	for (uint32_t i = 0; i < t->without_allocator.n; i++) {
		snprintf(note, sizeof(note),
			 "no allocator was found in %s, "
			 "heap blocks are not known",
			 t->without_allocator.function[i].object);
		add_note(m, note);
	}
	add_notes_of_named_allocators_not_found(m, t);
	if (options->has_fields && options->by != AN_BY_KIND && t->has_events)
		add_note_why_no_row_has_members(row_to_report_members_of, n, m);
	if (!t->has_events)
		add_note(m, "no data objects were recorded, which "
			    "--record=data,address does");
	al_model_end_object_or_list(m);
}

void an_data_rows_add_notes(
	const struct an_data_rows *t,
	const struct an_data_row *const *row_to_report_members_of, uint32_t n,
	const struct an_data_options *options, struct al_model *m)
{
	if (t->has_events)
		add_allocator_reads_note(m);
	add_list_of_notes(m, t, row_to_report_members_of, n, options);
}
