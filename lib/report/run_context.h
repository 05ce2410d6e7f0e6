/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_context.h - writes what may make the counts of two runs differ: the
 * environment, the machine, the objects and the source files
 */
#ifndef LIB_REPORT_RUN_CONTEXT_H
#define LIB_REPORT_RUN_CONTEXT_H

#include "base/text/report_sink.h"
#include "lib/run/state.h"

/* Write "environment" of the first process, unless it is not known, and
   "machine". */
void al_run_write_env_and_machine(const struct al_run *, struct an_sink *);

struct al_used_names;

/* Return a sink that passes everything on to @to and notes the values of
   "object" and "path"; NULL: memory is short. */
struct al_used_names *al_used_names_new(struct an_sink *to);
struct an_sink *al_used_names_sink(struct al_used_names *);
void al_used_names_free(struct al_used_names *);

/* Write "objects" and "files": the build ids of the objects and the hashes of
   the source files that were noted, each sorted by path. Files that cannot be
   read are left out. */
void al_used_names_write(const struct al_used_names *, struct al_symbols *,
			 struct an_sink *);

#endif
