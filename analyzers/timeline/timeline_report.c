/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline_report.c - builds the result of a timeline; see timeline.h */

#include "analyzers/timeline/timeline.h"

static void add_series_as_fields(const struct an_time_chart *chart,
				 struct al_model *m)
{
	al_model_begin_object(m, "fields");
	for (unsigned i = 0; i < chart->n_series; i++)
		al_model_add_uncopied_series(m, chart->series[i].name, NULL,
					     chart->series[i].count,
					     chart->counts->bins.n);
	al_model_end_object_or_list(m);
}

static void add_heat_counts_of_rows(struct al_model *m, const char *key,
				    const struct an_heat_row *const *row,
				    unsigned n, enum an_heat_kind kind,
				    uint32_t n_columns)
{
	al_model_begin_list(m, key);
	for (unsigned i = 0; i < n; i++)
		al_model_add_uncopied_series(m, NULL, NULL, row[i]->count[kind],
					     n_columns);
	al_model_end_object_or_list(m);
}

static void add_heat_map_row_addresses(struct al_model *m,
				       unsigned granule_shift,
				       const struct an_heat_row *const *row,
				       unsigned n)
{
	al_model_begin_list(m, "rows");
	for (unsigned i = 0; i < n; i++) {
		al_model_begin_object(m, NULL);
		al_model_add_number(m, "address", NULL, NULL,
				    row[i]->granule << granule_shift);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

static void add_heat_map(const struct an_time_counts *c, struct al_model *m)
{
	const struct an_heat_map *h = &c->heat;
	uint32_t n_columns =
		(c->bins.n + AN_BINS_PER_COLUMN - 1) / AN_BINS_PER_COLUMN;
	const struct an_heat_row **row =
		al_model_alloc_uninitialised(m, (h->n_rows + 1) * sizeof(*row));

	if (row == NULL)
		return;
	an_heat_map_list_rows_by_address(h, row);
	al_model_begin_object(m, "heat");
	al_model_add_number(
		m, "granule", NULL, "bytes",
		UINT64_C(1) << (h->row ? h->granule_shift : AN_PAGE_SHIFT));
	al_model_add_number(m, "width", NULL, "instructions",
			    an_bins_width(&c->bins) * AN_BINS_PER_COLUMN);
	add_heat_map_row_addresses(m, h->granule_shift, row, h->n_rows);
	add_heat_counts_of_rows(m, "accesses", row, h->n_rows, AN_HEAT_ACCESSES,
				n_columns);
	add_heat_counts_of_rows(m, "misses", row, h->n_rows, AN_HEAT_MISSES,
				n_columns);
	al_model_end_object_or_list(m);
}

static void add_chart_view(const struct an_time_chart *chart,
			   struct al_model *m)
{
	struct an_time_chart *copy =
		al_model_alloc_uninitialised(m, sizeof(*copy));

	if (copy == NULL || chart->series == NULL)
		return;
	*copy = *chart;
	al_model_add_view_copy(m, &(struct al_view){.title = "Timeline",
						    .is_detail = true,
						    .draw = an_time_chart_print,
						    .state = copy});
}

void an_time_counts_add_to_model(const struct an_time_counts *c,
				 const struct an_geometry *g,
				 struct al_model *m)
{
	struct an_time_chart chart = {.counts = c, .geometry = g};

	chart.series = an_time_counts_list_series(c, g, m, &chart.n_series);
	al_model_add_number(m, "width", NULL, "instructions",
			    an_bins_width(&c->bins));
	al_model_add_number(m, "bins", NULL, NULL, c->bins.n);
	add_series_as_fields(&chart, m);
	if (c->has_heat)
		add_heat_map(c, m);
	add_chart_view(&chart, m);
}
