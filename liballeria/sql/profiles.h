/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profiles.h - the profiles that a connection has open
 *
 * Threads: as SQLite uses the connection: one at a time.
 */
#ifndef LIBALLERIA_SQL_PROFILES_H
#define LIBALLERIA_SQL_PROFILES_H

#include <alleria/alleria.h>

struct sq_profile {
	struct sq_profile *next;
	struct alleria_profile *profile;
	uint64_t damage; /* parts left out of results */
	char path[];
};

struct sq_profiles {
	unsigned users; /* modules and functions; 0: to be freed */
	struct sq_profile *all;
	struct sq_profile *current; /* or NULL: none was opened */
};

/* The one of a file, opened if it is not yet. NULL: @message, of
   ALLERIA_MESSAGE bytes, says why. */
struct sq_profile *sq_profiles_get(struct sq_profiles *, const char *path,
				   char *message);

/* One user less; the last one frees all. For SQLite, hence the type. */
void sq_profiles_drop(void *profiles);

#endif
