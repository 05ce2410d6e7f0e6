/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers.c - chooses which guest registers are exact; see registers.h */

#include "vgtool/core/registers.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_options.h>
#include <pub_tool_xarray.h>

#include "vgtool/core/valgrind_core.h"

/* Whether VEX keeps fewer registers exact than by default: in code that is not
   mapped from a file, and in code that is. */
static Bool fewer, fewer_in_files;
static Bool frame_is_exact; /* set by vt_registers_set_frame_exact() */

/* Whether an option of Valgrind's command line begins with @option. */
static Bool is_given(const HChar *option)
{
	Word i, n = VG_(sizeXA)(VG_(args_for_valgrind));

	for (i = 0; i < n; i++)
		if (VG_(strncmp)(
			    *(HChar **)VG_(indexXA)(VG_(args_for_valgrind), i),
			    option, VG_(strlen)(option)) == 0)
			return True;
	return False;
}

/* Set VEX's exactness to @in_files for code of files and to @which for other
   code, unless the user has chosen it. */
static void set_exactness(VexRegisterUpdates which, VexRegisterUpdates in_files)
{
	if (fewer)
		VG_(clo_vex_control).iropt_register_updates_default = which;
	if (fewer_in_files)
		VG_(clo_px_file_backed) = in_files;
}

void vt_registers_reduce_exact(void)
{
	fewer = !is_given("--px-default=") &&
		!is_given("--vex-iropt-register-updates=");
	fewer_in_files = !is_given("--px-file-backed=");
	set_exactness(VexRegUpdSpAtMemAccess, VexRegUpdSpAtMemAccess);
}

void vt_registers_restore_exact(void)
{
	if ((!fewer && !fewer_in_files) || frame_is_exact)
		return;
	set_exactness(VexRegUpdUnwindregsAtMemAccess,
		      VexRegUpdUnwindregsAtMemAccess);
	VG_(discard_translations)(0, ~0ULL, "alleria");
	fewer = fewer_in_files = False;
}

void vt_registers_set_frame_exact(void)
{
	frame_is_exact = True;
}

Bool vt_registers_is_pc_exact(void)
{
	return VG_(clo_vex_control).iropt_register_updates_default !=
	       VexRegUpdSpAtMemAccess;
}
