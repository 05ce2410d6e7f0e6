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
#include "vgtool/translate/superblock.h"
#include "vgtool/vexopt/host_instr.h"
#include "vgtool/vexopt/passes.h"

/*
 * ---- comparison of register allocation with VEX's ----
 *
 * Allocators modify instructions in place, so only one of the two may do so.
 * The calls of the host's functions are recorded for both; the call that
 * replaces virtual registers by real ones is executed for VEX only. Both
 * allocators must make the same calls in the same order, and return the
 * instructions in the same order.
 */

/* A recorded call of a function of struct ps_host. */
struct call {
	enum { MAP, SPILL, RELOAD, MOVE, DIRECT_RELOAD } function;
	const void *instr;	     /* instruction that the call received;
					NULL: none */
	UWord arg[2];		     /* the call's other arguments */
	struct ps_reg_remap mapping; /* argument of map_regs() */
	const void *made[2];	     /* instructions that the call returned */
};

static struct call_list {
	struct call *call;
	UInt n;
	UInt size;
} our_calls, vex_calls, *current_list;
static const struct ps_host *real_host;

static struct call *append_recorded_call_to_current_list(UInt function,
							 const void *instr,
							 UWord a, UWord b)
{
	struct call *new;

	if (current_list->n == current_list->size) {
		current_list->size =
			current_list->size ? 2 * current_list->size : 64;
		new = VG_(realloc)("vt.compare", current_list->call,
				   current_list->size * sizeof(*new));
		current_list->call = new;
	}
	new = &current_list->call[current_list->n++];
	VG_(memset)(new, 0, sizeof(*new));
	new->function = function;
	new->instr = instr;
	new->arg[0] = a;
	new->arg[1] = b;
	return new;
}

/* Record a call of map_regs(), and run VEX's own function if VEX made the
   call. */
static void record_map_regs_call_run_it_if_vex_calls(struct ps_reg_remap *remap,
						     void *instr, Bool is_64)
{
	struct call *a = append_recorded_call_to_current_list(MAP, instr, 0, 0);

	a->mapping.n = remap->n;
	for (Int i = 0; i < remap->n; i++) {
		a->mapping.virt[i] = remap->virt[i];
		a->mapping.real[i] = remap->real[i];
	}
	if (current_list == &vex_calls)
		real_host->map_regs(remap, instr, is_64);
}

/* Type of functions that make up to two instructions. */
typedef __typeof__(((struct ps_host *)0)->spill) two_instr_function;

static void call_and_record_two_instrs_to_compare(UInt function_number,
						  two_instr_function make,
						  void **made[2],
						  struct ps_reg r, Int offset,
						  Bool is_64)
{
	struct call *a = append_recorded_call_to_current_list(
		function_number, NULL, r.bits, (UWord)offset);

	make(made[0], made[1], r, offset, is_64);
	a->made[0] = *made[0];
	a->made[1] = *made[1];
}

static void call_host_spill_and_record_call(void **first, void **second,
					    struct ps_reg r, Int offset,
					    Bool is_64)
{
	call_and_record_two_instrs_to_compare(SPILL, real_host->spill,
					      (void **[]){first, second}, r,
					      offset, is_64);
}

static void call_host_reload_and_record_call(void **first, void **second,
					     struct ps_reg r, Int offset,
					     Bool is_64)
{
	call_and_record_two_instrs_to_compare(RELOAD, real_host->reload,
					      (void **[]){first, second}, r,
					      offset, is_64);
}

static void *call_host_move_and_record_call(struct ps_reg from,
					    struct ps_reg to, Bool is_64)
{
	struct call *a = append_recorded_call_to_current_list(
		MOVE, NULL, from.bits, to.bits);
	void *made = real_host->move(from, to, is_64);

	a->made[0] = made;
	return made;
}

static void *call_host_direct_reload_and_record_call(void *instr,
						     struct ps_reg r,
						     Short offset)
{
	struct call *a = append_recorded_call_to_current_list(
		DIRECT_RELOAD, instr, r.bits, (UWord)offset);
	void *made = real_host->direct_reload(instr, r, offset);

	a->made[0] = made;
	return made;
}

/* Return the index in @list of the recorded call that made instruction
   @host_instr; list->n if none did. */
static UInt find_host_instr_maker_call_or_n(const struct call_list *list,
					    const void *host_instr)
{
	UInt i;

	for (i = 0; i < list->n; i++)
		if (list->call[i].made[0] == host_instr ||
		    list->call[i].made[1] == host_instr)
			break;
	return i;
}

/* Whether @a, of our code, and @b, of VEX's, are the same instruction of the
   block, or both NULL, or were made by the same call. */
static Bool is_same_host_instr(const void *a, const void *b)
{
	return a == b ||
	       (a && b &&
		find_host_instr_maker_call_or_n(&our_calls, a) < our_calls.n &&
		find_host_instr_maker_call_or_n(&our_calls, a) ==
			find_host_instr_maker_call_or_n(&vex_calls, b));
}

static Bool are_equivalent_recorded_host_calls(const struct call *a,
					       const struct call *b)
{
	return a->function == b->function &&
	       is_same_host_instr(a->instr, b->instr) &&
	       a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] &&
	       !a->made[0] == !b->made[0] && !a->made[1] == !b->made[1] &&
	       VG_(memcmp)(&a->mapping, &b->mapping, sizeof(a->mapping)) == 0;
}

static Bool is_equivalent_host_code(const struct ps_code *ours,
				    const struct ps_code *vex)
{
	if (ours->n != vex->n || our_calls.n != vex_calls.n)
		return False;
	for (UInt i = 0; i < our_calls.n; i++)
		if (!are_equivalent_recorded_host_calls(&our_calls.call[i],
							&vex_calls.call[i]))
			return False;
	for (Int i = 0; i < ours->n; i++)
		if (!is_same_host_instr(ours->instr[i], vex->instr[i]))
			return False;
	return True;
}

static void print_host_code(const HChar *title, const struct ps_code *code)
{
	VG_(umsg)("alleria: passes: %s:\n", title);
	for (Int i = 0; i < code->n; i++) {
		real_host->print(code->instr[i], real_host->is_64);
		VG_(umsg)("\n");
	}
}

/* Compare the two results and count the comparison. If they differ, print the
   block's address and, for the first differences, both results. In both,
   the block's own instructions have VEX's registers, so the output shows other
   registers only in instructions that our allocator has made. */
static void count_comparison_print_if_different(const struct ps_code *ours,
						const struct ps_code *vex)
{
	if (!vt_compare_report_diff_must_print_code(
		    VT_PASS_REGISTERS, is_equivalent_host_code(ours, vex)))
		return;
	print_host_code("VEX's", vex);
	print_host_code("ours", ours);
}

/* Allocate registers by ps_allocate_registers_or_null() and by VEX, and report
   differences. Return: VEX's code. Both results lie in VEX's memory for this
   translation, so a block that needs more than about half of it exhausts it. */
static struct ps_code *
compare_reg_allocations_return_vex_code(struct ps_code *code,
					const struct ps_host *vex_host)
{
	struct ps_host recording_host = *vex_host;
	struct ps_code *ours, *vex;

	real_host = vex_host;
	recording_host.map_regs = record_map_regs_call_run_it_if_vex_calls;
	recording_host.spill = call_host_spill_and_record_call;
	recording_host.reload = call_host_reload_and_record_call;
	recording_host.move = call_host_move_and_record_call;
	recording_host.direct_reload =
		vex_host->direct_reload
			? call_host_direct_reload_and_record_call
			: NULL;
	our_calls.n = vex_calls.n = 0;
	current_list = &our_calls;
	ours = ps_allocate_registers_or_null(code, &recording_host);
	current_list = &vex_calls;
	vex = __real_doRegisterAllocation_v3(code, &recording_host);
	if (ours)
		count_comparison_print_if_different(ours, vex);
	else
		vt_compare_count_left_to_vex(VT_PASS_REGISTERS);
	return vex;
}

enum { FRAME = offsetof(VexGuestAMD64State, guest_RBP) };

/* Compare two results of a pass, VEX's and ours, and return ours; return VEX's
   if @ours is NULL. Make ours before VEX's, because VEX may modify the block
   that both start from. */
static IRSB *compare_and_return_ours_unless_null(enum vt_pass pass, IRSB *vex,
						 IRSB *ours)
{
	if (!ours) {
		vt_compare_count_left_to_vex(pass);
		return vex;
	}
	vt_compare_count_and_print_if_differ(pass, vex, ours,
					     ps_is_equivalent_block(vex, ours));
	return ours;
}

IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *sb)
{
	IRSB *ours = ps_flatten_block_or_null(sb);

	if (vt_compare_is_on)
		return compare_and_return_ours_unless_null(
			VT_PASS_INITIAL, __real_do_minimal_initial_iropt_BB(sb),
			ours);
	return ours ? ours : __real_do_minimal_initial_iropt_BB(sb);
}

/* Arguments of do_iropt_BB() that do not depend on the block. */
struct optimiser {
	ps_spec_helper_fn special;
	ps_precise_fn precise;
	VexRegisterUpdates updates;
	VexArch arch;
};

/* VEX's own function, which is_register_exact() calls. */
static ps_precise_fn vex_precise;
/* Whether a PUT may have been preserved only because the frame pointer is
   exact. */
static Bool frame_mattered;

/* Whether the register in [@first_state_byte, @last_state_byte] is exact where
   memory is accessed. The frame pointer always counts as exact, so that signal
   handlers find the right value; set frame_mattered if VEX alone would not
   require it. */
static Bool is_register_exact(Int first_state_byte, Int last_state_byte,
			      VexRegisterUpdates updates)
{
	if (vex_precise(first_state_byte, last_state_byte, updates))
		return True;
	if (updates != VexRegUpdSpAtMemAccess ||
	    first_state_byte >= FRAME + 8 || last_state_byte < FRAME)
		return False;
	frame_mattered = True;
	return True;
}

/* Optimise block @sb with ps_optimise_block_or_null(); if that returns NULL,
   with VEX's own optimiser. Return the optimised block. */
static IRSB *optimise_block_by_ours_or_vex_optimiser(const struct optimiser *o,
						     IRSB *sb, Addr guest_addr)
{
	IRSB *ours = ps_optimise_block_or_null(sb, o->special, o->precise,
					       o->updates, guest_addr);

	if (ours && !vt_compare_is_on)
		return ours;
	sb = __real_do_iropt_BB(sb, o->special, o->precise, o->updates,
				guest_addr, o->arch);
	return vt_compare_is_on ? compare_and_return_ours_unless_null(
					  VT_PASS_OPTIMISE, sb, ours)
				: sb;
}

static IRSB *optimise_drop_dead_frame_ptr_accesses(const struct optimiser *o,
						   IRSB *sb, Addr guest_addr)
{
	frame_mattered = False;
	sb = optimise_block_by_ours_or_vex_optimiser(o, sb, guest_addr);
	if (frame_mattered)
		ps_remove_dead_frame_puts(sb, FRAME);
	return sb;
}

IRSB *__wrap_do_iropt_BB(IRSB *sb, ps_spec_helper_fn special,
			 ps_precise_fn precise, VexRegisterUpdates updates,
			 Addr guest, VexArch arch)
{
	const struct optimiser o = {special, is_register_exact, updates, arch};
	IRSB *next;

	vex_precise = precise;
	vt_registers_note_frame_ptr_is_exact();
	sb = optimise_drop_dead_frame_ptr_accesses(&o, sb, guest);
	do
		next = vt_superblock_try_translate_likely_next(sb, &guest);
	while (next && vt_superblock_try_append_likely_next(
			       sb, optimise_drop_dead_frame_ptr_accesses(
					   &o, next, guest)));
	return sb;
}

/* Do nothing. VEX calls this twice after the tool has instrumented a block.
   ps_build_trees_in_place_if_supported() removes dead code later; until then it
   remains, as --trace-flags shows. */
void __wrap_do_deadcode_BB(IRSB *sb)
{
	(void)sb;
}

/* Return: the address of the last byte of the block's code. */
static Addr run_vex_deadcode_and_treebuild(IRSB *sb, ps_precise_fn precise,
					   VexRegisterUpdates updates)
{
	__real_do_deadcode_BB(sb);
	return __real_ado_treebuild_BB(sb, precise, updates);
}

/* Run VEX's pass on a copy and the tool's on the block, and compare the
   results. Return: the address of the last byte of the block's code. */
static Addr build_trees_and_compare(IRSB *sb, ps_precise_fn precise,
				    VexRegisterUpdates updates)
{
	IRSB *vex = deepCopyIRSB(sb);
	Addr vex_end, end;

	if (!ps_build_trees_in_place_if_supported(sb, precise, updates, &end)) {
		vt_compare_count_left_to_vex(VT_PASS_TREES);
		return run_vex_deadcode_and_treebuild(sb, precise, updates);
	}
	vex_end = run_vex_deadcode_and_treebuild(vex, precise, updates);
	vt_compare_count_and_print_if_differ(
		VT_PASS_TREES, vex, sb,
		vex_end == end && ps_is_equivalent_block(vex, sb));
	return end;
}

Addr __wrap_ado_treebuild_BB(IRSB *sb, ps_precise_fn precise,
			     VexRegisterUpdates when)
{
	Addr end;

	vex_precise = precise;
	if (vt_compare_is_on)
		return build_trees_and_compare(sb, is_register_exact, when);
	return ps_build_trees_in_place_if_supported(sb, is_register_exact, when,
						    &end)
		       ? end
		       : run_vex_deadcode_and_treebuild(sb, is_register_exact,
							when);
}

struct ps_code *__wrap_doRegisterAllocation_v3(struct ps_code *code,
					       const struct ps_host *host)
{
	struct ps_code *ours;

	if (vt_compare_is_on)
		return compare_reg_allocations_return_vex_code(code, host);
	ours = ps_allocate_registers_or_null(code, host);
	return ours ? ours : __real_doRegisterAllocation_v3(code, host);
}
