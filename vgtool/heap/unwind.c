/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unwind.c - unwinds the call stack at an allocator function; see unwind.h */

#include "vgtool/heap/unwind.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_guest.h>
#include <pub_tool_machine.h>
#include <pub_tool_stacktrace.h>
#include <pub_tool_threadstate.h>

#include "vgtool/core/valgrind_core.h"

enum {
	RULE_BITS = 12,	     /* the cache of rules has 2^RULE_BITS entries */
	PROBE_WORDS = 2048,  /* words of probe_stack */
	PROBE_SP = 64,	     /* index of the word of probe_stack at the stack
				pointer of both probes */
	PROBE_FP = 1024,     /* index of the word of probe_stack at the frame
				pointer of the first probe */
	PROBE_FP_STEP = 256, /* number of words by which the frame pointer of
				the second probe is higher */
};

#define PROBE_TAG                                                              \
	0x5a5a000000000000ULL /* difference between a word of the
					   probe's stack and its address */

/* How a frame whose code is at address `ip` is unwound. The canonical frame
   address (CFA) is the caller's stack pointer after the return. */
struct rule {
	Addr ip;	     /* 0: the entry is empty */
	Bool is_known;	     /* else only Valgrind can unwind the frame */
	Bool is_from_fp;     /* the CFA is relative to the frame pointer, else
				 to the stack pointer */
	Bool is_fp_saved;    /* else the caller has the same frame pointer */
	Int cfa_offset;	     /* [bytes] from that register to the CFA */
	Int return_offset;   /* [bytes] from the CFA to the return address */
	Int saved_fp_offset; /* [bytes] from the CFA to the caller's frame
				 pointer */
};

static struct rule rules[1 << RULE_BITS]; /* by hash of the address */
static UInt rules_epoch; /* epoch of Valgrind's debug information from which
			    the rules were determined */
static UWord probe_stack[PROBE_WORDS];

/* ---- determining rules ---- */

/* Let Valgrind unwind a frame of the code at @ip whose stack pointer points to
   word PROBE_SP, and whose frame pointer to word @fp_word_index, of
   probe_stack. Return: whether the result can be written as a rule; *@r
   receives the rule, with the CFA relative to the stack pointer. */
static Bool try_derive_rule_by_unwinding_probe_frame(struct rule *r, Addr ip,
						     UInt fp_word_index)
{
	Addr sp = (Addr)&probe_stack[PROBE_SP];
	Addr fp = (Addr)&probe_stack[fp_word_index];
	struct vt_unwind_registers regs = {.ip = ip, .sp = sp, .fp = fp};

	if (!VG_(use_CF_info)(&regs, (Addr)probe_stack,
			      (Addr)&probe_stack[PROBE_WORDS]))
		return False;
	*r = (struct rule){
		.ip = ip,
		.is_known = True,
		.is_fp_saved = regs.fp != fp,
		.cfa_offset = regs.sp - sp,
		.return_offset = regs.ip - PROBE_TAG - regs.sp,
		.saved_fp_offset =
			regs.fp == fp ? 0 : regs.fp - PROBE_TAG - regs.sp,
	};
	/* Check that the registers point into probe_stack: only then do the
	   offsets, which are cut to 32 bits, equal the distances. */
	return regs.sp - (Addr)probe_stack <= sizeof(probe_stack) &&
	       regs.ip - PROBE_TAG - (Addr)probe_stack < sizeof(probe_stack) &&
	       (regs.fp == fp ||
		regs.fp - PROBE_TAG - (Addr)probe_stack < sizeof(probe_stack));
}

/* Determine the rule for the code at @ip by unwinding two frames that differ
   only in the distance between stack pointer and frame pointer. If there is no
   rule that explains both, r->is_known is False. */
static void determine_unwind_rule(struct rule *r, Addr ip)
{
	const Int step = PROBE_FP_STEP * sizeof(UWord);
	struct rule a, b;
	UInt i;

	for (i = 0; i < PROBE_WORDS; i++)
		probe_stack[i] = PROBE_TAG + (Addr)&probe_stack[i];
	*r = (struct rule){.ip = ip};
	if (!try_derive_rule_by_unwinding_probe_frame(&a, ip, PROBE_FP) ||
	    !try_derive_rule_by_unwinding_probe_frame(
		    &b, ip, PROBE_FP + PROBE_FP_STEP) ||
	    a.is_fp_saved != b.is_fp_saved ||
	    a.return_offset != b.return_offset ||
	    a.saved_fp_offset != b.saved_fp_offset)
		return;
	if (b.cfa_offset == a.cfa_offset + step) {
		a.is_from_fp = True;
		a.cfa_offset -= (PROBE_FP - PROBE_SP) * sizeof(UWord);
	} else if (b.cfa_offset != a.cfa_offset) {
		return;
	}
	*r = a;
}

/* Return the rule for the code at @ip from the cache; if it is not there,
   determine and store it. Valid until the next call. Its `is_known` is False if
   no rule could be determined. */
static const struct rule *find_or_determine_unwind_rule(Addr ip)
{
	struct rule *r = &rules[ip * 0x9e3779b97f4a7c15ULL >> (64 - RULE_BITS)];

	if (r->ip != ip)
		determine_unwind_rule(r, ip);
	return r;
}

/* Empty the cache of rules if an object file was mapped or unmapped since this
   function was last called. */
static void discard_unwind_rules_if_objects_changed(void)
{
	UInt epoch = VG_(current_DiEpoch)().n;

	if (epoch != rules_epoch)
		VG_(memset)(rules, 0, sizeof(rules));
	rules_epoch = epoch;
}

/* ---- unwinding ---- */

/* Replace the registers @regs of a frame by those of its caller, according to
   the rule for its code. @stack_end: end of the thread's stack, exclusive.
   Return: False, with @regs unchanged, if there is no rule or if it leads out
   of the stack. */
static Bool try_unwind_frame_by_rule_for_ip(struct vt_unwind_registers *regs,
					    Addr stack_end)
{
	const struct rule *r = find_or_determine_unwind_rule(regs->ip);
	Addr cfa = (r->is_from_fp ? regs->fp : regs->sp) + r->cfa_offset;
	Addr return_at = cfa + r->return_offset,
	     fp_at = cfa + r->saved_fp_offset;
	SizeT room = stack_end - regs->sp - sizeof(Addr);

	if (!r->is_known || cfa <= regs->sp || return_at - regs->sp > room ||
	    (r->is_fp_saved && fp_at - regs->sp > room))
		return False;
	regs->ip = *(const Addr *)return_at;
	if (r->is_fp_saved)
		regs->fp = *(const Addr *)fp_at;
	regs->sp = cfa;
	return True;
}

/* Whether a frame that calls another one has no caller: its frame pointer is 0,
   by which the ABI marks the outermost frame, and there is no call frame
   information, as for _start and clone(), which state that they have no return
   address. Valgrind then takes words of the stack for callers.
   @readable_stack_end: end of the memory of the stack that may be read,
   exclusive. */
static Bool
is_outermost_frame_by_fp_0_without_cfi(const struct vt_unwind_registers *regs,
				       Addr readable_stack_end)
{
	struct vt_unwind_registers caller = *regs;

	return regs->fp == 0 &&
	       !VG_(use_CF_info)(&caller, regs->sp, readable_stack_end);
}

/* Registers of frames, innermost first, as Valgrind unwinds them. */
struct frames {
	Addr ip[1 + VT_UNWIND_MAX];
	Addr sp[1 + VT_UNWIND_MAX];
	Addr fp[1 + VT_UNWIND_MAX];
};

/* Fill in the return addresses of the @frame_count frames @f up to the
   outermost one, which is not the first. Return: the number of return
   addresses. */
static UInt store_return_addresses(const struct frames *f, UInt frame_count,
				   Addr *return_addr)
{
	UInt i;

	for (i = 0; i + 1 < frame_count; i++) {
		struct vt_unwind_registers regs = {
			.ip = f->ip[i], .sp = f->sp[i], .fp = f->fp[i]};

		if (i > 0 &&
		    is_outermost_frame_by_fp_0_without_cfi(&regs, f->sp[i + 1]))
			break;
		return_addr[i] = f->ip[i + 1] + 1;
	}
	return i;
}

/* Fill in at most @max_addrs return addresses of the frame with the registers
   @regs and of its callers, which Valgrind unwinds. Return: the number of
   return addresses. */
static UInt unwind_remaining_by_valgrind(ThreadId tid,
					 const struct vt_unwind_registers *regs,
					 Addr *return_addr, UInt max_addrs)
{
	struct vt_unwind_start start = {
		.ip = regs->ip, .sp = regs->sp, .fp = regs->fp};
	struct frames f;
	UInt n =
		VG_(get_StackTrace_wrk)(tid, f.ip, 1 + max_addrs, f.sp, f.fp,
					&start, VG_(thread_get_stack_max)(tid));

	return store_return_addresses(&f, n, return_addr);
}

/* Set the program counter of thread @tid to @entry, and let Valgrind unwind the
   whole stack, which is that of a coroutine or a signal handler. Return: the
   number of return addresses, at most @max_addrs. */
static UInt set_pc_and_unwind_all_by_valgrind(ThreadId tid, Addr entry,
					      Addr *return_addr, UInt max_addrs)
{
	struct frames f;
	UInt n;

	VG_(set_IP)(tid, entry);
	n = VG_(get_StackTrace)(tid, f.ip, 1 + max_addrs, f.sp, f.fp, 0);
	return store_return_addresses(&f, n, return_addr);
}

static Addr read_frame_pointer(ThreadId tid)
{
	Addr value;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&value, 0, offsetof(VexGuestAMD64State, guest_RBP),
	 sizeof(value));
	return value;
}

UInt vt_unwind_stack(ThreadId tid, Addr function_entry, Addr *return_addr,
		     UInt max_addrs)
{
	struct vt_unwind_registers regs = {.ip = function_entry,
					   .sp = VG_(get_SP)(tid),
					   .fp = read_frame_pointer(tid)};
	Addr end = VG_(thread_get_stack_max)(tid) + 1;
	UInt n = 0;

	if (end - regs.sp > VG_(thread_get_stack_size)(tid) ||
	    end - regs.sp < sizeof(Addr))
		return set_pc_and_unwind_all_by_valgrind(
			tid, function_entry, return_addr, max_addrs);
	discard_unwind_rules_if_objects_changed();
	while (n < max_addrs) {
		if (end - regs.sp < sizeof(Addr) ||
		    !try_unwind_frame_by_rule_for_ip(&regs, end)) {
			if (n > 0 &&
			    is_outermost_frame_by_fp_0_without_cfi(&regs, end))
				break;
			return n + unwind_remaining_by_valgrind(tid, &regs,
								return_addr + n,
								max_addrs - n);
		}
		if (regs.ip == 0 || regs.ip == 1)
			break;
		return_addr[n++] = regs.ip--;
	}
	return n;
}
