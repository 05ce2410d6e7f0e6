/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_columns.c - prints the data object of an access; see data_columns.h */

#include "cli/print/data_columns.h"

#include <string.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"

static const char *const kind_name[] = {
	"unknown", "heap",	"static", "stack", "mapping",
	"code",	   "allocator", "tls",	  "pool",  "region"};

/* A data object, and the offset of an access in it [bytes]. */
struct owner {
	struct alleria_data data;
	uint64_t offset;
};

/* Find the data object that owns an access. Return: whether there is one. */
static bool find_data_object_of_access(const struct cl_lines *l,
				       const struct alleria_access *a,
				       struct owner *out)
{
	uint64_t id;

	return a->address != 0 &&
	       alleria_data_at(l->data, a->address, a->number, &id,
			       &out->offset) > 0 &&
	       alleria_data_get(l->data, id, &out->data) == 0;
}

/* Return the name of a kind of data object; "unknown" if a later library has
   added the kind. */
static const char *data_kind_name_or_unknown(uint32_t kind)
{
	return kind < sizeof(kind_name) / sizeof(*kind_name) ? kind_name[kind]
							     : kind_name[0];
}

void cl_data_print_object_text_if_asked(struct cl_lines *l,
					const struct alleria_access *a)
{
	struct owner o;
	struct al_text text;

	if (!l->data)
		return;
	cl_lines_flush_to_file(l);
	if (!find_data_object_of_access(l, a, &o)) {
		fputs(" -", l->file);
		return;
	}
	fprintf(l->file, " %llu+%llu %s ", (unsigned long long)o.data.id,
		(unsigned long long)o.offset,
		data_kind_name_or_unknown(o.data.kind));
	al_text_init(&text, l->file, false);
	al_text_write(&text, AL_PLAIN, o.data.name);
}

static void print_csv_field(FILE *file, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, file);
		return;
	}
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	putc('"', file);
}

void cl_data_print_object_csv_if_asked(struct cl_lines *l,
				       const struct alleria_access *a)
{
	struct owner o;

	if (!l->data)
		return;
	cl_lines_flush_to_file(l);
	if (!find_data_object_of_access(l, a, &o)) {
		fputs(",,,,", l->file);
		return;
	}
	fprintf(l->file, ",%llu,%llu,%s,", (unsigned long long)o.data.id,
		(unsigned long long)o.offset,
		data_kind_name_or_unknown(o.data.kind));
	print_csv_field(l->file, o.data.name);
}

void cl_data_print_object_ndjson_if_asked(struct cl_lines *l,
					  const struct alleria_access *a)
{
	struct owner o;

	if (!l->data)
		return;
	cl_lines_flush_to_file(l);
	if (!find_data_object_of_access(l, a, &o))
		return;
	fprintf(l->file,
		",\"data\":%llu,\"data_offset\":%llu,\"data_kind\":\"%s\","
		"\"data_name\":",
		(unsigned long long)o.data.id, (unsigned long long)o.offset,
		data_kind_name_or_unknown(o.data.kind));
	al_json_write_quoted_string(l->file, o.data.name);
}
