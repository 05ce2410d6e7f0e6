/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_table.c - writes a table of an analysis as comma-separated values; see
   result_table.h */

#include "analyzers/result_table.h"

#include <errno.h>

#include "base/result/result_csv.h"

int an_result_write_csv_if_requested(
	const struct an_env *env, const void *state,
	void (*add_result_to_model)(const void *state, struct al_model *),
	const char *default_table)
{
	const char *name = env->option(env->host, "table");
	const struct al_table *t;
	struct al_model m;
	int err;

	if (name == NULL && env->option(env->host, "file") == NULL)
		return 0;
	al_model_init(&m);
	add_result_to_model(state, &m);
	t = al_model_find_table(&m, name ?: default_table);
	err = m.error;
	if (!err)
		err = t ? al_table_write_csv(t, env->write, env->host)
			: -EINVAL;
	al_model_release(&m);
	return err;
}
