/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_text.h - prints a result as tables for people */
#ifndef BASE_RESULT_RESULT_TEXT_H
#define BASE_RESULT_RESULT_TEXT_H

#include "base/result/model.h"
#include "base/text/report_sink.h"

/* Choices of the person who reads a report: how many rows of the views, and
   which views, are printed. */
struct al_shown {
	size_t top; /* maximum of rows of each view whose own `top` is not 0, in
		       place of that; 0: the view's own `top` */
	bool full;  /* whether views with `is_extra` are printed, too */
	/* upper limit of the `top` of a view, used only if `top` of this struct
	   is 0; 0: no limit. It applies to the views with `is_one_of_many`; to
	   all views if max_is_for_all_views is set */
	size_t max;
	bool max_is_for_all_views;
};

/* Print the numbers of the root, if the model has a title, and then the views
   without `is_detail`; the second function prints the views with `is_detail`.

   Each column is as wide as its longest cell or its title. A label is cut to
   the width that the other columns leave of the line; it is not cut if they
   leave none, or lines may have any length. A label that is cut to the same
   text as a different label follows on a line of its own, too. A line states
   how many rows are left out.

   Return: 0; -ENOMEM with some lines missing. */
int al_model_print_numbers_and_main_views(const struct al_model *,
					  const struct al_shown *,
					  struct an_text *);
int al_model_print_detail_views(const struct al_model *,
				const struct al_shown *, struct an_text *);

#endif
