/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suite.c - the comparison of two folders of reports; see suite.h */

#include "lib/diff/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/diff/output.h"

/* Append a row with a copy of @name, and zeros in all other members, to the
   suite. Return: the row, owned by the suite; NULL if memory is short. */
static struct al_diff_suite_row *
append_row_with_name_copy(struct al_diff_suite *s, const char *name)
{
	struct al_diff_suite_row *row =
		reallocarray(s->row, s->n + 1, sizeof(*row));

	if (row == NULL)
		return NULL;
	s->row = row;
	row += s->n;
	*row = (struct al_diff_suite_row){.name = strdup(name)};
	if (row->name == NULL)
		return NULL;
	s->n++;
	return row;
}

int al_diff_suite_add_unpaired_report(struct al_diff_suite *s, const char *name,
				      int side)
{
	struct al_diff_suite_row *row = append_row_with_name_copy(s, name);

	if (row == NULL)
		return -ENOMEM;
	row->is_in[side] = true;
	return 0;
}

/* Return a new array of copies of @limits, each evaluated in comparison @d; a
   copy's @text becomes NULL if nothing in @d matches the limit's scope. Return
   NULL if memory is short. */
static struct al_diff_limit *
evaluate_copies_of_limits(const struct al_diff_limits *limits,
			  const struct al_diff *d)
{
	struct al_diff_limit *copy = calloc(limits->n + 1, sizeof(*copy));
	char message[AL_MESSAGE];

	for (size_t i = 0; copy && i < limits->n; i++) {
		copy[i] = limits->limit[i];
		if (al_diff_evaluate_limit_on_sum_in_scope(d, &copy[i],
							   message) != 0)
			copy[i].text = NULL;
	}
	return copy;
}

int al_diff_suite_add_pair_and_check_limits(struct al_diff_suite *s,
					    const char *name,
					    const struct al_diff *d,
					    bool sum_if_not_comparable)
{
	struct al_diff_suite_row *row = append_row_with_name_copy(s, name);

	if (row == NULL)
		return -ENOMEM;
	row->is_in[0] = row->is_in[1] = true;
	row->comparable = d->comparable;
	row->differs = al_diff_any_count_differs(d);
	if (d->comparable == AL_DIFF_NOT_COMPARABLE && d->obstacles.n > 0)
		row->obstacle = strdup(d->obstacles.text[0]);
	row->is_summed = sum_if_not_comparable ||
			 d->comparable != AL_DIFF_NOT_COMPARABLE;
	for (int side = 0; side < 2; side++) {
		row->totals[side] = d->in[side]->totals;
		if (row->is_summed)
			al_diff_add_costs_of_each_event(&s->totals[side],
							&row->totals[side]);
	}
	if (!row->is_summed)
		return 0;
	row->limit = evaluate_copies_of_limits(s->limits, d);
	return row->limit ? 0 : -ENOMEM;
}

/* Whether the scope of limit @limit_index matches something in at least one
   summed pair. */
static bool is_limit_scope_matched_in_any_pair(const struct al_diff_suite *s,
					       size_t limit_index)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].limit && s->row[i].limit[limit_index].text)
			return true;
	return false;
}

int al_diff_suite_check_limit_scopes_match(const struct al_diff_suite *s,
					   char *message)
{
	if (al_diff_suite_count_summed_pairs(s) == 0)
		return 0;
	for (size_t i = 0; i < s->limits->n; i++)
		if (!is_limit_scope_matched_in_any_pair(s, i))
			return al_message_return_einval(
				message,
				"limit '%.200s': nothing matches "
				"'%.100s' in any report",
				s->limits->limit[i].text,
				s->limits->limit[i].pattern);
	return 0;
}

size_t al_diff_suite_count_pairs_exceeding(const struct al_diff_suite *s,
					   size_t limit_index)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->row[i].limit && s->row[i].limit[limit_index].text &&
		     s->row[i].limit[limit_index].exceeded;
	return n;
}

size_t al_diff_suite_count_unpaired_reports(const struct al_diff_suite *s,
					    int side)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->row[i].is_in[side] && !s->row[i].is_in[!side];
	return n;
}

size_t al_diff_suite_count_summed_pairs(const struct al_diff_suite *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->row[i].is_summed;
	return n;
}

void al_diff_suite_release(struct al_diff_suite *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->row[i].name);
		free(s->row[i].obstacle);
		free(s->row[i].limit);
	}
	free(s->row);
	s->row = NULL;
	s->n = 0;
}
