/* SPDX-License-Identifier: GPL-2.0-or-later */
/* salvage.c - what is whole in a profile, into a new one; see salvage.h */

#include "lib/verify/salvage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/verify/salvage_names.h"
#include "profile/format/recover.h"
#include "profile/format/writer.h"

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void tell(const struct pf_recovered *got, const char *out, char *message)
{
	const uint64_t n = got->blocks, lost = got->lost;

	if (!lost && !n)
		al_message(message,
			   "'%.200s' has but an end: nothing was kept of the "
			   "run",
			   out);
	else if (!lost && got->ended)
		al_message(message, "'%.200s' has all %" PRIu64 " block%s", out,
			   n, plural(n));
	else if (!lost)
		al_message(message,
			   "'%.200s' has %" PRIu64
			   " block%s, all before the end, which is missing",
			   out, n, plural(n));
	else
		al_message(message,
			   "'%.200s' has %" PRIu64 " block%s; %" PRIu64
			   " damaged%s",
			   out, n, plural(n), lost,
			   got->ended ? "" : ", and the end is missing");
}

static int add_names(void *missing, struct pf_reader *r, struct pf_writer *w)
{
	return al_salvage_names(r, w, missing);
}

int al_salvage(const char *path, const char *out, char *message)
{
	char why[PF_MESSAGE];
	struct pf_recovered got;
	uint64_t missing = 0;
	const struct pf_recover_hook more = {add_names, &missing};
	int err = pf_recover(path, out, &more, &got, why);
	size_t n;

	if (err) {
		al_message(message, "%s", why);
		return err;
	}
	tell(&got, out, message);
	n = strlen(message);
	if (missing)
		snprintf(message + n, AL_MESSAGE - n,
			 "; %" PRIu64 " object file%s cannot be read: code of "
			 "%s has no names",
			 missing, plural(missing),
			 missing == 1 ? "it" : "them");
	return 0;
}
