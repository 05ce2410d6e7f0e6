/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_counts.h - counts instructions, reads and writes by source line
 */
#ifndef LIBALLERIA_EXPORT_LINE_COUNTS_H
#define LIBALLERIA_EXPORT_LINE_COUNTS_H

#include "liballeria/export/format.h"

/* Counts of a source line in a process. */
struct ex_count {
	uint32_t process; /* number, from 1 */
	struct alleria_name name;
	uint64_t instructions;
	uint64_t reads; /* a modify is a read and a write */
	uint64_t writes;
};

/* Count the whole profile and call @put once for each line of each process.
   Return: 0; the result of @put if it is not 0, which ends the calls; -1 with
   the job's message. */
int ex_count_lines(struct ex_job *,
		   int (*put)(void *arg, const struct ex_count *), void *arg);

#endif
