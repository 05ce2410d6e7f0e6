/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_context.h - writes what may make the counts of two runs differ: the
 * environment, the machine, the objects and the source files
 */
#ifndef LIB_REPORT_RUN_CONTEXT_H
#define LIB_REPORT_RUN_CONTEXT_H

#include "base/text/report_sink.h"
#include "lib/run/state.h"

/* Write the member "environment", size and hash of the first process's
   environment variables, if they are known; and the member "machine", the
   processor of the recorded run. */
void al_run_write_env_and_machine(const struct al_run *, struct an_sink *);

struct al_used_names;

/* Return a new object with a sink that passes everything on to @to and stores
   the values of the keys "object" and "path"; for al_used_names_free(). NULL:
   memory is short. */
struct al_used_names *al_used_names_new_collector(struct an_sink *to);
struct an_sink *al_used_names_sink(struct al_used_names *);
void al_used_names_free(struct al_used_names *);

/* Write "objects" and "files": the build ids of the objects and the hashes of
   the source files that the sink has stored, each sorted by path. Source files
   that cannot be read are left out; the build id of an object is "" if it is
   not known. Nothing is written without symbols. */
void al_used_names_write_objects_and_files(const struct al_used_names *,
					   struct al_symbols *,
					   struct an_sink *);

#endif
