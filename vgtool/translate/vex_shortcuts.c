/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vex_shortcuts.c - work that VEX does in vain is left out
 *
 * A program that runs much code, as a compiler does, spends most of its time
 * under Valgrind in translation. The linker puts the functions below in the
 * place of those of the same name that they call (-Wl,--wrap), for versions of
 * Valgrind whose translator is known to work as told here. Code is the same
 * with them as without, and so is what is recorded.
 *
 * - Behind each conditional branch VEX disassembles both sides, to see whether
 *   they are an "&&", and mostly throws them away. Where short_circuit.h tells
 *   that they are none, the first instruction of a side is said to be no code,
 *   which ends the attempt.
 * - What the tool has made is flat and has nothing to fold: of the passes that
 *   clean up behind a tool, the one for what is dead is enough (vex_passes.c).
 * - VEX checks what it and the tool have made. --disable-vexopt keeps that.
 *
 * And of the time that a process takes to start, half goes where Valgrind reads
 * the source lines of the C library, in Debian's debug files, for its own
 * messages of crashes. The lines of libraries of the system are not read; their
 * functions' names are. The report's lines are the daemon's, which reads them.
 */
#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/translate/short_circuit.h"
#include "vgtool/window/switch.h"

/* Of the translation that is going on. */
static Bool wants_diagnosis; /* of instructions that are unknown */
static enum {
	NO_BRANCH, /* was the last instruction */
	BRANCH,	   /* not looked at */
	IN_VAIN,
	MAY_BE_IDIOM
} last;
static struct vt_sides sides; /* of that branch */

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *args)
{
	/* Without diagnosis it would not tell what it only tries. */
	wants_diagnosis = args->sigill_diag;
	args->sigill_diag = True;
	last = NO_BRANCH;
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
		last = vt_flip_may_chase(sides.side[0]) &&
				       vt_flip_may_chase(sides.side[1]) &&
				       vt_idiom_may(&sides)
			       ? MAY_BE_IDIOM
			       : IN_VAIN;
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

/* What is constant, behind the tool. */
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

static Bool begins(const HChar *path, const HChar *folder)
{
	return VG_(strncmp)(path, folder, VG_(strlen)(folder)) == 0;
}

static Bool is_of_system(const DebugInfo *di)
{
	const HChar *path = VG_(DebugInfo_get_filename)(di);

	return path && (begins(path, "/lib") || begins(path, "/usr/lib"));
}

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(
	DebugInfo *di, struct vt_part info, struct vt_part types,
	struct vt_part abbreviations, struct vt_part lines,
	struct vt_part strings, struct vt_part more_strings,
	struct vt_part line_strings)
{
	if (!is_of_system(di))
		__real_vgModuleLocal_read_debuginfo_dwarf3(
			di, info, types, abbreviations, lines, strings,
			more_strings, line_strings);
}
