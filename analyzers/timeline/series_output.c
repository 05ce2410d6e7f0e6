/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series_output.c - writes a timeline as CSV, or as JSON for Perfetto; see
   timeline.h */

#include <errno.h>

#include "analyzers/output_text.h"
#include "analyzers/timeline/timeline.h"
#include "base/result/result_csv.h"

/* ---- comma-separated values ---- */

/* Return a new table of a model: its first column, "start", is the number of
   instructions before a bin; the others are the series. NULL: memory is
   short. */
static struct al_table *
add_table_of_series_without_rows(struct al_model *m,
				 const struct an_named_series *series,
				 unsigned n_series)
{
	struct al_column *column = al_model_alloc_uninitialised(
		m, (n_series + 1) * sizeof(*column));

	if (column == NULL)
		return NULL;
	column[0] = (struct al_column)AL_NUMBER_COLUMN("start", NULL);
	for (unsigned i = 0; i < n_series; i++)
		column[i + 1] = (struct al_column)AL_NUMBER_COLUMN(
			series[i].name, NULL);
	return al_model_add_table(m, "bins", NULL, column, n_series + 1);
}

/* Add a row for each bin. */
static void add_rows_of_bins(struct al_model *m, struct al_table *t,
			     const struct an_bins *b,
			     const struct an_named_series *series,
			     unsigned n_series)
{
	union al_cell *cell =
		al_model_alloc_uninitialised(m, (n_series + 1) * sizeof(*cell));

	for (uint32_t bin = 0; cell && bin < b->n; bin++) {
		cell[0].number = (uint64_t)bin << b->shift;
		for (unsigned i = 0; i < n_series; i++)
			cell[i + 1].number = series[i].count[bin];
		al_table_add_row(m, t, cell);
	}
}

int an_time_counts_write_csv_to_env_output(const struct an_time_counts *c,
					   const struct an_env *env)
{
	const struct an_named_series *series;
	struct al_table *t = NULL;
	struct al_model m;
	unsigned n;
	int err;

	al_model_init(&m);
	series = an_time_counts_list_series(c, env->geometry, &m, &n);
	if (series != NULL)
		t = add_table_of_series_without_rows(&m, series, n);
	if (t != NULL)
		add_rows_of_bins(&m, t, &c->bins, series, n);
	err = m.error;
	if (!err && t != NULL)
		err = al_table_write_csv(t, env->write, env->host);
	al_model_release(&m);
	return err;
}

/* ---- counter tracks ---- */

/* Write @time [instructions] in microseconds, the unit of the format. One
   microsecond stands for 1000 instructions. */
static void write_instr_time_as_microseconds(struct an_output *out,
					     uint64_t time)
{
	an_output_write_decimal(out, time / 1000);
	an_output_write_string_unescaped(out, time % 1000 < 10	  ? ".00"
					      : time % 1000 < 100 ? ".0"
								  : ".");
	an_output_write_decimal(out, time % 1000);
}

static void write_counter_event(struct an_output *out, const char *name,
				uint64_t time, uint64_t count)
{
	an_output_write_string_unescaped(
		out, ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"");
	an_output_write_string_unescaped(out, name);
	an_output_write_string_unescaped(out, "\",\"ts\":");
	write_instr_time_as_microseconds(out, time);
	an_output_write_string_unescaped(out, ",\"args\":{\"count\":");
	an_output_write_decimal(out, count);
	an_output_write_string_unescaped(out, "}}");
}

/* Write an event for the first bin and each bin whose count differs from that
   of the bin before it: between events the value of a track does not change.
   The last event ends the track. */
static void write_counter_track(struct an_output *out, const struct an_bins *b,
				const struct an_named_series *s)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (i == 0 || s->count[i] != s->count[i - 1])
			write_counter_event(out, s->name,
					    (uint64_t)i << b->shift,
					    s->count[i]);
	write_counter_event(out, s->name, (uint64_t)b->n << b->shift, 0);
}

int an_time_counts_write_perfetto(const struct an_time_counts *c,
				  const struct an_env *env)
{
	struct an_output out = {.env = env};
	const struct an_named_series *series;
	struct al_model m;
	unsigned n;

	al_model_init(&m);
	series = an_time_counts_list_series(c, env->geometry, &m, &n);
	out.error = m.error;
	an_output_write_string_unescaped(
		&out, "{\"traceEvents\":[\n"
		      "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
		      "\"args\":{\"name\":\"1 us is 1000 instructions\"}}");
	for (unsigned i = 0; i < n; i++)
		write_counter_track(&out, &c->bins, &series[i]);
	an_output_write_string_unescaped(&out, "\n]}\n");
	al_model_release(&m);
	return out.error;
}
