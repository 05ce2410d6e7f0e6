/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_label.h - names a row of the report, a group of data objects, so that an
 * author of the program recognises it
 *
 * Threads: any.
 */
#ifndef ANALYZERS_DATA_ROW_LABEL_H
#define ANALYZERS_DATA_ROW_LABEL_H

#include "analyzers/data/rows.h"

/* A line of the user's own code. */
struct an_own_place {
	const char *function, *file;
	uint32_t line;
};

/* Find the innermost caller in the call stack (site) of a row that is the
   user's own code. A caller in a header of the system counts with the line that
   it was inlined into. Return: whether there is one. */
bool an_data_row_find_user_code_caller(const struct an_data_row *,
				       struct an_own_place *);

/* Return the kind of a row and where its data is from, as a string of the
   model: "heap make_list, list.c:12", "static visited [bfs]" (a variable and
   its object file) and the like. If no caller is own code, up to four frames of
   the site are shown, at most three with a name and three with an address, and
   their object file: "heap 0x1146 < 0x1082 [sort] < qsort". */
const char *an_data_row_alloc_label_in_model(struct al_model *,
					     const struct an_data_row *);

/* Return a copy of a label, cut to @most bytes if @most is at least 4. A source
   line at its end, such as ", list.c:12", remains if there is room. The caller
   frees it; NULL: memory is short. */
char *an_data_cut_label(const char *label, size_t most);

/* Return the title of the table of fields of a row with the name @label, such
   as "Fields of heap f, a.c:9: struct node, by 96% of its typed accesses", as a
   string of the model. It has no type if the type is not known, and no share
   for a variable. */
const char *an_data_row_make_title_of_field_table(struct al_model *,
						  const struct an_data_row *,
						  const char *label);

/* Return a copy of such a title, cut to @most bytes: first the words after the
   share, then the type, down to a least width, then the label as
   an_data_cut_label() does. The caller frees it; NULL: memory is short. */
char *an_data_cut_field_title(const char *title, size_t most);

/* Return the name of a kind, such as "heap". */
const char *an_data_kind_name(enum an_data_kind);

#endif
