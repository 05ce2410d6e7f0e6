/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bic.c - scores a division into clusters
 *
 * Pelleg and Moore, "X-means", ICML 2000: clusters are spherical normal
 * distributions with one variance.
 */
#include <math.h>

#include "lib/simpoint/simpoint.h"

/* Variance that is assumed if all intervals are equal to their centres; sums of
   rounding errors are smaller. */
static const double least_variance = 1e-12;

static size_t count_used_point_dimensions(const struct al_intervals *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (int d = AL_PROJECTED; d < AL_DIMENSIONS; d++)
			if (s->point[i].coordinate[d] != 0)
				return AL_DIMENSIONS;
	return AL_PROJECTED;
}

static size_t count_intervals_of_cluster(const struct al_clusters *c,
					 const struct al_intervals *s,
					 size_t cluster_index)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += c->cluster[i] == cluster_index;
	return n;
}

double al_clusters_bic(const struct al_clusters *c,
		       const struct al_intervals *s)
{
	double n = (double)s->n, k = (double)c->k;
	double dims = (double)count_used_point_dimensions(s);
	double variance = fmax(c->error / (dims * (n - k)), least_variance);
	double likelihood =
		-n * dims / 2 * log(2 * M_PI * variance) - dims * (n - k) / 2;
	double parameters = k - 1 + dims * k + 1;

	for (size_t i = 0; i < c->k; i++) {
		double size = (double)count_intervals_of_cluster(c, s, i);

		likelihood += size * log(size / n);
	}
	return likelihood - parameters / 2 * log(n);
}
