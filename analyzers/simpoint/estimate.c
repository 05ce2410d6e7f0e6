/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.c - computes estimates of the totals and builds the result
 *
 * An estimate is the sum over intervals of (instructions of the cluster) *
 * (events of the interval) / (instructions of the interval).
 */
#include <stdio.h>

#include "analyzers/notes.h"
#include "analyzers/simpoint/simpoint.h"

static const char *const event_name[AN_EVENTS] = {
	"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw",
};

static double estimate_event(const struct an_simpoint *s, int event)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_points; i++) {
		const struct an_sample_point *p = &s->point[i];

		sum += (double)p->instrs * (double)p->counts.n[event] /
		       (double)p->length;
	}
	return sum;
}

/* Return (estimate - true) / true; the divisor is 1 if the true number is 0. */
static double relative_error(double estimate, uint64_t truth)
{
	return (estimate - (double)truth) / (double)(truth ? truth : 1);
}

static void add_sample_points_to_model(const struct an_simpoint *s,
				       struct al_model *m)
{
	al_model_begin_list(m, "points");
	for (size_t i = 0; i < s->n_points; i++) {
		const struct an_sample_point *p = &s->point[i];

		al_model_begin_object(m, NULL);
		al_model_add_number(m, "interval", NULL, NULL, p->interval);
		al_model_add_real(m, "weight", NULL, NULL,
				  (double)p->instrs / (double)s->instrs);
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

static void add_event_estimates_and_errors(const struct an_simpoint *s,
					   struct al_model *m)
{
	al_model_begin_object(m, "totals");
	for (int i = 0; i < AN_EVENTS; i++) {
		double estimate = estimate_event(s, i);

		al_model_begin_object(m, event_name[i]);
		al_model_add_real(m, "estimate", NULL, NULL, estimate);
		if (s->has_truth) {
			al_model_add_number(m, "true", NULL, NULL,
					    s->total.n[i]);
			al_model_add_real(
				m, "error", NULL, NULL,
				relative_error(estimate, s->total.n[i]));
		}
		al_model_end_object_or_list(m);
	}
	al_model_end_object_or_list(m);
}

enum { NAME, ESTIMATE, TRUTH, ERROR, COLUMNS };

static const struct al_column column[COLUMNS] = {
	[NAME] = {.title = "event", .kind = AL_COLUMN_TEXT},
	[ESTIMATE] = AL_NUMBER_COLUMN(NULL, "estimate"),
	[TRUTH] = AL_NUMBER_COLUMN(NULL, "true"),
	[ERROR] = {.title = "error", .kind = AL_COLUMN_TEXT},
};
static const unsigned with_truth[] = {NAME, ESTIMATE, TRUTH, ERROR};
static const unsigned without_truth[] = {NAME, ESTIMATE};

static void add_event_estimate_row(const struct an_simpoint *s,
				   struct al_model *m, struct al_table *t,
				   int event)
{
	double estimate = estimate_event(s, event);
	char error[32];

	snprintf(error, sizeof(error), "%+.2f%%",
		 100 * relative_error(estimate, s->total.n[event]));
	al_table_add_row(
		m, t,
		(union al_cell[]){
			[NAME] = {.text = event_name[event]},
			[ESTIMATE] = {.number = (uint64_t)(estimate + 0.5)},
			[TRUTH] = {.number = s->total.n[event]},
			[ERROR] = {
				.text = al_model_copy_string_empty_if_no_memory(
					m, error)}});
}

static void add_estimate_table_and_view(const struct an_simpoint *s,
					struct al_model *m)
{
	struct al_table *t =
		al_model_add_table(m, NULL, "estimates", column, COLUMNS);

	for (int i = 0; i < AN_EVENTS; i++)
		add_event_estimate_row(s, m, t, i);
	if (s->has_truth)
		al_model_add_view_copy(m, AL_VIEW("Estimates from intervals", t,
						  with_truth,
						  .sort = AL_UNSORTED));
	else
		al_model_add_view_copy(m, AL_VIEW("Estimates from intervals", t,
						  without_truth,
						  .sort = AL_UNSORTED));
}

/* Add why there is no estimate to the JSON and to the text. @note: a constant
   string. */
static void add_note(struct al_model *m, const char *note)
{
	al_model_add_uncopied_string(m, "note", an_note_add_line(m, note));
}

/* Return why there is no estimate; NULL if there is one. */
static const char *why_no_estimate_or_null(const struct an_simpoint *s)
{
	if (s->is_merged)
		return "no estimate: the run has several programs";
	if (s->next_point < s->n_points ||
	    (s->run_instrs != 0 && s->run_instrs != s->instrs))
		return "no estimate: the intervals are those of another run";
	return NULL;
}

void an_simpoint_add_result_to_model(const void *state, struct al_model *m)
{
	const struct an_simpoint *s = state;
	const char *note = why_no_estimate_or_null(s);

	m->title = "Representative intervals";
	al_model_add_number(m, "interval", NULL, "instructions", s->interval);
	al_model_add_number(m, "intervals", "chosen intervals", NULL,
			    s->n_points);
	if (note != NULL) {
		add_note(m, note);
		return;
	}
	add_sample_points_to_model(s, m);
	add_event_estimates_and_errors(s, m);
	add_estimate_table_and_view(s, m);
}
