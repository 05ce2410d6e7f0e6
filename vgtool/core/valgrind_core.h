/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * valgrind_core.h - functions of Valgrind's core that its tool headers leave
 * out
 *
 * They are in the static library of every version from 3.19 on; configure
 * link-tests each.
 */
#ifndef VGTOOL_CORE_VALGRIND_CORE_H
#define VGTOOL_CORE_VALGRIND_CORE_H

#include <libvex.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/prelude.h"

/* Maps @fd shared at an address of Valgrind's choice. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot,
						      Int fd, Off64T offset);

/* A raw system call. */
extern SysRes VG_(do_syscall)(UWord sysno, RegWord, RegWord, RegWord, RegWord,
			      RegWord, RegWord);

/* Descriptors from this one on are out of the program's reach. */
extern Int VG_(fd_hard_limit);

/* Whether a thread is on its way out, say because of a deadly signal. */
extern Bool VG_(is_exiting)(ThreadId tid);

/* Forgets what has been made of code; "safely" it is for client requests only.
   Context: no code is running. */
extern void VG_(discard_translations)(Addr start, ULong range,
				      const HChar *who);

/* An object's symbols, by number; @secondary ends with a NULL, or is NULL.
   What is left out of the structure of addresses is of other processors. */
struct vt_symbol_at {
	Addr main;
};
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *, Int n,
				       struct vt_symbol_at *, UInt *size,
				       const HChar **primary,
				       const HChar ***secondary, Bool *is_text,
				       Bool *is_ifunc, Bool *is_global);

/* A C++ name as its author wrote it; @out holds until the next call. */
extern void VG_(demangle)(Bool cxx, Bool z_encoded, const HChar *name,
			  const HChar **out);

/* Of the program's executable. */
extern Int VG_(cl_exec_fd);

/* VEX's settings, read anew for each translation. */
extern VexControl vex_control;

/* Where code at @orig is really taken from: elsewhere when it is replaced or
   wrapped. */
extern Addr VG_(redir_do_lookup)(Addr orig, Bool *is_wrap);

/* Ends Valgrind by the signal that has ended the program.
   __wrap_vgPlain_kill_self() replaces it, which is the only way to learn the
   signal, and calls the real one. */
extern void __real_vgPlain_kill_self(Int signal);
__typeof__(__real_vgPlain_kill_self) __wrap_vgPlain_kill_self;

/*
 * What vgtool/translate/vex_passes.c, vgtool/translate/vex_shortcuts.c and
 * vgtool/translate/superblock.c take the place of, in versions of which it is
 * known that they are so. An instruction that has been disassembled: its
 * length, whether VEX must stop behind it, how much it has become, how it
 * leaves.
 */
enum {
	VT_DISASSEMBLED_STOP = 0x10,
	VT_DISASSEMBLED_NO_HINT = 0x20,
};
struct vt_disassembled {
	UInt len;
	UInt next;
	UInt hint;
	IRJumpKind jump;
};
extern struct vt_disassembled __real_disInstr_AMD64(IRSB *, const UChar *code,
						    Long delta, Addr, VexArch,
						    const VexArchInfo *,
						    const VexAbiInfo *,
						    VexEndness, Bool diagnosis);
__typeof__(__real_disInstr_AMD64) __wrap_disInstr_AMD64;
__typeof__(LibVEX_Translate) __real_LibVEX_Translate, __wrap_LibVEX_Translate;
__typeof__(sanityCheckIRSB) __wrap_sanityCheckIRSB;
struct vt_part { /* of a file with debug information */
	void *image;
	ULong offset;
	ULong bytes;
};
extern void __real_vgModuleLocal_read_debuginfo_dwarf3(
	DebugInfo *, struct vt_part info, struct vt_part types,
	struct vt_part abbreviations, struct vt_part lines,
	struct vt_part strings, struct vt_part more_strings,
	struct vt_part line_strings);
__typeof__(__real_vgModuleLocal_read_debuginfo_dwarf3)
	__wrap_vgModuleLocal_read_debuginfo_dwarf3;
extern void __real_do_deadcode_BB(IRSB *);
__typeof__(__real_do_deadcode_BB) __wrap_do_deadcode_BB;
extern IRSB *__wrap_cprop_BB(IRSB *);
extern IRSB *__real_do_minimal_initial_iropt_BB(IRSB *);
__typeof__(__real_do_minimal_initial_iropt_BB)
	__wrap_do_minimal_initial_iropt_BB;
extern IRSB *__real_do_iropt_BB(IRSB *,
				IRExpr *(*)(const HChar *, IRExpr **, IRStmt **,
					    Int),
				Bool (*)(Int, Int, VexRegisterUpdates),
				VexRegisterUpdates, Addr, VexArch);
__typeof__(__real_do_iropt_BB) __wrap_do_iropt_BB;
extern Addr __real_ado_treebuild_BB(IRSB *,
				    Bool (*precise)(Int low, Int high,
						    VexRegisterUpdates),
				    VexRegisterUpdates);
__typeof__(__real_ado_treebuild_BB) __wrap_ado_treebuild_BB;
struct ps_code;
struct ps_host;
extern struct ps_code *__real_doRegisterAllocation_v3(struct ps_code *,
						      const struct ps_host *);
__typeof__(__real_doRegisterAllocation_v3) __wrap_doRegisterAllocation_v3;

/* Of a block's code: whether VEX may go on there; which extents it must check
   each time. */
typedef Bool (*vt_may_chase)(void *opaque, Addr);
typedef UInt (*vt_checks)(void *opaque, VexRegisterUpdates *,
			  const VexGuestExtents *);
extern IRSB *__real_bb_to_IR(VexGuestExtents *, UInt *n_checks, UInt *n_instrs,
			     UShort *n_jumps, UShort *n_ands,
			     VexRegisterUpdates *, void *opaque, void *instr,
			     const UChar *code, Addr, vt_may_chase, VexEndness,
			     Bool diagnosis, VexArch, const VexArchInfo *,
			     const VexAbiInfo *, IRType word, vt_checks,
			     void *preamble, Int, Int, Int, Int);
__typeof__(__real_bb_to_IR) __wrap_bb_to_IR;

static inline Bool vt_is_redirected(Addr addr)
{
	Bool is_wrap;

	return VG_(redir_do_lookup)(addr, &is_wrap) != addr;
}

static inline SysRes vt_syscall3(UWord number, UWord a, UWord b, UWord c)
{
	return VG_(do_syscall)(number, a, b, c, 0, 0, 0);
}

/* A copy of a descriptor out of the program's reach; -1 when there is none. */
static inline Int vt_safe_copy(Int fd)
{
	enum { DUPFD_CLOEXEC = 1030 };
	SysRes r =
		vt_syscall3(__NR_fcntl, fd, DUPFD_CLOEXEC, VG_(fd_hard_limit));

	return sr_isError(r) ? -1 : (Int)sr_Res(r);
}

/*
 * Moves a descriptor that closes on exec out of the program's reach. When there
 * is none left VG_(safe_fd)() dies, and the program with it.
 *
 * Return: the new one; -1 when there is none, and the old one is closed.
 */
static inline Int vt_safe_fd(Int fd)
{
	Int safe;

	if (fd >= VG_(fd_hard_limit))
		return fd; /* the program had used up its own */
	safe = vt_safe_copy(fd);
	vt_syscall3(__NR_close, fd, 0, 0);
	return safe;
}

#endif
