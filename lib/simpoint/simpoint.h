/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simpoint.h - chooses the intervals that represent a run
 *
 * Sherwood et al., "Automatically characterizing large scale program behavior",
 * ASPLOS 2002; Hamerly et al., "SimPoint 3.0", JILP 2005: intervals that
 * execute the same code with the same frequencies behave alike. The vectors of
 * the intervals are projected on few random dimensions and divided by k-means;
 * the Bayesian information criterion (BIC) selects the number of clusters.
 *
 * Equal inputs and seeds have equal results on all machines with IEEE
 * arithmetic.
 *
 * Threads: one at a time.
 */
#ifndef LIB_SIMPOINT_SIMPOINT_H
#define LIB_SIMPOINT_SIMPOINT_H

#include <stddef.h>
#include <stdint.h>

enum {
	AL_PROJECTED = 15,		  /* dimensions of a projection */
	AL_DIMENSIONS = 2 * AL_PROJECTED, /* code and memory */
};

/* Position of an interval after projection. The coordinates for memory are 0 if
   the file of vectors has no lines M. */
struct al_point {
	double coordinate[AL_DIMENSIONS];
};

/* The intervals of a run, in order of time. Initialise with zeros. */
struct al_intervals {
	uint64_t *start;  /* [n] instructions of the run before the interval */
	uint64_t *length; /* [n] instructions of each interval */
	struct al_point *point; /* [n] */
	size_t n;
	size_t max_starts, max_lengths, max_points;
	uint64_t instrs; /* instructions of all intervals */
};

/**
 * al_intervals_read_and_project_file() - Read a file of basic-block vectors.
 * @seed: selects the random projection.
 * @message: [AL_MESSAGE] receives one line on error, with the number of the
 *           line in the file if that line is damaged.
 *
 * Return: 0; -errno. Call al_intervals_release() in both cases.
 */
int al_intervals_read_and_project_file(struct al_intervals *, const char *path,
				       uint64_t seed, char *message);
void al_intervals_release(struct al_intervals *);

/* Intervals divided into clusters. */
struct al_clusters {
	size_t k;		 /* number of clusters, none of them empty */
	uint32_t *cluster;	 /* [n] cluster of each interval */
	struct al_point *centre; /* [k] */
	double error;		 /* sum of squared distances from the centres */
};

/* Divide intervals into at most @k clusters, 1 <= @k <= n. Return: 0 or
   -ENOMEM. Call al_clusters_release() in both cases. */
int al_clusters_divide(struct al_clusters *, const struct al_intervals *,
		       size_t k, uint64_t seed);

/* Return the BIC of a division into fewer clusters than intervals; a larger one
   is better. */
double al_clusters_bic(const struct al_clusters *, const struct al_intervals *);
void al_clusters_release(struct al_clusters *);

/* One interval that represents a cluster. */
struct al_chosen {
	size_t interval;
	uint64_t start;	 /* instructions of the run before the interval */
	uint64_t length; /* instructions of the interval */
	uint64_t instrs; /* instructions of all intervals of the cluster */
};

/* The chosen intervals, in order of time; cluster numbers are the indices. */
struct al_choice {
	uint64_t interval;	  /* requested length [instructions] */
	uint64_t instrs;	  /* instructions of the run */
	size_t n_intervals;	  /* number of intervals of the run */
	struct al_chosen *chosen; /* [n] */
	size_t n;
};

/* Choose intervals: one for each of at most @max_clusters clusters; all, if
   @max_clusters is at least their number. Return: 0 or -ENOMEM. Call
   al_choice_release() in both cases. */
int al_choice_make(struct al_choice *, const struct al_intervals *,
		   size_t max_clusters, uint64_t seed);
void al_choice_release(struct al_choice *);

/**
 * al_choice_write_files() - Write NAME.simpoints,
 * NAME.weights, NAME.intervals and NAME.yaml.
 * @name: path without the suffix.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -errno.
 */
int al_choice_write_files(const struct al_choice *, const char *name,
			  char *message);

/* Read what al_choice_write_files() wrote, except
   NAME.yaml. @message: as for al_intervals_read_and_project_file(). Return: 0;
   -errno. Call al_choice_release() in both cases. */
int al_choice_read_simpoint_files(struct al_choice *, const char *name,
				  char *message);

#endif
