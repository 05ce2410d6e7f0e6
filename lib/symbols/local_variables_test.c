/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_variables_test.c - compares the pointers in registers that are found in
 *                          this program with the variables of the scopes that
 *                          libdw finds
 */
#include "lib/symbols/local_variables.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/symbols/code_scopes.h"
#include "lib/symbols/types/type_entries.h"
#include "tests/tap.h"

enum { STEP = 3 /* [bytes] between addresses */ };

static struct al_code_scopes scopes;
static unsigned n_addresses, n_functions_wrong, n_pointers, n_wrong;

/* Return the number of the register that a variable has at @pc, if it is a
   pointer; -1: it is none, or has no register. */
static int register_of_pointer(Dwarf_Die *variable, Dwarf_Addr pc)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(variable, DW_AT_location, &attribute) ||
	    dwarf_getlocation_addr(&attribute, pc, &op, &n, 1) != 1 || n != 1 ||
	    op->atom < DW_OP_reg0 || op->atom > DW_OP_reg31 ||
	    !al_type_peeled_type_of_entry(variable, &type) ||
	    !al_type_has_pointer_or_reference_tag(&type))
		return -1;
	return op->atom - DW_OP_reg0;
}

/* Check that each pointer directly in @scope that has a register at @pc is
   found there, unless one of an inner scope has the register: @inner_registers,
   to which they are added. */
static void check_scope(const struct al_local_variables *v, Dwarf_Die *scope,
			Dwarf_Addr pc, unsigned *inner_registers)
{
	unsigned registers = 0;
	Dwarf_Die die, type, found;
	int more = dwarf_child(scope, &die);

	for (; !more; more = dwarf_siblingof(&die, &die)) {
		int r = dwarf_tag(&die) == DW_TAG_variable ||
					dwarf_tag(&die) ==
						DW_TAG_formal_parameter
				? register_of_pointer(&die, pc)
				: -1;

		if (r < 0 || (*inner_registers | registers) >> r & 1)
			continue;
		registers |= 1u << r;
		n_pointers++;
		n_wrong += !al_local_variables_find_pointer(v, pc, (unsigned)r,
							    &found) ||
			   !al_type_peeled_type_of_entry(&die, &type) ||
			   dwarf_dieoffset(&type) != dwarf_dieoffset(&found);
	}
	*inner_registers |= registers;
}

static void check_address(Dwarf *dwarf, Dwarf_Die *unit, Dwarf_Addr pc)
{
	struct al_code_range *function =
		al_code_scopes_find_function(&scopes, dwarf, pc);
	struct al_local_variables v = {.n = 0};
	Dwarf_Die *scope = NULL;
	int n = dwarf_getscopes(unit, pc, &scope);
	unsigned registers = 0;

	n_addresses++;
	n_functions_wrong += (function != NULL) != (n > 1);
	if (function != NULL &&
	    al_local_variables_list(&v, &function->entry) == 0)
		for (int i = 0; i < n; i++) {
			int tag = dwarf_tag(&scope[i]);

			if (tag != DW_TAG_compile_unit)
				check_scope(&v, &scope[i], pc, &registers);
			if (tag == DW_TAG_inlined_subroutine)
				break;
		}
	al_local_variables_release(&v);
	free(scope);
}

static void check_unit(Dwarf *dwarf, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(unit, offset, &base, &start, &end)) > 0)
		for (Dwarf_Addr pc = start; pc < end; pc += STEP)
			check_address(dwarf, unit, pc);
}

int main(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (dwarf &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		check_unit(dwarf, &unit);
	if (n_addresses == 0) {
		skip("built without debug information", "variables");
		return done_testing();
	}
	is_u64(n_functions_wrong, 0, "functions of addresses");
	is_u64(n_wrong, 0, "all pointers in registers are found");
	ok(n_pointers > 100, "there are some");
	printf("# %u pointers at %u addresses\n", n_pointers, n_addresses);
	al_code_scopes_release(&scopes);
	dwarf_end(dwarf);
	close(fd);
	return done_testing();
}
