/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_file.c - a list of limits; see limit_file.h */

#include "lib/diff/limit_file.h"

#include <stdlib.h>

#include "base/text/message.h"
#include "base/text/yaml.h"

int al_diff_limits_parse_and_add(struct al_diff_limits *l, const char *text,
				 char *message)
{
	struct al_diff_limit *bigger;
	int err;

	bigger = reallocarray(l->limit, l->n + 1, sizeof(*bigger));
	if (bigger == NULL)
		return al_message_return_einval(message, "out of memory");
	l->limit = bigger;
	err = al_diff_limit_parse(text, &l->limit[l->n], message);
	if (!err)
		l->n++;
	return err;
}

static int add_limits_of_yaml_root(struct al_diff_limits *l,
				   const struct al_node *root, char *message)
{
	static const char *const keys[] = {"limits", NULL};
	static const char what[] = "a file of limits";
	const struct al_node *list, *n;
	char why[AL_MESSAGE];
	int err = al_yaml_check_known_keys(root, keys, what, message);

	if (err)
		return err;
	list = al_yaml_get_required(root, "limits", AL_LIST, what, message);
	if (list == NULL)
		return -1;
	for (n = list->child; n != NULL; n = n->next) {
		if (n->kind != AL_TEXT)
			return al_yaml_error_at_node(n, message, "not a limit");
		if (al_diff_limits_parse_and_add(l, n->text, why))
			return al_yaml_error_at_node(n, message, "%s", why);
	}
	return 0;
}

int al_diff_limits_add_from_file(struct al_diff_limits *l, const char *path,
				 char *message)
{
	struct al_node *root;
	int err = al_yaml_read(path, &root, message);

	if (err)
		return err;
	err = add_limits_of_yaml_root(l, root, message);
	al_yaml_free_with_siblings(root);
	return err;
}

int al_diff_limits_evaluate_all(struct al_diff_limits *l,
				const struct al_diff *d, char *message)
{
	int err = 0;

	for (size_t i = 0; !err && i < l->n; i++)
		err = al_diff_evaluate_limit_on_sum_in_scope(d, &l->limit[i],
							     message);
	return err;
}

void al_diff_limits_release(struct al_diff_limits *l)
{
	for (size_t i = 0; i < l->n; i++)
		al_diff_limit_release(&l->limit[i]);
	free(l->limit);
	*l = (struct al_diff_limits){NULL, 0};
}
