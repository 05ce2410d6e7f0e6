/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_unwritten.c - what was asked for and could not be written
 *
 * Room:    lib.
 */
#include <string.h>

#include "lib/al_analysis.h"
#include "lib/al_keep.h"
#include "lib/al_record.h"

static void print(FILE *out, const char *who, const char *path, int err)
{
	if (!path || !strcmp(path, "-"))
		fprintf(out, "%s: cannot write standard output: %s\n", who,
			strerror(-err));
	else
		fprintf(out, "%s: cannot write '%s': %s\n", who, path,
			strerror(-err));
}

/* 0 or -errno, of analysis @i. */
static int output_error(const struct al_run *run, size_t i)
{
	const void *state;
	int err = al_run_state(run, i, &state);

	return run->save_error[i] || al_stream_unwritten(run->total, i) ? err
									: 0;
}

enum al_unwritten al_run_print_unwritten(const struct al_run *run,
					 const char *who, FILE *out)
{
	const struct al_settings *s = run->settings;
	bool profile = false, output = run->json_error;

	if (run->json_error)
		print(out, who, s->json, run->json_error);
	for (size_t i = 0; i < run->n_kept; i++) {
		int err = al_kept_error(run->kept[i]);

		if (err)
			print(out, who, run->kept[i]->path, err);
		profile |= err != 0;
	}
	for (size_t i = 0; i < s->n_analyses; i++) {
		int err = output_error(run, i);

		if (err)
			print(out, who,
			      al_analysis_option(&s->analysis[i], "file"), err);
		output |= err != 0;
	}
	return output	 ? AL_OUTPUT_UNWRITTEN
	       : profile ? AL_PROFILE_UNWRITTEN
			 : AL_ALL_WRITTEN;
}
