/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table.c - reads the functions of an object file; see symbol_table.h
 */
#include "lib/symbols/symbol_table.h"

#include <errno.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/elf.h"

enum {
	GUEST_PAGE = 4096,
	MAX_PASSES = 64, /* limit of passes that separate overlapping ranges of
			    functions; real files need 3 */
};

struct al_function {
	uint64_t start;
	uint64_t size;
	const char *name;
	bool is_final; /* name is demangled and interned */
};

struct range {
	uint64_t start;
	uint64_t end;
};

/* Address ranges of code, and of sections, in the main file. */
struct layout {
	struct range code[16]; /* executable segments, rounded to whole pages */
	size_t n_code;
	struct range text, plt, data, rodata, bss;
};

static bool is_in_half_open_range(const struct range *r, uint64_t value)
{
	return value >= r->start && value < r->end;
}

static struct range section_range_or_empty(Elf *elf, const char *name)
{
	GElf_Shdr h;

	if (!al_elf_find_section(elf, name, &h))
		return (struct range){0, 0};
	return (struct range){h.sh_addr, h.sh_addr + h.sh_size};
}

static void read_code_segments_and_section_ranges(struct layout *l, Elf *elf)
{
	size_t n = 0;
	GElf_Phdr ph;

	l->n_code = 0;
	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && l->n_code < 16; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
		    !(ph.p_flags & PF_X))
			continue;
		l->code[l->n_code++] =
			(struct range){ph.p_vaddr & -(uint64_t)GUEST_PAGE,
				       (ph.p_vaddr + ph.p_filesz + GUEST_PAGE -
					1) & -(uint64_t)GUEST_PAGE};
	}
	l->text = section_range_or_empty(elf, ".text");
	l->plt = section_range_or_empty(elf, ".plt");
	l->data = section_range_or_empty(elf, ".data");
	l->rodata = section_range_or_empty(elf, ".rodata");
	l->bss = section_range_or_empty(elf, ".bss");
}

/* Whether a symbol of @size bytes at @start is code by Valgrind's rules: not in
   .plt, nor, outside .text, in .data, .rodata or .bss; and as a whole in an
   executable segment. */
static bool is_symbol_code_by_valgrind_rules(const struct layout *l,
					     uint64_t start, uint64_t size)
{
	if (is_in_half_open_range(&l->plt, start))
		return false;
	if (!is_in_half_open_range(&l->text, start) &&
	    (is_in_half_open_range(&l->data, start) ||
	     is_in_half_open_range(&l->rodata, start) ||
	     is_in_half_open_range(&l->bss, start)))
		return false;
	for (size_t i = 0; i < l->n_code; i++)
		if (is_in_half_open_range(&l->code[i], start) &&
		    size <= l->code[i].end - start)
			return true;
	return false;
}

static bool is_sized_function_or_object_symbol(const GElf_Sym *sym)
{
	unsigned bind = GELF_ST_BIND(sym->st_info);
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return (bind == STB_GLOBAL || bind == STB_LOCAL || bind == STB_WEAK) &&
	       (type == STT_FUNC || type == STT_OBJECT ||
		type == STT_GNU_IFUNC) &&
	       sym->st_size && (uint32_t)sym->st_value;
}

/* Append the functions of the symbol table in section @scn. Their names point
   into @elf's memory. Return: 0; -ENOMEM. */
static int append_symbol_table_functions_in_code(struct al_symtab *t, Elf *elf,
						 Elf_Scn *scn,
						 const GElf_Shdr *header,
						 const struct layout *layout)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && header->sh_entsize
			   ? data->d_size / header->sh_entsize
			   : 0;
	struct al_function *bigger;
	GElf_Sym sym;

	bigger = realloc(t->function, (t->n + n + 1) * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	t->function = bigger;
	for (size_t i = 1; i < n; i++) {
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym) ||
		    !is_sized_function_or_object_symbol(&sym) ||
		    !is_symbol_code_by_valgrind_rules(layout, sym.st_value,
						      sym.st_size))
			continue;
		name = elf_strptr(elf, header->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		t->function[t->n++] = (struct al_function){
			.start = sym.st_value,
			.size = sym.st_size,
			.name = name,
		};
	}
	return 0;
}

/* Append the functions of the first symbol table of section type @section_type.
   Return: 1; 0 if there is no such table; -ENOMEM. */
static int append_functions_of_first_table(struct al_symtab *t, Elf *elf,
					   GElf_Word section_type,
					   const struct layout *layout)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    header.sh_type == section_type) {
			int err = append_symbol_table_functions_in_code(
				t, elf, scn, &header, layout);

			return err < 0 ? err : 1;
		}
	return 0;
}

bool al_symtab_is_first_name_preferred(const char *a, const char *b)
{
	size_t len_a = strcspn(a, "@"), len_b = strcspn(b, "@");

	if (!len_a != !len_b)
		return len_a;
	if (len_a != len_b)
		return len_a < len_b;
	if (!a[len_a] != !b[len_b])
		return a[len_a];
	return strcmp(a, b) <= 0;
}

static int compare_functions_by_range(const void *va, const void *vb)
{
	const struct al_function *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Leave one function, with the preferred name, of those that have the same
   range. The table must be sorted by range. */
static void remove_aliases_of_equal_ranges(struct al_symtab *t)
{
	size_t last = 0;

	for (size_t i = 1; i < t->n; i++) {
		struct al_function *a = &t->function[last];
		struct al_function *b = &t->function[i];

		if (a->start != b->start || a->size != b->size)
			t->function[++last] = *b;
		else if (!al_symtab_is_first_name_preferred(a->name, b->name))
			a->name = b->name;
	}
	if (t->n)
		t->n = last + 1;
}

/* Separate each range from the next one that it overlaps: end it where the next
   one starts or, if both start together, start the next one where it ends.
   Return: whether a range was changed; the table may then be out of order. */
static bool cut_overlaps_if_any(struct al_symtab *t)
{
	bool changed = false;

	for (size_t i = 0; i + 1 < t->n; i++) {
		struct al_function *a = &t->function[i], *b = a + 1;

		if (a->start > b->start || b->start - a->start >= a->size)
			continue;
		if (a->start < b->start) {
			a->size = b->start - a->start;
		} else {
			b->start += a->size;
			b->size -= a->size;
		}
		changed = true;
	}
	return changed;
}

/* Sort the table, remove aliases, and separate overlapping ranges. */
static void sort_remove_aliases_cut_overlaps(struct al_symtab *t)
{
	for (int pass = 0; t->n && pass < MAX_PASSES; pass++) {
		qsort(t->function, t->n, sizeof(*t->function),
		      compare_functions_by_range);
		remove_aliases_of_equal_ranges(t);
		if (!cut_overlaps_if_any(t))
			return;
	}
}

/* Copy all names to one allocation that the table owns, because the file is
   closed before the table is freed. Return: 0; -ENOMEM. */
static int copy_names_into_table(struct al_symtab *t)
{
	size_t bytes = 1;
	char *p;

	for (size_t i = 0; i < t->n; i++)
		bytes += strlen(t->function[i].name) + 1;
	p = t->names = malloc(bytes);
	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++) {
		size_t size = strlen(t->function[i].name) + 1;

		t->function[i].name = memcpy(p, t->function[i].name, size);
		p += size;
	}
	return 0;
}

int al_symtab_read_functions(struct al_symtab *t, Elf *main, Elf *debug_or_null)
{
	struct layout layout;
	int err;

	read_code_segments_and_section_ranges(&layout, main);
	err = append_functions_of_first_table(t, main, SHT_SYMTAB, &layout);
	if (err == 0 && debug_or_null)
		err = append_functions_of_first_table(t, debug_or_null,
						      SHT_SYMTAB, &layout);
	if (err >= 0)
		err = append_functions_of_first_table(t, main, SHT_DYNSYM,
						      &layout);
	if (err >= 0) {
		sort_remove_aliases_cut_overlaps(t);
		err = copy_names_into_table(t);
	}
	if (err < 0)
		al_symtab_release(t);
	return err;
}

static bool is_name_of_caller_of_main(const char *name)
{
	static const char prefix[] = "__libc_start_main.";

	return !strcmp(name, "_start") || !strcmp(name, "__libc_start_main") ||
	       !strcmp(name, "__libc_start_call_main") ||
	       !strncmp(name, prefix, sizeof(prefix) - 1);
}

/* Replace the name of a function by its final form: decoded, if it is encoded
   as by <valgrind/valgrind.h>, demangled and interned. */
static void decode_demangle_and_intern_name(struct al_function *f,
					    struct al_intern *strings)
{
	char *decoded = al_zname_decode_valgrind_redirect(f->name),
	     *plain = NULL;
	const char *name = decoded ? decoded : f->name;

	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
		plain = cplus_demangle(name, DMGL_ANSI | DMGL_PARAMS);
	if (plain)
		f->name = al_intern_question_marks_if_no_memory(strings, plain);
	else if (is_name_of_caller_of_main(name))
		f->name = al_intern_question_marks_if_no_memory(strings,
								"(below main)");
	else
		f->name = al_intern_question_marks_if_no_memory(strings, name);
	free(plain);
	free(decoded);
	f->is_final = true;
}

const char *al_symtab_find_demangled_name(struct al_symtab *t,
					  uint64_t elf_address,
					  struct al_intern *strings)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		struct al_function *f = &t->function[mid];

		if (elf_address < f->start) {
			hi = mid;
		} else if (elf_address - f->start >= f->size) {
			lo = mid + 1;
		} else {
			if (!f->is_final)
				decode_demangle_and_intern_name(f, strings);
			return f->name;
		}
	}
	return NULL;
}

void al_symtab_release(struct al_symtab *t)
{
	free(t->function);
	free(t->names);
	*t = (struct al_symtab){0};
}
