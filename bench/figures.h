/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.h - what the feeder has measured
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
	uint64_t chunks; /* played, all streams together */
	uint64_t bytes;	 /* of units */
	uint64_t wall_ns;

	/* The daemon inside this process measured these. */
	struct al_run *run; /* NULL: there was none */
	unsigned workers;
	uint64_t cpu_ns; /* of all its threads */
	uint64_t busy_ns;
	uint64_t idle_ns;
};

/**
 * figures_print() - A table to @out and, if @json is a path, JSON there: the
 * figures under "feeder", the daemon's report under "report".
 *
 * Return: 0; -1 with a message on standard error.
 */
int figures_print(const struct figures *, FILE *out, const char *json);

#endif
