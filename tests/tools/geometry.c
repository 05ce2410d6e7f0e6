/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * geometry.c - the cache levels that options give, one a line
 *
 *   geometry [--cache=FILE | --I1=... --D1=... --L2=... --LL=...]
 *
 * prints NAME KIND SIZE ASSOC LINE SETS NEXT.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/cache/cache_file.h"

static void print(const struct an_geometry *g)
{
	static const char *const kinds[] = {"instruction", "data", "unified"};

	for (int i = 0; i < g->n_levels; i++) {
		const struct an_level *l = &g->level[i];

		printf("%s %s %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu64
		       " %s\n",
		       l->name, kinds[l->kind], l->size, l->assoc, l->line,
		       l->sets,
		       l->next == AN_MEMORY ? "memory"
					    : g->level[l->next].name);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"--I1=", "--D1=", "--L2=", "--LL="};
	const char *classic[AL_HOST_LEVELS] = {NULL};
	char message[AL_MESSAGE], note[AL_MESSAGE] = "";
	struct an_geometry g;
	int rc;

	for (int i = 1; i < argc; i++)
		for (int j = 0; j < AL_HOST_LEVELS; j++)
			if (!strncmp(argv[i], names[j], 5))
				classic[j] = argv[i] + 5;
	if (argc > 1 && !strncmp(argv[1], "--cache=", 8))
		rc = al_cachefile_read(argv[1] + 8, &g, message);
	else
		rc = al_geometry_from_options_or_host(classic, &g, note,
						      message);
	if (rc) {
		fprintf(stderr, "geometry: %s\n", message);
		return 2;
	}
	print(&g);
	free(g.sweep);
	return 0;
}
