/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profiles.c - stores the profiles that a connection has opened
 */
#include "liballeria/sql/profiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sq_profile *sq_profiles_find_or_open(struct sq_profiles *all,
					    const char *path, char *message)
{
	size_t size = strlen(path) + 1;
	struct sq_profile *p = all->all;

	while (p && strcmp(p->path, path))
		p = p->next;
	if (p)
		return p;
	p = calloc(1, sizeof(*p) + size);
	if (!p) {
		snprintf(message, ALLERIA_MESSAGE, "%s",
			 alleria_error_text(ALLERIA_E_MEMORY));
		return NULL;
	}
	if (alleria_open(path, &p->profile, message)) {
		free(p);
		return NULL;
	}
	memcpy(p->path, path, size);
	p->number = all->all ? all->all->number + 1 : 0;
	p->next = all->all;
	all->all = p;
	return p;
}

void sq_profiles_drop_user_free_if_last(void *profiles)
{
	struct sq_profiles *all = profiles;
	struct sq_profile *p, *next;

	if (--all->users > 0)
		return;
	for (p = all->all; p; p = next) {
		next = p->next;
		alleria_data_close(p->data_map);
		alleria_close(p->profile);
		al_key_table_release(&p->count_names);
		al_key_table_release(&p->count_places);
		free(p);
	}
	free(all);
}
