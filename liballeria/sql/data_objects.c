/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_objects.c - defines the tables of data objects and of sites (call stacks
 * of allocations), and the columns of an access about its data object
 */
#include <string.h>

#include "liballeria/sql/table.h"

static const char *const kinds[] = {"unknown", "heap",	 "static",    "stack",
				    "mapping", "code",	 "allocator", "tls",
				    "pool",    "region", NULL};

#define DATA(member) SQ_MEMBER(alleria_data, member)
const struct sq_column sq_data[] = {
	{"id", SQ_NUMBER, DATA(id), SQ_B_ID, NULL},
	{"process", SQ_NUMBER, DATA(process), SQ_B_NONE, NULL},
	{"kind", SQ_ONE_OF, DATA(kind), SQ_B_NONE, kinds},
	{"name", SQ_TEXT, DATA(name), SQ_B_NONE, NULL},
	{"type", SQ_DATA_TYPE, DATA(id), SQ_B_NONE, NULL},
	{"site", SQ_KNOWN, DATA(site), SQ_B_NONE, NULL},
	{"address", SQ_NUMBER, DATA(address), SQ_B_NONE, NULL},
	{"size", SQ_NUMBER, DATA(size), SQ_B_NONE, NULL},
	{"born_instruction", SQ_NUMBER, DATA(born_instruction), SQ_B_NONE,
	 NULL},
	{"died_instruction", SQ_MAYBE, DATA(died_instruction), SQ_B_NONE, NULL},
	{"thread", SQ_KNOWN, DATA(thread), SQ_B_NONE, NULL},
	{"image", SQ_NUMBER, DATA(image), SQ_B_NONE, NULL},
	{"born_access", SQ_NUMBER, DATA(born_access), SQ_B_NONE, NULL},
	{"died_access", SQ_MAYBE, DATA(died_access), SQ_B_NONE, NULL},
	{"object", SQ_TEXT, DATA(object), SQ_B_NONE, NULL},
	{0},
};

#define SITE(member) SQ_MEMBER(sq_site_row, member)
const struct sq_column sq_sites[] = {
	{"site", SQ_NUMBER, SITE(site), SQ_B_ID, NULL},
	{"depth", SQ_NUMBER, SITE(depth), SQ_B_NONE, NULL},
	{"function", SQ_TEXT, SITE(name.function), SQ_B_NONE, NULL},
	{"file", SQ_TEXT, SITE(name.file), SQ_B_NONE, NULL},
	{"line", SQ_KNOWN, SITE(name.line), SQ_B_NONE, NULL},
	{"object", SQ_TEXT, SITE(name.object), SQ_B_NONE, NULL},
	{0},
};

int sq_open_data_map_once_or_null(struct sq_cursor *c,
				  const struct alleria_data_map **map)
{
	int err = 0;

	if (!c->opened->data_map)
		err = alleria_data_open(c->profile, &c->opened->data_map);
	*map = c->opened->data_map;
	return err == ALLERIA_E_UNRECORDED ? 0 : err;
}

long sq_read_next_data_object_row(struct sq_cursor *c, const void **rows)
{
	const struct alleria_data_map *map;
	int err = sq_open_data_map_once_or_null(c, &map);

	if (err)
		return err;
	if (!map || c->next_id > c->last_id ||
	    alleria_data_get(map, c->next_id, &c->data))
		return 0;
	c->next_id++;
	*rows = &c->data;
	return 1;
}

/* Fill c->frame with the innermost SQ_MAX_FRAMES frames of site @site_number,
   the call stack of an allocation. Return: number of rows; enum alleria_error.
   */
static long read_frame_rows_of_site(struct sq_cursor *c,
				    const struct alleria_data_map *map,
				    uint32_t site_number)
{
	struct alleria_name name[SQ_MAX_FRAMES];
	long n = alleria_site_frames(map, site_number, SQ_MAX_FRAMES, name);

	if (n > SQ_MAX_FRAMES)
		n = SQ_MAX_FRAMES;
	for (long i = 0; i < n; i++)
		c->frame[i] = (struct sq_site_row){.site = site_number,
						   .depth = (uint32_t)i,
						   .name = name[i]};
	return n;
}

long sq_read_frames_of_next_site(struct sq_cursor *c, const void **rows)
{
	const struct alleria_data_map *map;
	long n = sq_open_data_map_once_or_null(c, &map);

	while (n == 0 && map && c->next_id <= c->last_id &&
	       c->next_id <= alleria_site_count(map))
		n = read_frame_rows_of_site(c, map, (uint32_t)c->next_id++);
	*rows = c->frame;
	return n;
}

/* Return to SQLite the id of the data object of access @a or, if @wants_offset,
   the offset of the access in that data object; NULL: it has none. Return: 0;
   enum alleria_error. */
static int
return_data_id_or_offset_of_access(const struct alleria_data_map *map,
				   const struct alleria_access *a,
				   bool wants_offset, sqlite3_context *out)
{
	uint64_t id, offset;
	int found = alleria_data_at(map, a->address, a->number, &id, &offset);

	if (found > 0)
		sqlite3_result_int64(
			out, (sqlite3_int64)(wants_offset ? offset : id));
	return found < 0 ? found : 0;
}

int sq_set_data_column_result(struct sq_cursor *c,
			      const struct sq_column *column,
			      sqlite3_context *out)
{
	const char *row = sq_current_row(c);
	const struct alleria_data_map *map;
	int err = sq_open_data_map_once_or_null(c, &map);
	const char *type;

	if (err || !map)
		return err;
	if (column->type != SQ_DATA_TYPE)
		return return_data_id_or_offset_of_access(
			map, (const void *)row, column->type == SQ_DATA_OFFSET,
			out);
	type = alleria_data_type(map, ((const struct alleria_data *)row)->id);
	if (type[0])
		sqlite3_result_text(out, type, -1, SQLITE_STATIC);
	return 0;
}
