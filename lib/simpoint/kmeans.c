/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmeans.c - divides intervals into clusters
 *
 * Lloyd's iteration. The first centre is a random interval, each further one is
 * random with a probability in proportion to its squared distance from the
 * nearest centre (k-means++). The best of several beginnings counts.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/simpoint/simpoint.h"

enum { BEGINNINGS = 5, MAX_ITERATIONS = 100 };

/* Return the next number of a sequence, in [0, 1) (xorshift64*). */
static double next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * UINT64_C(0x2545f4914f6cdd1d) >> 11) * 0x1p-53;
}

static double squared_distance(const struct al_point *a,
			       const struct al_point *b)
{
	double sum = 0;

	for (int d = 0; d < AL_DIMENSIONS; d++)
		sum += (a->coordinate[d] - b->coordinate[d]) *
		       (a->coordinate[d] - b->coordinate[d]);
	return sum;
}

static int alloc_clusters(struct al_clusters *c, const struct al_intervals *s,
			  size_t k)
{
	c->cluster = calloc(s->n, sizeof(*c->cluster));
	c->centre = calloc(k, sizeof(*c->centre));
	return c->cluster && c->centre ? 0 : -ENOMEM;
}

/* Lower each squared distance in @squared_distances, [n], to that from centre
   number @cluster_index. Return: the sum of them. */
static double lower_squared_distances_get_sum(const struct al_clusters *c,
					      const struct al_intervals *s,
					      size_t cluster_index,
					      double *squared_distances)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		double d = squared_distance(&s->point[i],
					    &c->centre[cluster_index]);

		if (cluster_index == 0 || d < squared_distances[i])
			squared_distances[i] = d;
		sum += squared_distances[i];
	}
	return sum;
}

/* Return the first interval up to which @nearest, [n], sums to more than
   @limit; if there is none, the last one whose element is above 0. */
static size_t find_interval_by_sum(const struct al_intervals *s,
				   const double *nearest, double limit)
{
	double sum = 0;
	size_t last = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (nearest[i] > 0)
			last = i;
		sum += nearest[i];
		if (sum > limit)
			return i;
	}
	return last;
}

/* Choose at most @k intervals, no two with equal coordinates, as the first
   centres, and set c->k to their number, which is less than @k only if there
   are fewer different coordinates. @nearest: [n], for this function's use. */
static void choose_first_centres(struct al_clusters *c,
				 const struct al_intervals *s, size_t k,
				 uint64_t *random, double *nearest)
{
	double sum = 1;
	size_t i = (size_t)(next_random(random) * (double)s->n);

	for (c->k = 0; c->k < k && sum > 0;) {
		c->centre[c->k] = s->point[i];
		sum = lower_squared_distances_get_sum(c, s, c->k, nearest);
		c->k++;
		i = find_interval_by_sum(s, nearest, next_random(random) * sum);
	}
}

/* Assign each interval to its nearest centre, and set c->error. Return: whether
   an assignment has changed. */
static bool assign_intervals_to_centres(struct al_clusters *c,
					const struct al_intervals *s)
{
	bool changed = false;

	c->error = 0;
	for (size_t i = 0; i < s->n; i++) {
		double least = INFINITY;
		uint32_t best = 0;

		for (uint32_t k = 0; k < c->k; k++) {
			double d =
				squared_distance(&s->point[i], &c->centre[k]);

			if (d < least) {
				least = d;
				best = k;
			}
		}
		changed |= c->cluster[i] != best;
		c->cluster[i] = best;
		c->error += least;
	}
	return changed;
}

/* Drop clusters without intervals, and renumber the others. @new_number:
   [c->k], for this function's use. */
static void drop_empty_clusters(struct al_clusters *c,
				const struct al_intervals *s,
				size_t *new_number)
{
	size_t n = 0;

	memset(new_number, 0, c->k * sizeof(*new_number));
	for (size_t i = 0; i < s->n; i++)
		new_number[c->cluster[i]] = 1;
	for (size_t k = 0; k < c->k; k++)
		if (new_number[k] != 0) {
			c->centre[n] = c->centre[k];
			new_number[k] = n++;
		}
	for (size_t i = 0; i < s->n; i++)
		c->cluster[i] = (uint32_t)new_number[c->cluster[i]];
	c->k = n;
}

/* Move each centre to the mean of its intervals; there must be one. @size:
   [c->k], for this function's use. */
static void move_centres(struct al_clusters *c, const struct al_intervals *s,
			 size_t *size)
{
	memset(size, 0, c->k * sizeof(*size));
	memset(c->centre, 0, c->k * sizeof(*c->centre));
	for (size_t i = 0; i < s->n; i++) {
		size[c->cluster[i]]++;
		for (int d = 0; d < AL_DIMENSIONS; d++)
			c->centre[c->cluster[i]].coordinate[d] +=
				s->point[i].coordinate[d];
	}
	for (size_t k = 0; k < c->k; k++)
		for (int d = 0; d < AL_DIMENSIONS; d++)
			c->centre[k].coordinate[d] /= (double)size[k];
}

/* Divide the intervals into at most @k clusters, beginning with one random
   choice of first centres, and set c->error. @nearest: [n], @size: [k], for
   this function's use. */
static void divide_intervals_once(struct al_clusters *c,
				  const struct al_intervals *s, size_t k,
				  uint64_t *random, double *nearest,
				  size_t *size)
{
	bool changed = true;

	choose_first_centres(c, s, k, random, nearest);
	assign_intervals_to_centres(c, s);
	for (int i = 0; i < MAX_ITERATIONS && changed; i++) {
		drop_empty_clusters(c, s, size);
		move_centres(c, s, size);
		changed = assign_intervals_to_centres(c, s);
	}
	drop_empty_clusters(c, s, size);
}

static void divide_intervals_repeatedly_store_best(struct al_clusters *best,
						   struct al_clusters *other,
						   const struct al_intervals *s,
						   size_t k, uint64_t seed,
						   double *nearest,
						   size_t *size)
{
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + k;

	random += random == 0;
	divide_intervals_once(best, s, k, &random, nearest, size);
	for (int i = 1; i < BEGINNINGS; i++) {
		divide_intervals_once(other, s, k, &random, nearest, size);
		if (other->error < best->error) {
			struct al_clusters t = *best;

			*best = *other;
			*other = t;
		}
	}
}

int al_clusters_divide(struct al_clusters *clusters_out,
		       const struct al_intervals *s, size_t k, uint64_t seed)
{
	struct al_clusters other = {0};
	double *nearest = calloc(s->n, sizeof(*nearest));
	size_t *size = calloc(k, sizeof(*size));
	int err = alloc_clusters(clusters_out, s, k) |
		  alloc_clusters(&other, s, k);

	if (!nearest || !size || err)
		err = -ENOMEM;
	else
		divide_intervals_repeatedly_store_best(clusters_out, &other, s,
						       k, seed, nearest, size);
	al_clusters_release(&other);
	free(nearest);
	free(size);
	return err;
}

void al_clusters_release(struct al_clusters *c)
{
	free(c->cluster);
	free(c->centre);
	*c = (struct al_clusters){0};
}
