/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers.c - chooses which guest registers are exact; see registers.h */

#include "vgtool/core/registers.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_options.h>
#include <pub_tool_xarray.h>

#include "vgtool/core/valgrind_core.h"

/* Whether VEX keeps fewer registers exact than by default: in code that is not
   mapped from a file, and in code that is. */
static Bool is_reduced, is_reduced_in_files;
/* Whether the passes keep the frame pointer exact, see
   vt_registers_note_frame_ptr_is_exact(). */
static Bool frame_is_exact;

/* Whether one of Valgrind's command-line arguments begins with @prefix. */
static Bool has_valgrind_arg_with_prefix(const HChar *prefix)
{
	Word i, n = VG_(sizeXA)(VG_(args_for_valgrind));

	for (i = 0; i < n; i++)
		if (VG_(strncmp)(
			    *(HChar **)VG_(indexXA)(VG_(args_for_valgrind), i),
			    prefix, VG_(strlen)(prefix)) == 0)
			return True;
	return False;
}

/* Set which registers VEX keeps exact: @in_files in code that is mapped from
   files, @in_other_code in other code. A setting that the user has chosen by an
   option is not changed. */
static void
set_exact_registers_unless_set_by_option(VexRegisterUpdates in_other_code,
					 VexRegisterUpdates in_files)
{
	if (is_reduced)
		VG_(clo_vex_control).iropt_register_updates_default =
			in_other_code;
	if (is_reduced_in_files)
		VG_(clo_px_file_backed) = in_files;
}

void vt_registers_reduce_exact_to_sp(void)
{
	is_reduced =
		!has_valgrind_arg_with_prefix("--px-default=") &&
		!has_valgrind_arg_with_prefix("--vex-iropt-register-updates=");
	is_reduced_in_files =
		!has_valgrind_arg_with_prefix("--px-file-backed=");
	set_exact_registers_unless_set_by_option(VexRegUpdSpAtMemAccess,
						 VexRegUpdSpAtMemAccess);
}

void vt_registers_restore_exact_unwind_regs(void)
{
	if ((!is_reduced && !is_reduced_in_files) || frame_is_exact)
		return;
	set_exact_registers_unless_set_by_option(
		VexRegUpdUnwindregsAtMemAccess, VexRegUpdUnwindregsAtMemAccess);
	VG_(discard_translations)(0, ~0ULL, "alleria");
	is_reduced = is_reduced_in_files = False;
}

void vt_registers_note_frame_ptr_is_exact(void)
{
	frame_is_exact = True;
}

Bool vt_registers_is_pc_exact_at_accesses(void)
{
	return VG_(clo_vex_control).iropt_register_updates_default !=
	       VexRegUpdSpAtMemAccess;
}
