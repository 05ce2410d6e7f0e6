/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cl_state.c - a profile that is not the whole run; see cl_state.h */

#include "cli/cl_state.h"

#include <alleria/alleria.h>
#include <stdio.h>

#include "lib/al_message.h"

void cl_tell_state(const struct alleria_profile *p, const char *path)
{
	static const char *const word[] = {
		[ALLERIA_LOSSY] = "lossy",
		[ALLERIA_TRUNCATED] = "truncated",
		[ALLERIA_UNFINISHED] = "unfinished",
	};
	const struct alleria_state *s = alleria_state(p);
	char message[AL_MESSAGE];

	if (s->status == ALLERIA_COMPLETE && s->damage == ALLERIA_WHOLE)
		return;
	if (s->damage == ALLERIA_BROKEN || s->status == ALLERIA_COMPLETE)
		al_message(message,
			   "'%.200s' is damaged; 'alleria verify' tells more",
			   path);
	else
		al_message(message, "'%.200s' is %s%s%s", path, word[s->status],
			   *s->reason ? ": " : "", s->reason);
	fprintf(stderr, "alleria: %s\n", message);
}
