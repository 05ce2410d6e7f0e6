/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_lines.c - prints records of a profile as lines; see record_lines.h
 *
 *   text    number process thread code: R|W|M address size, and where values
 *           were recorded: what was read, what was written; '-' for what there
 *           is not
 *           and marks and windows: number of the next access, process thread
 *           word name
 *   lackey  as `valgrind --tool=lackey --trace-mem=yes`
 *   din     0|1|2 address size, of a read, write, fetch; hexadecimal; what
 *           DineroIV reads as din (which leaves the size) and as xdin
 *   csv     with a head; addresses hexadecimal
 *   ndjson  an object a line; addresses are strings, for they may be more than
 *           a number of JavaScript holds
 *
 * Values are hexadecimal numbers of two digits for each byte, the one with the
 * highest address first, of whatever size.
 */
#include "cli/print/record_lines.h"

#include <string.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"

enum { MAX_LINE = 1024 /* [bytes] of a line */ };

void cl_lines_flush(struct cl_lines *l)
{
	fwrite(l->buffer, 1, l->used, l->file);
	l->used = 0;
}

static void put(struct cl_lines *l, const char *s)
{
	size_t n = strlen(s);

	memcpy(l->buffer + l->used, s, n);
	l->used += n;
}

static void put_char(struct cl_lines *l, char c)
{
	l->buffer[l->used++] = c;
}

/* Append a number in lower-case hexadecimal, at least @width digits. */
static void put_hex(struct cl_lines *l, uint64_t value, int width)
{
	char digits[16];
	int n = 16;

	do {
		digits[--n] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value != 0 || 16 - n < width);
	memcpy(l->buffer + l->used, digits + n, (size_t)(16 - n));
	l->used += (size_t)(16 - n);
}

static void put_number(struct cl_lines *l, uint64_t value)
{
	char digits[20];
	int n = 20;

	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	memcpy(l->buffer + l->used, digits + n, (size_t)(20 - n));
	l->used += (size_t)(20 - n);
}

static void end_line(struct cl_lines *l)
{
	put_char(l, '\n');
	if (l->used > sizeof(l->buffer) - MAX_LINE)
		cl_lines_flush(l);
}

/* Append a process as users name it: NUMBER, or TREE.NUMBER if there are
   several trees. */
static void put_process(struct cl_lines *l, uint32_t process)
{
	const struct alleria_process *p = alleria_process(l->profile, process);

	if (alleria_run(l->profile)->trees > 1) {
		put_number(l, p->tree);
		put_char(l, '.');
	}
	put_number(l, p->number);
}

/* Append an address. @none: the text if it was not recorded. */
static void put_address(struct cl_lines *l, uint64_t address, const char *none)
{
	put(l, address ? "0x" : none);
	if (address)
		put_hex(l, address, 1);
}

/* Append a value, highest byte first. @none: the text if there is no value. */
static void put_value(struct cl_lines *l, const uint8_t *value, unsigned size,
		      const char *none)
{
	unsigned n = size < ALLERIA_MAX_VALUE ? size : ALLERIA_MAX_VALUE;

	put(l, value ? "0x" : none);
	while (value && n-- > 0)
		put_hex(l, value[n], 2);
}

/* ---- text ---- */

static void text_access(struct cl_lines *l, const struct alleria_access *a)
{
	put_number(l, a->number);
	put_char(l, ' ');
	put_process(l, a->process);
	put_char(l, ' ');
	put_number(l, a->thread);
	put(l, " 0x");
	put_hex(l, a->code, 1);
	put(l, ": ");
	put_char(l, "RWM"[a->kind]);
	put_char(l, ' ');
	put_address(l, a->address, "-");
	put_char(l, ' ');
	put_number(l, a->size);
	if (l->values) {
		put_char(l, ' ');
		put_value(l, a->read, a->size, "-");
		put_char(l, ' ');
		put_value(l, a->written, a->size, "-");
	}
	end_line(l);
}

/* Print a mark or window event; the line starts with the number of the next
   access. */
static void text_mark(struct cl_lines *l, const struct alleria_event *e,
		      const struct cl_mark_text *m)
{
	struct al_text text;

	put_number(l, e->access);
	put_char(l, ' ');
	put_process(l, e->process);
	put_char(l, ' ');
	put_number(l, e->thread);
	put_char(l, ' ');
	put(l, m->word);
	if (m->is_region) {
		put(l, " 0x");
		put_hex(l, m->start, 1);
		put_char(l, ' ');
		put_number(l, m->size);
	}
	put_char(l, ' ');
	cl_lines_flush(l);
	al_text_init(&text, l->file, false);
	al_text_write(&text, AL_PLAIN, m->name);
	end_line(l);
}

/* ---- lackey ---- */

static void lackey_line(struct cl_lines *l, const char *kind, uint64_t address,
			unsigned size)
{
	put(l, kind);
	put_hex(l, address, 8);
	put_char(l, ',');
	put_number(l, size);
	end_line(l);
}

static void lackey_access(struct cl_lines *l, const struct alleria_access *a)
{
	static const char *const kinds[] = {" L ", " S ", " M "};

	lackey_line(l, kinds[a->kind], a->address, a->size);
}

static void lackey_instruction(struct cl_lines *l,
			       const struct alleria_instruction *i)
{
	lackey_line(l, "I  ", i->address, i->size);
}

/* ---- din ---- */

static void din_line(struct cl_lines *l, char label, uint64_t address,
		     unsigned size)
{
	put_char(l, label);
	put_char(l, ' ');
	put_hex(l, address, 1);
	put_char(l, ' ');
	put_hex(l, size, 1);
	end_line(l);
}

/* Print an access; a modify is printed as a read and a write. */
static void din_access(struct cl_lines *l, const struct alleria_access *a)
{
	if (a->kind != ALLERIA_WRITE)
		din_line(l, '0', a->address, a->size);
	if (a->kind != ALLERIA_READ)
		din_line(l, '1', a->address, a->size);
}

static void din_instruction(struct cl_lines *l,
			    const struct alleria_instruction *i)
{
	din_line(l, '2', i->address, i->size);
}

/* ---- csv and ndjson ---- */

static const char *const kind_name[] = {"read", "write", "modify"};

static void csv_access(struct cl_lines *l, const struct alleria_access *a)
{
	put_number(l, a->number);
	put_char(l, ',');
	put_number(l, a->instruction);
	put_char(l, ',');
	put_process(l, a->process);
	put_char(l, ',');
	put_number(l, a->thread);
	put(l, ",0x");
	put_hex(l, a->code, 1);
	put_char(l, ',');
	put(l, kind_name[a->kind]);
	put_char(l, ',');
	put_address(l, a->address, "");
	put_char(l, ',');
	put_number(l, a->size);
	if (l->values) {
		put_char(l, ',');
		put_value(l, a->read, a->size, "");
		put_char(l, ',');
		put_value(l, a->written, a->size, "");
	}
	end_line(l);
}

static void ndjson_value(struct cl_lines *l, const char *name,
			 const uint8_t *value, unsigned size)
{
	if (!value)
		return;
	put(l, name);
	put_value(l, value, size, "");
	put_char(l, '"');
}

static void ndjson_where(struct cl_lines *l, uint32_t process, uint32_t thread)
{
	put(l, ",\"tree\":");
	put_number(l, alleria_process(l->profile, process)->tree);
	put(l, ",\"process\":");
	put_number(l, alleria_process(l->profile, process)->number);
	put(l, ",\"thread\":");
	put_number(l, thread);
}

static void ndjson_access(struct cl_lines *l, const struct alleria_access *a)
{
	put(l, "{\"access\":");
	put_number(l, a->number);
	put(l, ",\"instruction\":");
	put_number(l, a->instruction);
	ndjson_where(l, a->process, a->thread);
	put(l, ",\"code\":\"0x");
	put_hex(l, a->code, 1);
	put(l, "\",\"kind\":\"");
	put(l, kind_name[a->kind]);
	put_char(l, '"');
	if (a->address) {
		put(l, ",\"address\":\"0x");
		put_hex(l, a->address, 1);
		put_char(l, '"');
	}
	put(l, ",\"size\":");
	put_number(l, a->size);
	ndjson_value(l, ",\"read\":\"", a->read, a->size);
	ndjson_value(l, ",\"written\":\"", a->written, a->size);
	put_char(l, '}');
	end_line(l);
}

static void ndjson_mark(struct cl_lines *l, const struct alleria_event *e,
			const struct cl_mark_text *m)
{
	put(l, "{\"event\":\"");
	put(l, m->word);
	put(l, "\",\"name\":");
	cl_lines_flush(l);
	al_json_string(l->file, m->name);
	put(l, ",\"next_access\":");
	put_number(l, e->access);
	put(l, ",\"next_instruction\":");
	put_number(l, e->instruction);
	ndjson_where(l, e->process, e->thread);
	if (m->is_region) {
		put(l, ",\"address\":\"0x");
		put_hex(l, m->start, 1);
		put(l, "\",\"size\":");
		put_number(l, m->size);
	}
	put_char(l, '}');
	end_line(l);
}

const struct cl_format cl_formats[] = {
	{"text", NULL, text_access, NULL, text_mark},
	{"lackey", NULL, lackey_access, lackey_instruction, NULL},
	{"din", NULL, din_access, din_instruction, NULL},
	{"csv", "access,instruction,process,thread,code,kind,address,size",
	 csv_access, NULL, NULL},
	{"ndjson", NULL, ndjson_access, NULL, ndjson_mark},
	{NULL, NULL, NULL, NULL, NULL},
};

void cl_lines_write_head(struct cl_lines *l, const struct cl_format *format)
{
	if (!format->head)
		return;
	put(l, format->head);
	put(l, l->values ? ",read,written" : "");
	end_line(l);
}
