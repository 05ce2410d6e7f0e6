/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partial_profile.c - reports that a profile is damaged or incomplete; see
   partial_profile.h */

#include "cli/print/partial_profile.h"

#include <alleria/alleria.h>
#include <stdio.h>

#include "base/text/message.h"
#include "cli/args/exit_status.h"

static void print_damage_message_to_stderr(const char *path)
{
	char message[AL_MESSAGE];

	al_message_return_einval(
		message,
		"'%.200s' is damaged; run 'alleria verify' for details", path);
	fprintf(stderr, "alleria: %s\n", message);
}

bool cl_has_profile_damage_besides_cut_end(const struct alleria_profile *p)
{
	return alleria_state(p)->damage == ALLERIA_BROKEN ||
	       alleria_damaged_blocks(p) > 0;
}

int cl_exit_status_reporting_damage(const struct alleria_profile *p,
				    const char *path, int status_so_far)
{
	if (status_so_far || !cl_has_profile_damage_besides_cut_end(p))
		return status_so_far;
	print_damage_message_to_stderr(path);
	return CL_DAMAGED;
}

void cl_warn_if_profile_is_lossy_or_cut(const struct alleria_profile *p,
					const char *path)
{
	static const char *const word[] = {
		[ALLERIA_LOSSY] = "lossy",
		[ALLERIA_TRUNCATED] = "truncated",
		[ALLERIA_UNFINISHED] = "unfinished",
	};
	const struct alleria_state *s = alleria_state(p);
	char message[AL_MESSAGE];

	if (s->status == ALLERIA_COMPLETE &&
	    (s->damage == ALLERIA_NO_INDEX || s->damage == ALLERIA_TORN))
		print_damage_message_to_stderr(path);
	if (s->status == ALLERIA_COMPLETE)
		return;
	al_message_return_einval(message, "'%.200s' is %s%s%s", path,
				 word[s->status], *s->reason ? ": " : "",
				 s->reason);
	fprintf(stderr, "alleria: %s\n", message);
}
