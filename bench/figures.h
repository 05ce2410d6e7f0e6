/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.h - prints the measurements of the feeder
 *
 * Threads: main.
 */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <stdint.h>
#include <stdio.h>

#include "bench/dump.h"
#include "lib/run/run.h"

struct figures {
	const struct dump *dump;
	uint64_t streams;
	uint64_t chunks; /* number of chunks played, summed over streams */
	uint64_t bytes;	 /* size of the units in these chunks */
	uint64_t wall_ns;

	/* The rest is measured by the daemon if it runs in this process. */
	struct al_run *run; /* NULL: no daemon ran in this process */
	unsigned workers;
	uint64_t cpu_ns; /* CPU time of this process, all threads */
	uint64_t busy_ns;
	uint64_t idle_ns;
};

/**
 * figures_print_and_write_json() - Print the figures to @out as text. If @json
 * is not NULL, also write the file with this path: the figures as member
 * "feeder", the daemon's report, if it ran in this process, as member "report".
 *
 * Return: 0; -1 with a message on standard error.
 */
int figures_print_and_write_json(const struct figures *, FILE *out,
				 const char *json);

#endif
