/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_lines.c - prints records of a profile as lines; see record_lines.h
 *
 *   text    an access: number process thread code: R|W|M address size; if the
 *           run has values, also the value read and the value written; '-' for
 *           a missing address or value; if data objects are printed, also
 *           id+offset kind name of the data object
 *           a mark or window event: number of the next access, process, thread,
 *           word, address and size if it is a region, name
 *   lackey  as `valgrind --tool=lackey --trace-mem=yes`
 *   din     label address size, the last two in hexadecimal; label 0: read,
 *           1: write, 2: instruction fetch; DineroIV reads this as its formats
 *           din, which ignores the size, and xdin
 *   csv     begins with a header line; addresses are hexadecimal
 *   ndjson  one JSON object on each line; addresses are strings, because they
 *           may exceed the integers that a JavaScript number holds exactly
 *
 * A value is printed in hexadecimal with two digits for each byte, the byte at
 * the highest address first.
 */
#include "cli/print/record_lines.h"

#include <string.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "cli/print/data_columns.h"

enum { MAX_LINE = 1024 /* [bytes] of a line in the buffer, at most */ };

void cl_lines_flush_to_file(struct cl_lines *l)
{
	fwrite(l->buffer, 1, l->used, l->file);
	l->used = 0;
}

static void append_string(struct cl_lines *l, const char *s)
{
	size_t n = strlen(s);

	memcpy(l->buffer + l->used, s, n);
	l->used += n;
}

static void append_char(struct cl_lines *l, char c)
{
	l->buffer[l->used++] = c;
}

/* Append a number in lower-case hexadecimal without "0x", padded with zeros to
   at least @min_digits digits. The buffer must have room for it; this is not
   checked. */
static void append_hex_zero_padded_unchecked(struct cl_lines *l, uint64_t value,
					     int min_digits)
{
	char digits[16];
	int n = 16;

	do {
		digits[--n] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value != 0 || 16 - n < min_digits);
	memcpy(l->buffer + l->used, digits + n, (size_t)(16 - n));
	l->used += (size_t)(16 - n);
}

static void append_decimal(struct cl_lines *l, uint64_t value)
{
	char digits[20];
	int n = 20;

	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	memcpy(l->buffer + l->used, digits + n, (size_t)(20 - n));
	l->used += (size_t)(20 - n);
}

static void end_line_and_flush_if_full(struct cl_lines *l)
{
	append_char(l, '\n');
	if (l->used > sizeof(l->buffer) - MAX_LINE)
		cl_lines_flush_to_file(l);
}

/* Append the number of a process; if the run has several process trees, append
   TREE.NUMBER. */
static void append_process_number(struct cl_lines *l, uint32_t process_index)
{
	const struct alleria_process *p =
		alleria_process(l->profile, process_index);

	if (alleria_run(l->profile)->trees > 1) {
		append_decimal(l, p->tree);
		append_char(l, '.');
	}
	append_decimal(l, p->number);
}

/* Append "0x" and an address. @text_if_zero: appended instead if @address is 0,
   that is, was not recorded. */
static void append_address(struct cl_lines *l, uint64_t address,
			   const char *text_if_zero)
{
	append_string(l, address ? "0x" : text_if_zero);
	if (address)
		append_hex_zero_padded_unchecked(l, address, 1);
}

/* Append "0x" and the first @size bytes of a value, at most ALLERIA_MAX_VALUE,
   in hexadecimal, the byte at the highest address first. @text_if_null:
   appended instead if @value is NULL. */
static void append_value_hex_high_byte_first(struct cl_lines *l,
					     const uint8_t *value,
					     unsigned size,
					     const char *text_if_null)
{
	unsigned n = size < ALLERIA_MAX_VALUE ? size : ALLERIA_MAX_VALUE;

	append_string(l, value ? "0x" : text_if_null);
	while (value && n-- > 0)
		append_hex_zero_padded_unchecked(l, value[n], 2);
}

/* ---- text ---- */

static void print_access_as_text_line(struct cl_lines *l,
				      const struct alleria_access *a)
{
	append_decimal(l, a->number);
	append_char(l, ' ');
	append_process_number(l, a->process);
	append_char(l, ' ');
	append_decimal(l, a->thread);
	append_string(l, " 0x");
	append_hex_zero_padded_unchecked(l, a->code, 1);
	append_string(l, ": ");
	append_char(l, "RWM"[a->kind]);
	append_char(l, ' ');
	append_address(l, a->address, "-");
	append_char(l, ' ');
	append_decimal(l, a->size);
	if (l->values) {
		append_char(l, ' ');
		append_value_hex_high_byte_first(l, a->read, a->size, "-");
		append_char(l, ' ');
		append_value_hex_high_byte_first(l, a->written, a->size, "-");
	}
	cl_data_print_object_text_if_asked(l, a);
	end_line_and_flush_if_full(l);
}

/* Print a mark or window event; the line starts with the number of the next
   access. */
static void print_mark_or_window_as_text_line(struct cl_lines *l,
					      const struct alleria_event *e,
					      const struct cl_mark_text *m)
{
	struct al_text text;

	append_decimal(l, e->access);
	append_char(l, ' ');
	append_process_number(l, e->process);
	append_char(l, ' ');
	append_decimal(l, e->thread);
	append_char(l, ' ');
	append_string(l, m->word);
	if (m->is_region) {
		append_string(l, " 0x");
		append_hex_zero_padded_unchecked(l, m->start, 1);
		append_char(l, ' ');
		append_decimal(l, m->size);
	}
	append_char(l, ' ');
	cl_lines_flush_to_file(l);
	al_text_init(&text, l->file, false);
	al_text_write(&text, AL_PLAIN, m->name);
	end_line_and_flush_if_full(l);
}

/* ---- lackey ---- */
static void print_lackey_line(struct cl_lines *l, const char *kind_prefix,
			      uint64_t address, unsigned size)
{
	append_string(l, kind_prefix);
	append_hex_zero_padded_unchecked(l, address, 8);
	append_char(l, ',');
	append_decimal(l, size);
	end_line_and_flush_if_full(l);
}

static void print_access_as_lackey_line(struct cl_lines *l,
					const struct alleria_access *a)
{
	static const char *const kinds[] = {" L ", " S ", " M "};

	print_lackey_line(l, kinds[a->kind], a->address, a->size);
}

static void
print_lackey_instr_line_without_accesses(struct cl_lines *l,
					 const struct alleria_instruction *i)
{
	print_lackey_line(l, "I  ", i->address, i->size);
}

/* ---- din ---- */
static void print_din_line(struct cl_lines *l, char access_label,
			   uint64_t address, unsigned size)
{
	append_char(l, access_label);
	append_char(l, ' ');
	append_hex_zero_padded_unchecked(l, address, 1);
	append_char(l, ' ');
	append_hex_zero_padded_unchecked(l, size, 1);
	end_line_and_flush_if_full(l);
}

/* Print an access as lines of DineroIV's format din; a modify is printed as a
   read and a write. */
static void print_din_read_and_or_write_lines(struct cl_lines *l,
					      const struct alleria_access *a)
{
	if (a->kind != ALLERIA_WRITE)
		print_din_line(l, '0', a->address, a->size);
	if (a->kind != ALLERIA_READ)
		print_din_line(l, '1', a->address, a->size);
}

static void
print_instruction_fetch_as_din_line(struct cl_lines *l,
				    const struct alleria_instruction *i)
{
	print_din_line(l, '2', i->address, i->size);
}

/* ---- csv and ndjson ---- */

static const char *const kind_name[] = {"read", "write", "modify"};

static void print_access_as_csv_line(struct cl_lines *l,
				     const struct alleria_access *a)
{
	append_decimal(l, a->number);
	append_char(l, ',');
	append_decimal(l, a->instruction);
	append_char(l, ',');
	append_process_number(l, a->process);
	append_char(l, ',');
	append_decimal(l, a->thread);
	append_string(l, ",0x");
	append_hex_zero_padded_unchecked(l, a->code, 1);
	append_char(l, ',');
	append_string(l, kind_name[a->kind]);
	append_char(l, ',');
	append_address(l, a->address, "");
	append_char(l, ',');
	append_decimal(l, a->size);
	if (l->values) {
		append_char(l, ',');
		append_value_hex_high_byte_first(l, a->read, a->size, "");
		append_char(l, ',');
		append_value_hex_high_byte_first(l, a->written, a->size, "");
	}
	cl_data_print_object_csv_if_asked(l, a);
	end_line_and_flush_if_full(l);
}

static void append_ndjson_value_if_any(struct cl_lines *l,
				       const char *json_prefix,
				       const uint8_t *value, unsigned size)
{
	if (!value)
		return;
	append_string(l, json_prefix);
	append_value_hex_high_byte_first(l, value, size, "");
	append_char(l, '"');
}

static void append_json_process_and_thread(struct cl_lines *l,
					   uint32_t process_index,
					   uint32_t thread)
{
	append_string(l, ",\"tree\":");
	append_decimal(l, alleria_process(l->profile, process_index)->tree);
	append_string(l, ",\"process\":");
	append_decimal(l, alleria_process(l->profile, process_index)->number);
	append_string(l, ",\"thread\":");
	append_decimal(l, thread);
}

static void print_access_as_ndjson_line(struct cl_lines *l,
					const struct alleria_access *a)
{
	append_string(l, "{\"access\":");
	append_decimal(l, a->number);
	append_string(l, ",\"instruction\":");
	append_decimal(l, a->instruction);
	append_json_process_and_thread(l, a->process, a->thread);
	append_string(l, ",\"code\":\"0x");
	append_hex_zero_padded_unchecked(l, a->code, 1);
	append_string(l, "\",\"kind\":\"");
	append_string(l, kind_name[a->kind]);
	append_char(l, '"');
	if (a->address) {
		append_string(l, ",\"address\":\"0x");
		append_hex_zero_padded_unchecked(l, a->address, 1);
		append_char(l, '"');
	}
	append_string(l, ",\"size\":");
	append_decimal(l, a->size);
	append_ndjson_value_if_any(l, ",\"read\":\"", a->read, a->size);
	append_ndjson_value_if_any(l, ",\"written\":\"", a->written, a->size);
	cl_data_print_object_ndjson_if_asked(l, a);
	append_char(l, '}');
	end_line_and_flush_if_full(l);
}

static void print_mark_or_window_as_ndjson_line(struct cl_lines *l,
						const struct alleria_event *e,
						const struct cl_mark_text *m)
{
	append_string(l, "{\"event\":\"");
	append_string(l, m->word);
	append_string(l, "\",\"name\":");
	cl_lines_flush_to_file(l);
	al_json_write_quoted_string(l->file, m->name);
	append_string(l, ",\"next_access\":");
	append_decimal(l, e->access);
	append_string(l, ",\"next_instruction\":");
	append_decimal(l, e->instruction);
	append_json_process_and_thread(l, e->process, e->thread);
	if (m->is_region) {
		append_string(l, ",\"address\":\"0x");
		append_hex_zero_padded_unchecked(l, m->start, 1);
		append_string(l, "\",\"size\":");
		append_decimal(l, m->size);
	}
	append_char(l, '}');
	end_line_and_flush_if_full(l);
}

const struct cl_format cl_formats[] = {
	{"text", NULL, print_access_as_text_line, NULL,
	 print_mark_or_window_as_text_line},
	{"lackey", NULL, print_access_as_lackey_line,
	 print_lackey_instr_line_without_accesses, NULL},
	{"din", NULL, print_din_read_and_or_write_lines,
	 print_instruction_fetch_as_din_line, NULL},
	{"csv", "access,instruction,process,thread,code,kind,address,size",
	 print_access_as_csv_line, NULL, NULL},
	{"ndjson", NULL, print_access_as_ndjson_line, NULL,
	 print_mark_or_window_as_ndjson_line},
	{NULL, NULL, NULL, NULL, NULL},
};

void cl_lines_append_header_if_any(struct cl_lines *l,
				   const struct cl_format *format)
{
	if (!format->head)
		return;
	append_string(l, format->head);
	append_string(l, l->values ? ",read,written" : "");
	append_string(l, l->data ? CL_DATA_CSV_HEAD : "");
	end_line_and_flush_if_full(l);
}
