/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_registers.c - exactness of the program's registers; see vt_registers.h */

#include "vgtool/vt_registers.h"

#include <pub_tool_options.h>

#include "vgtool/vt_core.h"

static Bool fewer;
static Bool has_frame;

static void keep(VexRegisterUpdates which)
{
	VG_(clo_vex_control).iropt_register_updates_default = which;
	VG_(clo_px_file_backed) = which;
}

void vt_registers_keep_fewer(void)
{
	VexRegisterUpdates all =
		VG_(clo_vex_control).iropt_register_updates_default;
	VexRegisterUpdates mapped = VG_(clo_px_file_backed);

	if (all != VexRegUpdUnwindregsAtMemAccess ||
	    (mapped != VexRegUpd_INVALID && mapped != all))
		return;
	keep(VexRegUpdSpAtMemAccess);
	fewer = True;
}

void vt_registers_keep_more(void)
{
	if (!fewer || has_frame)
		return;
	keep(VexRegUpdUnwindregsAtMemAccess);
	VG_(discard_translations)(0, ~0ULL, "alleria");
	fewer = False;
}

void vt_registers_have_frame(void)
{
	has_frame = True;
}

Bool vt_registers_have_pc(void)
{
	return VG_(clo_vex_control).iropt_register_updates_default !=
	       VexRegUpdSpAtMemAccess;
}
