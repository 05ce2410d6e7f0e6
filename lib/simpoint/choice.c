/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice.c - selects the number of clusters and an interval of each
 *
 * As SimPoint does, the least number of clusters is selected whose BIC is at
 * least 90 % of the way from the least to the greatest one.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/simpoint/simpoint.h"

static const double least_share_of_bic = 0.9;

static double squared_distance_from_centre(const struct al_clusters *c,
					   const struct al_intervals *s,
					   size_t interval_index)
{
	double sum = 0;

	for (int d = 0; d < AL_DIMENSIONS; d++) {
		double x = s->point[interval_index].coordinate[d] -
			   c->centre[c->cluster[interval_index]].coordinate[d];

		sum += x * x;
	}
	return sum;
}

static struct al_chosen
make_chosen_without_cluster_instrs(const struct al_intervals *all,
				   size_t interval_index)
{
	return (struct al_chosen){
		.interval = interval_index,
		.start = all->start[interval_index],
		.length = all->length[interval_index],
	};
}

static int compare_by_interval(const void *a, const void *b)
{
	const struct al_chosen *x = a, *y = b;

	return (x->interval > y->interval) - (x->interval < y->interval);
}

/* Store for each cluster the interval that is nearest to its centre, the first
   of several, and sort these intervals by time. @nearest: [c->k], for this
   function's use. */
static void choose_nearest_intervals(struct al_choice *out,
				     const struct al_clusters *c,
				     const struct al_intervals *s,
				     double *nearest)
{
	for (size_t k = 0; k < c->k; k++)
		nearest[k] = INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		double d = squared_distance_from_centre(c, s, i);
		struct al_chosen *chosen = &out->chosen[c->cluster[i]];
		uint64_t instrs = chosen->instrs + s->length[i];

		if (d < nearest[c->cluster[i]]) {
			nearest[c->cluster[i]] = d;
			*chosen = make_chosen_without_cluster_instrs(s, i);
		}
		chosen->instrs = instrs;
	}
	out->n = c->k;
	qsort(out->chosen, out->n, sizeof(*out->chosen), compare_by_interval);
}

static int choose_interval_of_each_cluster(struct al_choice *out,
					   const struct al_clusters *c,
					   const struct al_intervals *s)
{
	double *nearest = calloc(c->k, sizeof(*nearest));

	out->chosen = calloc(c->k, sizeof(*out->chosen));
	if (nearest && out->chosen)
		choose_nearest_intervals(out, c, s, nearest);
	free(nearest);
	return nearest && out->chosen ? 0 : -ENOMEM;
}

/* Choose all intervals; each represents only its own instructions. Return: 0;
   -ENOMEM. */
static int choose_all_intervals(struct al_choice *out,
				const struct al_intervals *s)
{
	out->chosen = calloc(s->n, sizeof(*out->chosen));
	if (!out->chosen)
		return -ENOMEM;
	out->n = s->n;
	for (size_t i = 0; i < s->n; i++) {
		out->chosen[i] = make_chosen_without_cluster_instrs(s, i);
		out->chosen[i].instrs = s->length[i];
	}
	return 0;
}

/* Return the index of the first division whose BIC is high enough: at least
   least_share_of_bic of the way from the least to the greatest in @bic, [n]. */
static size_t select_first_division_with_high_bic(const double *bic, size_t n)
{
	double least = bic[0], greatest = bic[0];

	for (size_t i = 1; i < n; i++) {
		least = fmin(least, bic[i]);
		greatest = fmax(greatest, bic[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (bic[i] >= least + least_share_of_bic * (greatest - least))
			return i;
	return n - 1;
}

/* Divide the intervals into 1, 2, ... @max_clusters clusters, select of these
   divisions the first whose BIC is high enough, see
   select_first_division_with_high_bic(), and choose an interval of each of its
   clusters. Return: 0; -ENOMEM. @divisions_scratch, @bics_scratch:
   [max_clusters], zeroed; set to the divisions and their BICs. The caller
   releases them. */
static int choose_intervals_by_bic(struct al_choice *out,
				   const struct al_intervals *s,
				   size_t max_clusters, uint64_t seed,
				   struct al_clusters *divisions_scratch,
				   double *bics_scratch)
{
	for (size_t i = 0; i < max_clusters; i++) {
		if (al_clusters_divide(&divisions_scratch[i], s, i + 1, seed))
			return -ENOMEM;
		bics_scratch[i] = al_clusters_bic(&divisions_scratch[i], s);
	}
	return choose_interval_of_each_cluster(
		out,
		&divisions_scratch[select_first_division_with_high_bic(
			bics_scratch, max_clusters)],
		s);
}

static int divide_and_choose_intervals(struct al_choice *out,
				       const struct al_intervals *s, size_t max,
				       uint64_t seed)
{
	struct al_clusters *division = calloc(max, sizeof(*division));
	double *bic = calloc(max, sizeof(*bic));
	int err = division && bic ? choose_intervals_by_bic(out, s, max, seed,
							    division, bic)
				  : -ENOMEM;

	for (size_t i = 0; division && i < max; i++)
		al_clusters_release(&division[i]);
	free(division);
	free(bic);
	return err;
}

int al_choice_make(struct al_choice *out, const struct al_intervals *s,
		   size_t max_clusters, uint64_t seed)
{
	out->instrs = s->instrs;
	out->n_intervals = s->n;
	return max_clusters >= s->n ? choose_all_intervals(out, s)
				    : divide_and_choose_intervals(
					      out, s, max_clusters, seed);
}

void al_choice_release(struct al_choice *c)
{
	free(c->chosen);
	*c = (struct al_choice){0};
}
