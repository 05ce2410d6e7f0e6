/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profiles.h - stores the profiles that a connection has opened
 *
 * Threads: one at a time, as SQLite uses a connection.
 */
#ifndef LIBALLERIA_SQL_PROFILES_H
#define LIBALLERIA_SQL_PROFILES_H

#include <alleria/alleria.h>

#include "base/tables/key_table.h"

struct sq_profile {
	struct sq_profile *next;
	struct alleria_profile *profile;
	struct alleria_data_map *data_map; /* NULL: not read yet */
	uint64_t damage; /* how often a read of rows or of a value of a row has
			    returned ALLERIA_E_DAMAGED */
	unsigned number; /* number of the profile in the connection, from 0 */
	struct al_key_table count_names; /* names and places of all rows of the
					    table of counts, see counts.c */
	struct al_key_table count_places;
	char path[];
};

struct sq_profiles {
	unsigned users; /* number of SQLite modules and functions that refer to
			   the struct */
	struct sq_profile *all;
	struct sq_profile *current; /* profile opened by alleria_open(); NULL:
				       none yet */
};

/* Return the profile of a file, which is opened if it is not open yet. Return
   NULL on error, with @message [ALLERIA_MESSAGE]. */
struct sq_profile *sq_profiles_find_or_open(struct sq_profiles *,
					    const char *path, char *message);

/* Release one reference to @profiles, a struct sq_profiles; the last one closes
   all profiles and frees it. The type is that of SQLite's destructors. */
void sq_profiles_drop_user_free_if_last(void *profiles);

#endif
