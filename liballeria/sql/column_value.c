/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_value.c - converts columns of rows to values of SQLite
 *
 * The profile owns the texts, except joined words, which SQLite frees, and the
 * names of enum values, which are constant; texts of the profile are valid
 * until the connection is closed.
 */
#include <string.h>

#include "liballeria/sql/table.h"

static uint64_t read_unsigned_of_size(const char *bytes, size_t size)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} v = {.u64 = 0};

	memcpy(&v, bytes, size);
	return size == 1 ? v.u8 : size == 2 ? v.u16 : size == 4 ? v.u32 : v.u64;
}

static void return_as_signed_int64(sqlite3_context *out, uint64_t value)
{
	sqlite3_result_int64(out, (sqlite3_int64)value);
}

static void return_number_null_if_alleria_not(sqlite3_context *out,
					      uint64_t value)
{
	if (value != ALLERIA_NOT)
		return_as_signed_int64(out, value);
}

static void return_text_unless_empty_or_unknown(sqlite3_context *out,
						const char *text)
{
	if (text[0] && strcmp(text, "???"))
		sqlite3_result_text(out, text, -1, SQLITE_STATIC);
}

static void return_enum_name_or_number(sqlite3_context *out,
				       const char *const *names, uint64_t value)
{
	for (uint64_t i = 0; names[i]; i++)
		if (i == value) {
			return_text_unless_empty_or_unknown(out, names[i]);
			return;
		}
	return_as_signed_int64(out, value);
}

static void return_words_joined_by_spaces(sqlite3_context *out,
					  const char *const *word)
{
	sqlite3_str *s = sqlite3_str_new(sqlite3_context_db_handle(out));
	char *text;

	for (int i = 0; word && word[i]; i++)
		sqlite3_str_appendf(s, "%s%s", i ? " " : "", word[i]);
	text = sqlite3_str_finish(s);
	if (text)
		sqlite3_result_text(out, text, -1, sqlite3_free);
}

/* Find the name of the code at @address for the current row. Names are cached
   for one batch of rows: an address has the same name in all rows of it.
   *@name: receives an element of the cache. Return: 0; enum alleria_error. */
static int find_name_of_code_address_cached(struct sq_cursor *c,
					    uint64_t address,
					    const struct alleria_name **name)
{
	struct sq_cached_name *cached =
		&c->cached_names[address % SQ_CACHED_NAMES];
	int err;

	*name = &cached->name;
	if (cached->batch == c->batch && cached->address == address)
		return 0;
	cached->batch = 0;
	err = alleria_name_in_batch(c->cursor, address, &cached->name);
	if (err)
		return err;
	cached->batch = c->batch;
	cached->address = address;
	return 0;
}

/* Set the result of an SQLite function to the part of the name of the code at
   @address that @type selects; NULL if it is unknown. Return: 0; enum
   alleria_error. */
static int set_result_to_name_part(struct sq_cursor *c, enum sq_type type,
				   uint64_t address, sqlite3_context *out)
{
	const struct alleria_name *name;
	int err = find_name_of_code_address_cached(c, address, &name);

	if (err)
		return err;
	if (type == SQ_FUNCTION)
		return_text_unless_empty_or_unknown(out, name->function);
	else if (type == SQ_SOURCE)
		return_text_unless_empty_or_unknown(out, name->file);
	else if (type == SQ_OBJECT)
		return_text_unless_empty_or_unknown(out, name->object);
	else if (name->line > 0)
		return_as_signed_int64(out, name->line);
	return 0;
}

static void return_instruction_bytes(const struct alleria_instruction *i,
				     sqlite3_context *out)
{
	sqlite3_result_blob(out, i->bytes, i->size, SQLITE_STATIC);
}

/* Return to SQLite the bytes that an access read or wrote, at most the first
   ALLERIA_MAX_VALUE. @value_bytes: NULL: they were not recorded, and the result
   stays NULL. */
static void return_access_value_as_blob(const struct alleria_access *a,
					const uint8_t *value_bytes,
					sqlite3_context *out)
{
	if (value_bytes)
		sqlite3_result_blob(out, value_bytes,
				    a->size < ALLERIA_MAX_VALUE
					    ? a->size
					    : ALLERIA_MAX_VALUE,
				    SQLITE_STATIC);
}

int sq_set_result_to_column_value(struct sq_cursor *c,
				  const struct sq_column *column,
				  sqlite3_context *out)
{
	const char *member = sq_current_row(c) + column->offset;
	const void *pointer = NULL;
	uint64_t v = 0;

	if (column->type == SQ_TEXT || column->type == SQ_WORDS ||
	    column->type == SQ_VALUE)
		memcpy(&pointer, member, sizeof(pointer));
	else
		v = read_unsigned_of_size(member, column->size);
	switch (column->type) {
	case SQ_NUMBER:
		return_as_signed_int64(out, v);
		break;
	case SQ_SIGNED:
		sqlite3_result_int(out, (int)(uint32_t)v);
		break;
	case SQ_MAYBE:
		return_number_null_if_alleria_not(out, v);
		break;
	case SQ_KNOWN:
		if (v)
			return_as_signed_int64(out, v);
		break;
	case SQ_TEXT:
		return_text_unless_empty_or_unknown(out, pointer);
		break;
	case SQ_WORDS:
		return_words_joined_by_spaces(out, pointer);
		break;
	case SQ_ONE_OF:
		return_enum_name_or_number(out, column->names, v);
		break;
	case SQ_TIME:
		return_number_null_if_alleria_not(
			out, alleria_time_of(c->profile, v));
		break;
	case SQ_CODE:
		return_instruction_bytes((const void *)sq_current_row(c), out);
		break;
	case SQ_VALUE:
		return_access_value_as_blob((const void *)sq_current_row(c),
					    pointer, out);
		break;
	case SQ_FUNCTION:
	case SQ_SOURCE:
	case SQ_LINE:
	case SQ_OBJECT:
		return set_result_to_name_part(c, column->type, v, out);
	case SQ_DATA:
	case SQ_DATA_OFFSET:
	case SQ_DATA_TYPE:
		return sq_set_data_column_result(c, column, out);
	}
	return 0;
}
