/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - orders functions and lines by change, and formats counts, for all
   outputs; see output.h */

#include "lib/diff/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/line_writer.h"

uint64_t
al_diff_absolute_change(const struct al_diff_costs old_and_new_costs[2],
			int event)
{
	uint64_t a = old_and_new_costs[0].event[event],
		 b = old_and_new_costs[1].event[event];

	return a < b ? b - a : a - b;
}

bool al_diff_any_event_differs(const struct al_diff_costs old_and_new_costs[2])
{
	return memcmp(&old_and_new_costs[0], &old_and_new_costs[1],
		      sizeof(old_and_new_costs[0])) != 0;
}

bool al_diff_any_data_count_differs(const struct al_diff_data *data)
{
	return memcmp(data->count[0], data->count[1], sizeof(data->count[0]));
}

bool al_diff_any_count_differs(const struct al_diff *d)
{
	const struct al_diff_costs totals[2] = {d->in[0]->totals,
						d->in[1]->totals};
	bool differs = al_diff_any_event_differs(totals);

	for (size_t i = 0; !differs && i < d->n_functions; i++)
		differs = al_diff_any_event_differs(d->function[i].costs);
	for (size_t i = 0; !differs && i < d->n_lines; i++)
		differs = al_diff_any_event_differs(d->line[i].costs);
	for (size_t i = 0; !differs && i < d->n_data; i++)
		differs = al_diff_any_data_count_differs(&d->data[i]);
	return differs;
}

int al_diff_weighted_most_changed_event_or_0(
	const struct al_diff_costs old_and_new_costs[2])
{
	static const double weight[AL_DIFF_EVENTS] = {1,   10, 100, 1,	10,
						      100, 1,  10,  100};
	double most = 0, x;
	int best = 0;

	for (int i = 0; i < AL_DIFF_EVENTS; i++) {
		x = weight[i] *
		    (double)al_diff_absolute_change(old_and_new_costs, i);
		if (x > most) {
			most = x;
			best = i;
		}
	}
	return best;
}

int al_diff_most_changed_total_event(const struct al_diff *d)
{
	const struct al_diff_costs c[2] = {d->in[0]->totals, d->in[1]->totals};

	return al_diff_weighted_most_changed_event_or_0(c);
}

char *al_diff_format_signed_difference(char to[AL_DIFF_NUMBER],
				       uint64_t old_count, uint64_t new_count)
{
	char n[AL_NUMBER_BYTES];

	snprintf(to, AL_DIFF_NUMBER, "%s%s",
		 old_count < new_count	 ? "+"
		 : old_count > new_count ? "-"
					 : "",
		 al_number_format_grouped(n, old_count < new_count
						     ? new_count - old_count
						     : old_count - new_count));
	return to;
}

char *al_diff_format_percent_new_or_gone(char to[AL_DIFF_NUMBER],
					 uint64_t old_count, uint64_t new_count)
{
	double change = new_count >= old_count
				? (double)(new_count - old_count)
				: -(double)(old_count - new_count);

	if (old_count == new_count)
		snprintf(to, AL_DIFF_NUMBER, "-");
	else if (old_count == 0)
		snprintf(to, AL_DIFF_NUMBER, "new");
	else if (new_count == 0)
		snprintf(to, AL_DIFF_NUMBER, "gone");
	else
		snprintf(to, AL_DIFF_NUMBER, "%+.2f%%",
			 100 * change / (double)old_count);
	return to;
}

/* Compare two pointers to functions for qsort_r(): the larger absolute change
   of event *@event, up or down, comes first; functions of equal change are
   ordered by name and object. */
static int compare_functions_largest_change_first(const void *x, const void *y,
						  void *event)
{
	const struct al_diff_function *a =
		*(const struct al_diff_function *const *)x;
	const struct al_diff_function *b =
		*(const struct al_diff_function *const *)y;
	uint64_t p = al_diff_absolute_change(a->costs, *(int *)event);
	uint64_t q = al_diff_absolute_change(b->costs, *(int *)event);

	if (p != q)
		return p < q ? 1 : -1;
	return strcmp(a->name, b->name) ?: strcmp(a->object, b->object);
}

static int compare_lines_largest_change_first(const void *x, const void *y,
					      void *event)
{
	const struct al_diff_line *a = *(const struct al_diff_line *const *)x;
	const struct al_diff_line *b = *(const struct al_diff_line *const *)y;
	uint64_t p = al_diff_absolute_change(a->costs, *(int *)event);
	uint64_t q = al_diff_absolute_change(b->costs, *(int *)event);
	int c;

	if (p != q)
		return p < q ? 1 : -1;
	c = strcmp(a->path, b->path);
	if (c == 0)
		c = (a->line[0] > b->line[0]) - (a->line[0] < b->line[0]);
	if (c == 0)
		c = (a->line[1] > b->line[1]) - (a->line[1] < b->line[1]);
	return c ? c : strcmp(a->object, b->object);
}

const struct al_diff_function **
al_diff_list_changed_functions_sorted(const struct al_diff *d, int sort_event,
				      size_t *function_count)
{
	const struct al_diff_function **sorted =
		calloc(d->n_functions + 1, sizeof(*sorted));

	*function_count = 0;
	for (size_t i = 0; sorted && i < d->n_functions; i++)
		if (al_diff_any_event_differs(d->function[i].costs))
			sorted[(*function_count)++] = &d->function[i];
	if (sorted)
		qsort_r(sorted, *function_count, sizeof(*sorted),
			compare_functions_largest_change_first, &sort_event);
	return sorted;
}

const struct al_diff_line **
al_diff_list_changed_lines_sorted(const struct al_diff *d, int sort_event,
				  size_t *line_count)
{
	const struct al_diff_line **sorted =
		calloc(d->n_lines + 1, sizeof(*sorted));

	*line_count = 0;
	for (size_t i = 0; sorted && i < d->n_lines; i++)
		if (al_diff_any_event_differs(d->line[i].costs))
			sorted[(*line_count)++] = &d->line[i];
	if (sorted)
		qsort_r(sorted, *line_count, sizeof(*sorted),
			compare_lines_largest_change_first, &sort_event);
	return sorted;
}

static uint64_t absolute_change_of_data(const struct al_diff_data *data,
					int count)
{
	uint64_t a = data->count[0][count], b = data->count[1][count];

	return a < b ? b - a : a - b;
}

static int compare_data_largest_change_first(const void *x, const void *y,
					     void *count)
{
	const struct al_diff_data *a = *(const struct al_diff_data *const *)x;
	const struct al_diff_data *b = *(const struct al_diff_data *const *)y;
	uint64_t p = absolute_change_of_data(a, *(int *)count);
	uint64_t q = absolute_change_of_data(b, *(int *)count);

	if (p != q)
		return p < q ? 1 : -1;
	return strcmp(a->name, b->name);
}

const struct al_diff_data **
al_diff_list_changed_data_sorted(const struct al_diff *d,
				 enum al_diff_data_count count,
				 size_t *data_count)
{
	const struct al_diff_data **sorted =
		calloc(d->n_data + 1, sizeof(*sorted));
	int index = (int)count;

	*data_count = 0;
	for (size_t i = 0; sorted && i < d->n_data; i++)
		if (absolute_change_of_data(&d->data[i], index))
			sorted[(*data_count)++] = &d->data[i];
	if (sorted)
		qsort_r(sorted, *data_count, sizeof(*sorted),
			compare_data_largest_change_first, &index);
	return sorted;
}

void al_diff_format_data_name_and_match(char *to, size_t size,
					const struct al_diff_data *data)
{
	size_t n = (size_t)snprintf(to, size, "%s", data->name);

	if (n < size && data->b_name)
		n += (size_t)snprintf(to + n, size - n, " -> %s", data->b_name);
	if (n < size && data->n_rows[0] > 1)
		n += (size_t)snprintf(to + n, size - n, " x%u",
				      data->n_rows[0]);
	if (n < size && data->match != AL_DIFF_SAME)
		snprintf(to + n, size - n, ", %s",
			 al_diff_match_name(data->match));
}

const char *al_diff_data_count_name(char buffer[AL_DIFF_NUMBER],
				    const struct al_diff *d,
				    enum al_diff_data_count count)
{
	const char *const *level = d->in[1]->data_level;

	if (count == AL_DIFF_BYTES)
		return "bytes";
	if (count == AL_DIFF_FIRST_MISSES && level[0] == level[1])
		return NULL;
	snprintf(buffer, AL_DIFF_NUMBER, "%s misses", level[count] ?: "???");
	return buffer;
}

void al_diff_format_line_numbers_and_match(char *to, size_t size,
					   const struct al_diff_line *l)
{
	const char *mark = l->match == AL_DIFF_GUESSED ? " ?" : "";

	if (l->line[0] == 0 && l->line[1] == 0)
		snprintf(to, size, "no line");
	else if (!l->has[0])
		snprintf(to, size, "new %u", l->line[1]);
	else if (!l->has[1])
		snprintf(to, size, "gone %u", l->line[0]);
	else if (l->line[0] == l->line[1])
		snprintf(to, size, "%u%s", l->line[0], mark);
	else
		snprintf(to, size, "%u -> %u%s", l->line[0], l->line[1], mark);
}

void al_diff_format_limit_verdict(char *to, size_t size,
				  const struct al_diff_limit *checked_limit)
{
	char found[64];

	if (isinf(checked_limit->found))
		snprintf(found, sizeof(found), "was 0");
	else if (checked_limit->is_percent)
		snprintf(found, sizeof(found), "%+.2f%%", checked_limit->found);
	else
		snprintf(found, sizeof(found),
			 checked_limit->is_change ? "%+.0f" : "%.0f",
			 checked_limit->found);
	snprintf(to, size, "%s %s (%s)", checked_limit->text,
		 checked_limit->exceeded ? "EXCEEDED" : "holds", found);
}

const char *al_diff_readable_event_name(int event)
{
	static const char *const name[AL_DIFF_EVENTS] = {
		"instructions", "I1 misses",	   "LL instruction misses",
		"data reads",	"D1 read misses",  "LL read misses",
		"data writes",	"D1 write misses", "LL write misses"};

	return name[event];
}
