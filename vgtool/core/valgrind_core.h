/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * valgrind_core.h - declares functions of Valgrind's core that its tool headers
 * leave out
 *
 * The static library of every version from 3.19 on has them; configure tests
 * that each can be linked.
 */
#ifndef VGTOOL_CORE_VALGRIND_CORE_H
#define VGTOOL_CORE_VALGRIND_CORE_H

#include <libvex.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/prelude.h"

/* Map @fd as shared memory at an address that Valgrind chooses. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot,
						      Int fd, Off64T offset);

/* Make a system call directly, without Valgrind's checks. */
extern SysRes VG_(do_syscall)(UWord sysno, RegWord, RegWord, RegWord, RegWord,
			      RegWord, RegWord);

/* The lowest file descriptor that the program cannot use or close. */
extern Int VG_(fd_hard_limit);

/* Whether a thread is about to end, for example by a deadly signal. */
extern Bool VG_(is_exiting)(ThreadId tid);

/* Set the program counter in the guest state of thread @tid. */
extern void VG_(set_IP)(ThreadId tid, Addr address);

/* Discard the translations of code in [@start, @start + @range). @who: text for
   Valgrind's debug output. Context: no translated code is running. */
extern void VG_(discard_translations)(Addr start, ULong range,
				      const HChar *who);

/* VG_(DebugInfo_syms_howmany)() returns the number of an object's symbols;
   VG_(DebugInfo_syms_getidx)() returns the properties of symbol @n, from 0.
   *@secondary receives an array of further names that ends with NULL, or is
   NULL. Valgrind's structure of addresses has further members on other
   architectures only. */
struct vt_symbol_address {
	Addr main;
};
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *, Int n,
				       struct vt_symbol_address *, UInt *size,
				       const HChar **primary,
				       const HChar ***secondary, Bool *is_text,
				       Bool *is_ifunc, Bool *is_global);

/* Replace the registers @regs of a frame by those of its caller, found by call
   frame information. Only the stack in [@min, @max) is read. Return: False,
   with @regs unchanged, if there is no such information for the code at
   regs->ip, or if it requires other memory. */
struct vt_unwind_registers {
	Addr ip;
	Addr sp;
	Addr fp;
};
extern Bool VG_(use_CF_info)(struct vt_unwind_registers *regs, Addr min,
			     Addr max);

/* Registers of the frame with which unwinding begins. */
struct vt_unwind_start {
	ULong ip;
	ULong sp;
	ULong fp;
	ULong others[4]; /* registers that only other architectures have */
};

/* Fill in @ips with the code addresses of the frame with the registers @start
   and of its callers, at most @max_n_ips, as VG_(get_StackTrace)() does. Return
   their number. @max_addr: highest address of the stack. */
extern UInt VG_(get_StackTrace_wrk)(ThreadId tid, Addr *ips, UInt max_n_ips,
				    Addr *sps, Addr *fps,
				    const struct vt_unwind_start *start,
				    Addr max_addr);

/* Demangle a C++ name. @out is valid until the next call. */
extern void VG_(demangle)(Bool cxx, Bool z_encoded, const HChar *name,
			  const HChar **out);

/* Descriptor of the program's executable. */
extern Int VG_(cl_exec_fd);

/* Number of sectors of Valgrind's table of translations. */
extern UInt VG_(clo_num_transtab_sectors);

/* VEX's settings, which it reads anew for each translation. */
extern VexControl vex_control;

/* Return the address of the code that Valgrind translates for a jump to @orig:
   another one if the function there is replaced or wrapped. */
extern Addr VG_(redir_do_lookup)(Addr orig, Bool *is_wrap);

/* End Valgrind by the signal that has ended the program. The linker replaces
   this function by __wrap_vgPlain_kill_self(), which calls the real one: no
   other function of the tool receives the signal's number. */
extern void __real_vgPlain_kill_self(Int signal);
__typeof__(__real_vgPlain_kill_self) __wrap_vgPlain_kill_self;

/*
 * The linker replaces calls of the following functions of VEX and Valgrind by
 * their __wrap_ functions in vgtool/translate/vex_passes.c,
 * vgtool/translate/vex_shortcuts.c and vgtool/translate/superblock.c, in those
 * versions that are known to declare them like this. struct vt_disassembled
 * describes a disassembled instruction: its length [bytes], whether VEX must
 * end the block after it, whether it becomes much code, and the kind of jump it
 * ends with.
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
struct vt_debug_section { /* a section of a file with debug information */
	void *image;
	ULong offset;
	ULong bytes;
};
extern void __real_vgModuleLocal_read_debuginfo_dwarf3(
	DebugInfo *, struct vt_debug_section info,
	struct vt_debug_section types, struct vt_debug_section abbreviations,
	struct vt_debug_section lines, struct vt_debug_section strings,
	struct vt_debug_section more_strings,
	struct vt_debug_section line_strings);
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

/* Callbacks for the translation of a block. vt_may_chase: whether VEX may
   continue the block at an address. vt_needs_self_check: which extents (code
   ranges) of the block must be checked for changed code at each execution, as a
   bit mask. */
typedef Bool (*vt_may_chase)(void *opaque, Addr);
typedef UInt (*vt_needs_self_check)(void *opaque, VexRegisterUpdates *,
				    const VexGuestExtents *);
extern IRSB *__real_bb_to_IR(VexGuestExtents *, UInt *n_checks, UInt *n_instrs,
			     UShort *n_jumps, UShort *n_ands,
			     VexRegisterUpdates *, void *opaque, void *instr,
			     const UChar *code, Addr, vt_may_chase, VexEndness,
			     Bool diagnosis, VexArch, const VexArchInfo *,
			     const VexAbiInfo *, IRType word,
			     vt_needs_self_check, void *preamble, Int, Int, Int,
			     Int);
__typeof__(__real_bb_to_IR) __wrap_bb_to_IR;

/* Whether Valgrind replaces or wraps the function at @addr. */
static inline Bool vt_is_redirected(Addr addr)
{
	Bool is_wrap;

	return VG_(redir_do_lookup)(addr, &is_wrap) != addr;
}

/* Make system call @number with three arguments directly, without Valgrind's
   checks. */
static inline SysRes vt_syscall3(UWord number, UWord a, UWord b, UWord c)
{
	return VG_(do_syscall)(number, a, b, c, 0, 0, 0);
}

/* Duplicate @fd to a descriptor that the program cannot use and that exec
   closes. Return: the new descriptor, -1 if there is none free. */
static inline Int vt_dup_to_reserved_fd(Int fd)
{
	enum { DUPFD_CLOEXEC = 1030 };
	SysRes r =
		vt_syscall3(__NR_fcntl, fd, DUPFD_CLOEXEC, VG_(fd_hard_limit));

	return sr_isError(r) ? -1 : (Int)sr_Res(r);
}

/*
 * Move @fd to a descriptor that the program cannot use, closed on exec. Unlike
 * VG_(safe_fd)(), this does not end the program if none is free.
 *
 * Return: the new descriptor, or @fd if the program cannot use it; -1 if no
 *         descriptor is free, then @fd is closed.
 */
static inline Int vt_move_to_reserved_fd(Int fd)
{
	Int safe;

	if (fd >= VG_(fd_hard_limit))
		return fd; /* already above the program's limit, because
			      all lower descriptors were in use */
	safe = vt_dup_to_reserved_fd(fd);
	vt_syscall3(__NR_close, fd, 0, 0);
	return safe;
}

#endif
