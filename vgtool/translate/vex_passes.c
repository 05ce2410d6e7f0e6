/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vex_passes.c - replaces slow passes of VEX by those of vgtool/vexopt/
 *
 * The linker substitutes the functions below for VEX's, see vex_shortcuts.c.
 * Blocks that vexopt/ does not handle are passed to VEX's original functions.
 */
#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "vgtool/core/compare_passes.h"
#include "vgtool/core/registers.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/translate/compare_registers.h"
#include "vgtool/translate/superblock.h"
#include "vgtool/vexopt/passes.h"
#include "vgtool/vexopt/same_block.h"

enum { FRAME = offsetof(VexGuestAMD64State, guest_RBP) };

/* Compare two results of a pass and return the tool's, or VEX's if there is no
   other. The tool's result must be made before VEX's, because VEX may modify
   the block that both start from. */
static IRSB *compare_results(enum vt_pass pass, IRSB *vex, IRSB *ours)
{
	if (!ours) {
		vt_compare_count_unhandled(pass);
		return vex;
	}
	vt_compare_report_block(pass, vex, ours, ps_is_same_block(vex, ours));
	return ours;
}

IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *sb)
{
	IRSB *made = ps_flatten(sb);

	if (vt_compare_is_on)
		return compare_results(VT_PASS_INITIAL,
				       __real_do_minimal_initial_iropt_BB(sb),
				       made);
	return made ? made : __real_do_minimal_initial_iropt_BB(sb);
}

/* Arguments of do_iropt_BB() that do not depend on the block. */
struct optimiser {
	ps_spec_helper_fn special;
	ps_precise_fn precise;
	VexRegisterUpdates updates;
	VexArch arch;
};

/* VEX's own function for is_precise() */
static ps_precise_fn vex_precise;
/* Whether the frame pointer's exactness may have preserved a PUT. */
static Bool frame_mattered;

/* Whether the register in [@low, @high] is exact where memory is accessed. The
   frame pointer always is, so that signal handlers find the right value. */
static Bool is_precise(Int low, Int high, VexRegisterUpdates when)
{
	if (vex_precise(low, high, when))
		return True;
	if (when != VexRegUpdSpAtMemAccess || low >= FRAME + 8 || high < FRAME)
		return False;
	frame_mattered = True;
	return True;
}

static IRSB *optimise_precisely(const struct optimiser *o, IRSB *sb, Addr guest)
{
	IRSB *made = ps_optimise(sb, o->special, o->precise, o->updates, guest);

	if (made && !vt_compare_is_on)
		return made;
	sb = __real_do_iropt_BB(sb, o->special, o->precise, o->updates, guest,
				o->arch);
	return vt_compare_is_on ? compare_results(VT_PASS_OPTIMISE, sb, made)
				: sb;
}

static IRSB *optimise(const struct optimiser *o, IRSB *sb, Addr guest)
{
	frame_mattered = False;
	sb = optimise_precisely(o, sb, guest);
	if (frame_mattered)
		ps_remove_frame_loads(sb, FRAME);
	return sb;
}

IRSB *__wrap_do_iropt_BB(IRSB *sb, ps_spec_helper_fn special,
			 ps_precise_fn precise, VexRegisterUpdates updates,
			 Addr guest, VexArch arch)
{
	const struct optimiser o = {special, is_precise, updates, arch};
	IRSB *next;

	vex_precise = precise;
	vt_registers_set_frame_exact();
	sb = optimise(&o, sb, guest);
	do
		next = vt_superblock_make_next(sb, &guest);
	while (next && vt_superblock_append(sb, optimise(&o, next, guest)));
	return sb;
}

/* Do nothing. VEX calls this twice after the tool has instrumented a block.
   ps_trees() removes dead code later, so --trace-flags shows it until then. */
void __wrap_do_deadcode_BB(IRSB *sb)
{
	(void)sb;
}

static Addr vex_trees(IRSB *sb, ps_precise_fn precise, VexRegisterUpdates when)
{
	__real_do_deadcode_BB(sb);
	return __real_ado_treebuild_BB(sb, precise, when);
}

/* Run VEX's pass on a copy and the tool's on the block, and compare the
   results. */
static Addr compare_trees(IRSB *sb, ps_precise_fn precise,
			  VexRegisterUpdates when)
{
	IRSB *vex = deepCopyIRSB(sb);
	Addr vex_end, end;

	if (!ps_trees(sb, precise, when, &end)) {
		vt_compare_count_unhandled(VT_PASS_TREES);
		return vex_trees(sb, precise, when);
	}
	vex_end = vex_trees(vex, precise, when);
	vt_compare_report_block(VT_PASS_TREES, vex, sb,
				vex_end == end && ps_is_same_block(vex, sb));
	return end;
}

Addr __wrap_ado_treebuild_BB(IRSB *sb, ps_precise_fn precise,
			     VexRegisterUpdates when)
{
	Addr end;

	vex_precise = precise;
	if (vt_compare_is_on)
		return compare_trees(sb, is_precise, when);
	return ps_trees(sb, is_precise, when, &end)
		       ? end
		       : vex_trees(sb, is_precise, when);
}

struct ps_code *__wrap_doRegisterAllocation_v3(struct ps_code *code,
					       const struct ps_host *host)
{
	struct ps_code *made;

	if (vt_compare_is_on)
		return vt_compare_registers(code, host);
	made = ps_allocate_registers(code, host);
	return made ? made : __real_doRegisterAllocation_v3(code, host);
}
