/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_text.h - prints a result as tables for people */
#ifndef BASE_RESULT_RESULT_TEXT_H
#define BASE_RESULT_RESULT_TEXT_H

#include "base/result/model.h"
#include "base/text/report_sink.h"

/* The reader's choice. */
struct al_shown {
	size_t top; /* rows of each table; 0: as the view has it */
	bool full;  /* extra views, too */
};

/**
 * al_view_print() - Print a table through a view.
 *
 * Each column is as wide as its longest cell; a label is cut to what is left of
 * the line. A name is not cut where lines have any length.
 *
 * Return: 0, or -ENOMEM with nothing printed or with the last rows missing.
 */
int al_view_print(const struct al_view *, const struct al_shown *,
		  struct an_text *);

/* Print the numbers of the root, if it has a title, and the views that are no
   details; print the details. Return: 0 or -ENOMEM. */
int al_model_print_numbers_and_views(const struct al_model *,
				     const struct al_shown *, struct an_text *);
int al_model_print_detail_views(const struct al_model *,
				const struct al_shown *, struct an_text *);

#endif
