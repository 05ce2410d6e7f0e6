/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_context.c - writes the environment and the machine of a run; see
   run_context.h */

#include "lib/report/run_context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/system/processor.h"

static void write_env_variables_count_and_hash(const struct al_environment *e,
					       struct an_sink *out)
{
	char hash[17];

	if (!e->hash)
		return;
	snprintf(hash, sizeof(hash), "%016" PRIx64, e->hash);
	out->begin(out, "environment");
	out->number(out, "variables", e->variables);
	out->number(out, "bytes", e->bytes);
	out->string(out, "hash", hash);
	out->end(out);
}

static void write_cpu_name_and_features(const struct al_processor *p,
					struct an_sink *out)
{
	char words[AL_PROCESSOR_FEATURES], *rest = words, *word;

	snprintf(words, sizeof(words), "%s", p->features);
	out->begin(out, "machine");
	out->string(out, "cpu", p->name);
	out->begin_list(out, "features");
	while ((word = strsep(&rest, " ")) != NULL)
		if (*word != '\0')
			out->string(out, NULL, word);
	out->end(out);
	out->end(out);
}

void al_run_write_env_and_machine(const struct al_run *run, struct an_sink *out)
{
	struct al_processor here;

	if (run->n_processes)
		write_env_variables_count_and_hash(
			&run->process[0]->environment, out);
	if (run->profile_bytes) {
		write_cpu_name_and_features(&run->processor, out);
		return;
	}
	al_processor_read_name_and_features(&here);
	write_cpu_name_and_features(&here, out);
}
