/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_counts.h - instructions, reads and writes by source line
 */
#ifndef LIBALLERIA_EXPORT_LINE_COUNTS_H
#define LIBALLERIA_EXPORT_LINE_COUNTS_H

#include "liballeria/export/format.h"

struct ex_count {
	uint32_t process; /* number, from 1 */
	struct alleria_name name;
	uint64_t instructions;
	uint64_t reads; /* a modify is a read and a write */
	uint64_t writes;
};

/* Counts all, and hands out each line of a process once. 0; what @put returned
   if that is not 0; -1 with the job's message. */
int ex_counts(struct ex_job *, int (*put)(void *arg, const struct ex_count *),
	      void *arg);

#endif
