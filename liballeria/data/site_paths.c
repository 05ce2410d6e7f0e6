/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_paths.c - numbers sites, call stacks of allocations, by their names; see
   site_paths.h */

#include "liballeria/data/site_paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/path.h"

/* Return the part of @path after its last '/', interned; NULL for NULL. */
static const char *base_name_or_null(const struct alleria_data_map *m,
				     const char *path)
{
	return path ? ap_intern_or_question_marks(m->profile,
						  al_path_base_name(path))
		    : NULL;
}

/* Return the part of a frame's name that differs between frames of one
   function: its line and the line @call_line that it was inlined into; if only
   its object file is known, its address there, with bit 63 set. */
static uint64_t
pack_line_and_call_line_or_address(const struct alleria_name *name,
				   uint32_t call_line)
{
	bool is_unnamed = name->line == 0 && name->function != NULL &&
			  strcmp(name->function, "???") == 0 &&
			  strcmp(name->object, "???") != 0;

	return is_unnamed ? name->value | UINT64_C(1) << 63
			  : (uint64_t)name->line << 32 | call_line;
}

/* Set *@path_number to the number of the path of call frames that consists of
   path *@path_number and, outside of it, a frame with the name @name in code
   that was inlined into line @call_line. Return: 0; -ENOMEM. */
static int
find_or_add_path_with_frame_appended(struct ap_site_paths *p,
				     const struct alleria_data_map *m,
				     const struct alleria_name *name,
				     uint32_t call_line, uint32_t *path_number)
{
	const struct al_key function = {
		{(uintptr_t)name->function,
		 (uintptr_t)base_name_or_null(m, name->file),
		 (uintptr_t)base_name_or_null(m, name->object)}};
	int64_t number =
		al_key_table_find_or_add_index(&p->functions, &function);

	if (number == AL_KEY_TABLE_NO_MEMORY)
		return -ENOMEM;
	number = al_key_table_find_or_add_index(
		&p->paths, &(struct al_key){{*path_number, (uint64_t)number,
					     pack_line_and_call_line_or_address(
						     name, call_line)}});
	if (number == AL_KEY_TABLE_NO_MEMORY)
		return -ENOMEM;
	*path_number = (uint32_t)number + 1;
	return 0;
}

/* Set *@path_number to the number of the path of a site, the call stack of an
   allocation. A path is the sequence of the names of all callers; those without
   a name are not left out, but named by their addresses in their object files;
   if these are not known, by "???"; if reading fails, by an empty name. Return:
   0; -ENOMEM. */
static int find_or_add_call_path_of_site(struct ap_site_paths *p,
					 const struct alleria_data_map *m,
					 const struct ap_image_data *d,
					 const struct ap_data_site *s,
					 uint32_t *path_number)
{
	int err = 0;

	*path_number = 0;
	for (uint32_t i = 0; !err && i < s->n_callers; i++) {
		struct alleria_name name;

		err = ap_site_find_name_of_caller(
			m, d, s, d->lifetimes.caller[s->first_caller + i],
			&name);
		if (err == ALLERIA_E_MEMORY)
			return -ENOMEM;
		if (err)
			name = (struct alleria_name){.line = 0};
		err = find_or_add_path_with_frame_appended(
			p, m, &name,
			err ? 0
			    : ap_site_inline_call_line_of_name_or_0(m, &name),
			path_number);
	}
	return err;
}

int ap_site_call_paths_build(struct ap_site_paths *p,
			     const struct alleria_data_map *m)
{
	uint32_t n = 0;
	int err = 0;

	p->path_of_site = calloc(m->n_sites + 1, sizeof(*p->path_of_site));
	if (!p->path_of_site)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n_images; i++) {
		const struct ap_image_data *d = &m->image[i];

		for (uint32_t k = 0; !err && k < d->lifetimes.n_sites; k++)
			err = find_or_add_call_path_of_site(
				p, m, d, &d->lifetimes.site[k],
				&p->path_of_site[n++]);
	}
	return err;
}

void ap_site_paths_release(struct ap_site_paths *p)
{
	free(p->path_of_site);
	al_key_table_release(&p->functions);
	al_key_table_release(&p->paths);
	*p = (struct ap_site_paths){0};
}
