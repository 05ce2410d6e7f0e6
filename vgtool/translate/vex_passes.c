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

/* A recorded call of a function of the host. */
struct call {
	enum { PLACE, STORE, LOAD, MOVE, DIRECT } what;
	const void *instr; /* argument, or NULL */
	UWord arg[2];
	struct ps_reg_remap places;
	const void *made[2];
};

static struct call_list {
	struct call *call;
	UInt n;
	UInt size;
} our_calls, vex_calls, *current;
static const struct ps_host *real_host;

static struct call *add_call(UInt what, const void *instr, UWord a, UWord b)
{
	struct call *new;

	if (current->n == current->size) {
		current->size = current->size ? 2 * current->size : 64;
		new = VG_(realloc)("vt.compare", current->call,
				   current->size * sizeof(*new));
		current->call = new;
	}
	new = &current->call[current->n++];
	VG_(memset)(new, 0, sizeof(*new));
	new->what = what;
	new->instr = instr;
	new->arg[0] = a;
	new->arg[1] = b;
	return new;
}

static void record_place(struct ps_reg_remap *p, void *instr, Bool is_64)
{
	struct call *a = add_call(PLACE, instr, 0, 0);

	a->places.n = p->n;
	for (Int i = 0; i < p->n; i++) {
		a->places.virt[i] = p->virt[i];
		a->places.real[i] = p->real[i];
	}
	if (current == &vex_calls)
		real_host->map_regs(p, instr, is_64);
}

/* Type of functions that make up to two instructions. */
typedef __typeof__(((struct ps_host *)0)->spill) two_instr_function;

static void record_two(UInt what, two_instr_function make, void **made[2],
		       struct ps_reg r, Int offset, Bool is_64)
{
	struct call *a = add_call(what, NULL, r.bits, (UWord)offset);

	make(made[0], made[1], r, offset, is_64);
	a->made[0] = *made[0];
	a->made[1] = *made[1];
}

static void record_store(void **first, void **second, struct ps_reg r,
			 Int offset, Bool is_64)
{
	record_two(STORE, real_host->spill, (void **[]){first, second}, r,
		   offset, is_64);
}

static void record_load(void **first, void **second, struct ps_reg r,
			Int offset, Bool is_64)
{
	record_two(LOAD, real_host->reload, (void **[]){first, second}, r,
		   offset, is_64);
}

static void *record_move(struct ps_reg from, struct ps_reg to, Bool is_64)
{
	struct call *a = add_call(MOVE, NULL, from.bits, to.bits);
	void *made = real_host->move(from, to, is_64);

	a->made[0] = made;
	return made;
}

static void *record_direct(void *instr, struct ps_reg r, Short offset)
{
	struct call *a = add_call(DIRECT, instr, r.bits, (UWord)offset);
	void *made = real_host->direct_reload(instr, r, offset);

	a->made[0] = made;
	return made;
}

/* Return the index of the call that made an instruction; n->n: none did. */
static UInt find_maker(const struct call_list *n, const void *instr)
{
	UInt i;

	for (i = 0; i < n->n; i++)
		if (n->call[i].made[0] == instr || n->call[i].made[1] == instr)
			break;
	return i;
}

/* Whether both are the same instruction of the block, or NULL, or were made by
   the same call. */
static Bool is_same_instr(const void *a, const void *b)
{
	return a == b ||
	       (a && b && find_maker(&our_calls, a) < our_calls.n &&
		find_maker(&our_calls, a) == find_maker(&vex_calls, b));
}

static Bool is_same_call(const struct call *a, const struct call *b)
{
	return a->what == b->what && is_same_instr(a->instr, b->instr) &&
	       a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] &&
	       !a->made[0] == !b->made[0] && !a->made[1] == !b->made[1] &&
	       VG_(memcmp)(&a->places, &b->places, sizeof(a->places)) == 0;
}

static Bool is_equal(const struct ps_code *a, const struct ps_code *b)
{
	if (a->n != b->n || our_calls.n != vex_calls.n)
		return False;
	for (UInt i = 0; i < our_calls.n; i++)
		if (!is_same_call(&our_calls.call[i], &vex_calls.call[i]))
			return False;
	for (Int i = 0; i < a->n; i++)
		if (!is_same_instr(a->instr[i], b->instr[i]))
			return False;
	return True;
}

static void print_code(const HChar *whose, const struct ps_code *code)
{
	VG_(umsg)("alleria: passes: %s:\n", whose);
	for (Int i = 0; i < code->n; i++) {
		real_host->print(code->instr[i], real_host->is_64);
		VG_(umsg)("\n");
	}
}

/* Compare the two results, and print them if they differ. All instructions have
   VEX's registers, so the output shows only differences in their order. */
static void compare(const struct ps_code *made, const struct ps_code *vex)
{
	if (!vt_compare_count_pass(VT_PASS_REGISTERS, is_equal(made, vex)))
		return;
	print_code("VEX's", vex);
	print_code("ours", made);
}

/* Allocate registers by ps_allocate_registers() and by VEX, and report differences.
   Return: VEX's code. Both results lie in VEX's memory for this translation, so
   a block that needs more than about half of it exhausts it. */
static struct ps_code *compare_registers(struct ps_code *code,
					 const struct ps_host *vex_host)
{
	struct ps_host recording_host = *vex_host;
	struct ps_code *made, *vex;

	real_host = vex_host;
	recording_host.map_regs = record_place;
	recording_host.spill = record_store;
	recording_host.reload = record_load;
	recording_host.move = record_move;
	recording_host.direct_reload =
		vex_host->direct_reload ? record_direct : NULL;
	our_calls.n = vex_calls.n = 0;
	current = &our_calls;
	made = ps_allocate_registers(code, &recording_host);
	current = &vex_calls;
	vex = __real_doRegisterAllocation_v3(code, &recording_host);
	if (made)
		compare(made, vex);
	else
		vt_compare_count_unhandled(VT_PASS_REGISTERS);
	return vex;
}

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
		return compare_registers(code, host);
	made = ps_allocate_registers(code, host);
	return made ? made : __real_doRegisterAllocation_v3(code, host);
}
