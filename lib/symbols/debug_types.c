/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debug_types.c - reads types of variables of an object; see debug_types.h */

#include "lib/symbols/debug_types.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/types/entry_walk.h"
#include "lib/symbols/types/type_entries.h"
#include "lib/symbols/types/type_layout.h"

/* This bit is set in al_typed_variable.addr of thread-local variables, whose
   other bits are an offset. */
#define THREAD_LOCAL (UINT64_C(1) << 63)

/* ---- list of variables ---- */

/* Whether a DWARF expression of two operations is the address of a thread-local
   variable: its offset in the segment, then the operation that adds the address
   of the thread's copy. */
static bool is_thread_local_address(const Dwarf_Op *op)
{
	return ((op[0].atom >= DW_OP_const1u && op[0].atom <= DW_OP_consts) ||
		op[0].atom == DW_OP_addr) &&
	       (op[1].atom == DW_OP_GNU_push_tls_address ||
		op[1].atom == DW_OP_form_tls_address);
}

/* Set @addr to the address of variable @die if that is fixed, or to its offset
   | THREAD_LOCAL if it is thread-local. Return: whether it is one of these. */
static bool read_variable_address_or_offset(Dwarf_Die *die, uint64_t *addr)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &op, &n))
		return false;
	if (n == 2 && is_thread_local_address(op)) {
		*addr = op[0].number | THREAD_LOCAL;
		return true;
	}
	if (n != 1)
		return false;
	if (op[0].atom == DW_OP_addr) {
		*addr = op[0].number;
		return true;
	}
	return op[0].atom == DW_OP_addrx &&
	       !dwarf_getlocation_attr(&attribute, op, &attribute) &&
	       !dwarf_formaddr(&attribute, addr);
}

static int append_variable_if_static_or_tls(struct al_debug_types *t,
					    Dwarf_Die *die)
{
	size_t size = t->variables_size ? 2 * t->variables_size : 256;
	struct al_typed_variable *bigger;
	uint64_t addr;

	if (!read_variable_address_or_offset(die, &addr))
		return 0;
	if (t->n_variables == t->variables_size) {
		bigger = reallocarray(t->variable, size, sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		t->variable = bigger;
		t->variables_size = size;
	}
	t->variable[t->n_variables++] = (struct al_typed_variable){
		.addr = addr, .entry = dwarf_dieoffset(die)};
	return 0;
}

static int append_if_static_or_tls_variable(void *types, Dwarf_Die *entry,
					    int tag)
{
	return tag == DW_TAG_variable
		       ? append_variable_if_static_or_tls(types, entry)
		       : 0;
}

static int compare_variables_by_address(const void *va, const void *vb)
{
	const struct al_typed_variable *a = va, *b = vb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->entry > b->entry) - (a->entry < b->entry);
}

/* List the variables with a fixed address and the thread-local ones, sorted by
   `addr`. Return: 0; -ENOMEM. */
static int list_and_sort_static_and_tls_variables(struct al_debug_types *t)
{
	struct al_entry_visitor visitor = {
		.visit = append_if_static_or_tls_variable, .arg = t};
	int err = al_debug_entries_visit(t->dwarf, &visitor);

	if (t->n_variables > 0)
		qsort(t->variable, t->n_variables, sizeof(*t->variable),
		      compare_variables_by_address);
	return err;
}

int al_debug_types_open_and_list_variables(struct al_debug_types *t,
					   const char *path,
					   struct al_intern *strings)
{
	GElf_Shdr text;

	t->strings = strings;
	if (al_elf_open_file(&t->main, path) < 0)
		return 0;
	if (al_elf_find_section(t->main.elf, ".text", &text))
		t->text = text.sh_addr;
	if (!al_elf_find_section(t->main.elf, ".debug_info", NULL))
		al_elf_find_and_open_debug_file(&t->debug, path, t->main.elf);
	t->dwarf = dwarf_begin_elf(t->debug.elf ? t->debug.elf : t->main.elf,
				   DWARF_C_READ, NULL);
	if (t->dwarf == NULL)
		return 0;
	t->definitions.dwarf = t->dwarf;
	t->definitions.strings = strings;
	t->frame_info = dwarf_getcfi_elf(t->main.elf);
	return list_and_sort_static_and_tls_variables(t);
}

/* ---- variables ---- */

/* Return the index of the first variable of the sorted table whose address is
   at least @addr; t->n_variables: there is none. */
static size_t first_variable_not_before(const struct al_debug_types *t,
					uint64_t addr)
{
	size_t low = 0, high = t->n_variables;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->variable[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the first variable of the sorted table whose address is @addr; NULL:
   there is none. */
static struct al_typed_variable *
find_first_variable_starting_at_address(struct al_debug_types *t, uint64_t addr)
{
	size_t i = first_variable_not_before(t, addr);

	return i < t->n_variables && t->variable[i].addr == addr
		       ? &t->variable[i]
		       : NULL;
}

/* Return the name of a variable, which may stand in its declaration; "" if it
   has none. */
static const char *variable_name_or_empty(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(
		dwarf_attr_integrate(die, DW_AT_name, &attribute));

	return name ? name : "";
}

static const struct an_type *
build_type_of_variable_entry(struct al_debug_types *t, Dwarf_Off entry_offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Die die, type;

	if (!dwarf_offdie(t->dwarf, entry_offset, &die) ||
	    !dwarf_formref_die(
		    dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type))
		return NULL;
	return al_type_layout_new(&type, variable_name_or_empty(&die),
				  t->strings, &t->definitions);
}

/* Return the type of the variable with `addr` @addr in the table; NULL if it is
   not known. */
static const struct an_type *
resolve_type_of_variable_starting_at(struct al_debug_types *t, uint64_t addr)
{
	struct al_typed_variable *v =
		find_first_variable_starting_at_address(t, addr);

	if (v != NULL && !v->was_resolved) {
		v->type = build_type_of_variable_entry(t, v->entry);
		v->was_resolved = true;
	}
	return v ? v->type : NULL;
}

const struct an_type *
al_debug_types_find_variable_type(struct al_debug_types *t, uint64_t addr)
{
	return addr < THREAD_LOCAL
		       ? resolve_type_of_variable_starting_at(t, addr)
		       : NULL;
}

const struct an_type *
al_debug_types_find_thread_variable_type(struct al_debug_types *t,
					 uint64_t offset)
{
	return offset < THREAD_LOCAL ? resolve_type_of_variable_starting_at(
					       t, offset | THREAD_LOCAL)
				     : NULL;
}

bool al_debug_types_find_variable(struct al_debug_types *t,
				  uint64_t elf_address, Dwarf_Die *variable_out,
				  uint64_t *offset_out)
{
	size_t end = first_variable_not_before(t, elf_address + 1);

	if (end == 0)
		return false;
	*offset_out = elf_address - t->variable[end - 1].addr;
	return dwarf_offdie(t->dwarf, t->variable[end - 1].entry,
			    variable_out) != NULL;
}

/* ---- code of the C library ---- */

/* Whether @die is a function with this name. */
static bool is_function_with_name(Dwarf_Die *die, const char *wanted_name)
{
	const char *name =
		dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;

	return name && !strcmp(name, wanted_name);
}

/* Whether compilation unit @unit is that of malloc() and its like of the GNU C
   library. */
static bool is_unit_of_libc_malloc(Dwarf_Die *unit)
{
	const char *path = dwarf_diename(unit);
	const char *slash = path ? strrchr(path, '/') : NULL;
	Dwarf_Die die;

	if (!path || strcmp(slash ? slash + 1 : path, "malloc.c") ||
	    dwarf_child(unit, &die))
		return false;
	do {
		if (is_function_with_name(&die, "__libc_malloc"))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

bool al_debug_types_is_libc_malloc_unit(struct al_debug_types *t,
					Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit);

	if (!t->has_malloc_answer || t->malloc_answer_unit != offset) {
		t->is_malloc_unit = is_unit_of_libc_malloc(unit);
		t->malloc_answer_unit = offset;
		t->has_malloc_answer = true;
	}
	return t->is_malloc_unit;
}

/* ---- structures ---- */

/* Return the layout of structure @type, which is built at the first call for
   this structure; NULL if it has no layout or memory is short. */
static const struct an_type *
find_or_add_structure_layout(struct al_debug_types *t, Dwarf_Die *type)
{
	size_t size = t->pointed_size ? 2 * t->pointed_size : 64;
	Dwarf_Off entry = dwarf_dieoffset(type);
	struct al_pointed_type *bigger;

	for (size_t i = 0; i < t->n_pointed; i++)
		if (t->pointed[i].entry == entry)
			return t->pointed[i].type;
	if (t->n_pointed == t->pointed_size) {
		bigger = reallocarray(t->pointed, size, sizeof(*bigger));
		if (!bigger)
			return NULL;
		t->pointed = bigger;
		t->pointed_size = size;
	}
	t->pointed[t->n_pointed++] = (struct al_pointed_type){
		entry,
		al_type_layout_new(type, "", t->strings, &t->definitions)};
	return t->pointed[t->n_pointed - 1].type;
}

const struct an_type *al_debug_types_structure_layout(struct al_debug_types *t,
						      Dwarf_Die *structure)
{
	const struct an_type *type = find_or_add_structure_layout(t, structure);

	return type && type->n_members > 0 ? type : NULL;
}

void al_debug_types_release(struct al_debug_types *t)
{
	for (size_t i = 0; i < t->n_variables; i++)
		free((void *)t->variable[i].type);
	for (size_t i = 0; i < t->n_pointed; i++)
		free((void *)t->pointed[i].type);
	free(t->variable);
	free(t->pointed);
	al_type_definitions_release(&t->definitions);
	al_code_scopes_release(&t->scopes);
	al_function_flows_release(&t->flows);
	dwarf_cfi_end(t->frame_info);
	dwarf_end(t->dwarf);
	al_elf_close_file(&t->debug);
	al_elf_close_file(&t->main);
	*t = (struct al_debug_types){0};
}
