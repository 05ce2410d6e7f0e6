/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vex_shortcuts.c - skips needless work of VEX
 *
 * A program that runs much code once, such as a compiler, spends most of its
 * time under Valgrind in translation. The linker substitutes the functions
 * below for functions of VEX and Valgrind (-Wl,--wrap), in versions of Valgrind
 * whose translator is known to work as described here. The generated
 * code, and so the recording, does not change.
 *
 * - After each conditional branch VEX disassembles both sides, to detect an
 *   "&&", and mostly discards the result. If short_circuit.h excludes an "&&",
 *   the first instruction of a side is reported as undecodable, so that VEX
 *   stops.
 * - Instrumented IR is flat and has nothing to fold, so of the passes after
 *   instrumentation only the removal of dead code is needed (vex_passes.c).
 * - VEX checks the IR that it and the tool have made. --disable-vexopt
 *   preserves these checks.
 *
 * Half of a process's startup time is spent where Valgrind reads the source
 * lines of the C library from Debian's debug files, for its own crash messages.
 * Lines of system libraries are therefore not read, but the names of their
 * functions are. Reports are not affected, since the daemon reads source lines
 * itself.
 */
#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/translate/short_circuit.h"
#include "vgtool/window/switch.h"

/* State of the current translation. */
static Bool is_diagnosed; /* whether VEX reports unknown instructions */
static enum {
	NO_BRANCH, /* the last instruction was no conditional branch */
	BRANCH,	   /* the last instruction was a conditional branch, whose sides
		      have not been checked */
	USELESS,
	MAY_BE_AND
} last;
static struct vt_branch_sides sides; /* destinations of the last branch */

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *args)
{
	/* With this setting, the argument `diagnosis` is False only where VEX
	   decodes code speculatively, which may not be part of the block */
	is_diagnosed = args->sigill_diag;
	args->sigill_diag = True;
	last = NO_BRANCH;
	return __real_LibVEX_Translate(args);
}

/* Append a PUT of @code_addr to the program counter, and report that there is
   no code at @code_addr, so that VEX stops there. */
static struct vt_disassembled
append_pc_put_return_no_decode_result(IRSB *sb, Addr code_addr)
{
	addStmtToIRSB(sb, IRStmt_Put(offsetof(VexGuestAMD64State, guest_RIP),
				     IRExpr_Const(IRConst_U64(code_addr))));
	return (struct vt_disassembled){0, VT_DISASSEMBLED_STOP,
					VT_DISASSEMBLED_NO_HINT, Ijk_NoDecode};
}

/* Whether code at @code_addr that VEX decodes speculatively is a side of the
   last branch and cannot be part of an "&&". Only code that VEX is about to
   read is examined. */
static Bool is_side_of_last_branch_that_is_no_and(Addr code_addr)
{
	if (last == BRANCH)
		last = vt_switch_may_vex_continue_block_at(sides.side[0]) &&
				       vt_switch_may_vex_continue_block_at(
					       sides.side[1]) &&
				       vt_branch_may_begin_logical_and(&sides)
			       ? MAY_BE_AND
			       : USELESS;
	return last == USELESS &&
	       (code_addr == sides.side[0] || code_addr == sides.side[1]);
}

/* Disassemble the instruction at @address by VEX's function, and return its
   result unchanged. But if VEX decodes speculatively (@diagnosis is False) a
   side of a branch that cannot be part of an "&&", do not disassemble, and
   report that there is no code. */
struct vt_disassembled
__wrap_disInstr_AMD64(IRSB *sb, const UChar *code, Long delta, Addr address,
		      VexArch arch, const VexArchInfo *archinfo,
		      const VexAbiInfo *abi, VexEndness endness, Bool diagnosis)
{
	struct vt_disassembled d;

	if (!diagnosis && is_side_of_last_branch_that_is_no_and(address))
		return append_pc_put_return_no_decode_result(sb, address);
	d = __real_disInstr_AMD64(sb, code, delta, address, arch, archinfo, abi,
				  endness, diagnosis && is_diagnosed);
	if (diagnosis)
		last = vt_branch_try_decode_sides(address, d.len, &sides)
			       ? BRANCH
			       : NO_BRANCH;
	return d;
}

/* Return @sb unchanged: skip constant propagation after instrumentation. */
IRSB *__wrap_cprop_BB(IRSB *sb)
{
	return sb;
}

/* Do nothing: skip VEX's check of the IR. */
void __wrap_sanityCheckIRSB(const IRSB *sb, const HChar *caller, Bool flat,
			    IRType word)
{
	(void)sb;
	(void)caller;
	(void)flat;
	(void)word;
}

static Bool has_prefix(const HChar *path, const HChar *prefix)
{
	return VG_(strncmp)(path, prefix, VG_(strlen)(prefix)) == 0;
}

static Bool is_system_library(const DebugInfo *di)
{
	const HChar *path = VG_(DebugInfo_get_filename)(di);

	return path &&
	       (has_prefix(path, "/lib") || has_prefix(path, "/usr/lib"));
}

/* Read source lines from DWARF, except for system libraries. */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(
	DebugInfo *di, struct vt_debug_section info,
	struct vt_debug_section types, struct vt_debug_section abbreviations,
	struct vt_debug_section lines, struct vt_debug_section strings,
	struct vt_debug_section more_strings,
	struct vt_debug_section line_strings)
{
	if (!is_system_library(di))
		__real_vgModuleLocal_read_debuginfo_dwarf3(
			di, info, types, abbreviations, lines, strings,
			more_strings, line_strings);
}
