/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_shortcut.c - work that VEX does in vain is left out
 *
 * Room:    vgtool.
 *
 * A program that runs much code, as a compiler does, spends most of its time
 * under Valgrind in translation. The linker puts the functions below in the
 * place of those of the same name that they call (-Wl,--wrap), for versions of
 * Valgrind whose translator is known to work as told here. Code is the same
 * with them as without, and so is what is recorded.
 *
 * - Behind each conditional branch VEX disassembles both sides, to see whether
 *   they are an "&&", and mostly throws them away. Where vt_idiom.h tells that
 *   they are none, the first instruction of a side is said to be no code, which
 *   ends the attempt.
 * - What the tool has made is flat and has nothing to fold: one of the three
 *   passes that clean up behind a tool is enough.
 * - A pass of VEX that takes long has another in its place: see ps_passes.h.
 * - VEX checks what it and the tool have made. --disable-shortcuts keeps that.
 */
#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "passes/ps_passes.h"
#include "passes/ps_same.h"
#include "vgtool/vt_compare.h"
#include "vgtool/vt_core.h"
#include "vgtool/vt_idiom.h"

/* Of the translation that is going on. */
static Bool wants_diagnosis; /* of instructions that are unknown */
static enum {
	NO_BRANCH, /* was the last instruction */
	BRANCH,	   /* not looked at */
	IN_VAIN,
	MAY_BE_IDIOM
} last;
static struct vt_sides sides; /* of that branch */
static Bool cleaned;	      /* once */

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *args)
{
	/* Without diagnosis it would not tell what it only tries. */
	wants_diagnosis = args->sigill_diag;
	args->sigill_diag = True;
	last = NO_BRANCH;
	cleaned = False;
	return __real_LibVEX_Translate(args);
}

/* Says that there is no code at @at, for VEX to stop there. */
static struct vt_disassembled stop(IRSB *sb, Addr at)
{
	addStmtToIRSB(sb, IRStmt_Put(offsetof(VexGuestAMD64State, guest_RIP),
				     IRExpr_Const(IRConst_U64(at))));
	return (struct vt_disassembled){0, VT_DISASSEMBLED_STOP,
					VT_DISASSEMBLED_NO_HINT, Ijk_NoDecode};
}

/* Whether the code at @at is tried in vain. Only code that VEX is about to read
   is looked at. */
static Bool is_in_vain(Addr at)
{
	if (last == BRANCH)
		last = vt_idiom_may(&sides) ? MAY_BE_IDIOM : IN_VAIN;
	return last == IN_VAIN && (at == sides.side[0] || at == sides.side[1]);
}

/* @diagnosis: false: it only tries. */
struct vt_disassembled __wrap_disInstr_AMD64(IRSB *sb, const UChar *code,
					     Long delta, Addr at, VexArch arch,
					     const VexArchInfo *archinfo,
					     const VexAbiInfo *abi,
					     VexEndness endness, Bool diagnosis)
{
	struct vt_disassembled d;

	if (!diagnosis && is_in_vain(at))
		return stop(sb, at);
	d = __real_disInstr_AMD64(sb, code, delta, at, arch, archinfo, abi,
				  endness, diagnosis && wants_diagnosis);
	if (diagnosis)
		last = vt_idiom_sides(at, d.len, &sides) ? BRANCH : NO_BRANCH;
	return d;
}

/* What is dead, what is constant, and again what is dead. */
void __wrap_do_deadcode_BB(IRSB *sb)
{
	if (!cleaned)
		__real_do_deadcode_BB(sb);
	cleaned = True;
}

IRSB *__wrap_cprop_BB(IRSB *sb)
{
	return sb;
}

void __wrap_sanityCheckIRSB(const IRSB *sb, const HChar *caller, Bool flat,
			    IRType word)
{
	(void)sb;
	(void)caller;
	(void)flat;
	(void)word;
}

/* Ours after VEX's, which changes a block that it begins with. */
static IRSB *compare_made(enum vt_pass pass, IRSB *vex, IRSB *ours)
{
	if (!ours) {
		vt_compare_left(pass);
		return vex;
	}
	vt_compare_made(pass, vex, ours, ps_same(vex, ours));
	return ours;
}

IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *sb)
{
	IRSB *made = ps_initial(sb);

	if (vt_compare_is_on)
		return compare_made(VT_INITIAL,
				    __real_do_minimal_initial_iropt_BB(sb),
				    made);
	return made ? made : __real_do_minimal_initial_iropt_BB(sb);
}

IRSB *__wrap_do_iropt_BB(IRSB *sb, ps_special special, ps_precise precise,
			 VexRegisterUpdates updates, Addr guest, VexArch arch)
{
	IRSB *made = ps_optimise(sb, special, precise, updates, guest);

	if (made && !vt_compare_is_on)
		return made;
	sb = __real_do_iropt_BB(sb, special, precise, updates, guest, arch);
	return vt_compare_is_on ? compare_made(VT_OPTIMISE, sb, made) : sb;
}

/* VEX's on a copy, ours on the block. */
static Addr compare_trees(IRSB *sb, ps_precise precise, VexRegisterUpdates when)
{
	IRSB *vex = deepCopyIRSB(sb);
	Addr its, end;

	if (!ps_trees(sb, precise, when, &end)) {
		vt_compare_left(VT_TREES);
		return __real_ado_treebuild_BB(sb, precise, when);
	}
	its = __real_ado_treebuild_BB(vex, precise, when);
	vt_compare_made(VT_TREES, vex, sb, its == end && ps_same(vex, sb));
	return end;
}

Addr __wrap_ado_treebuild_BB(IRSB *sb, ps_precise precise,
			     VexRegisterUpdates when)
{
	Addr end;

	if (vt_compare_is_on)
		return compare_trees(sb, precise, when);
	return ps_trees(sb, precise, when, &end)
		       ? end
		       : __real_ado_treebuild_BB(sb, precise, when);
}
