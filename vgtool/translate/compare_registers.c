/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_registers.c - checks that ps_allocate_registers() chooses VEX's registers
 *
 * Allocators modify instructions in place, so only one of the two may do so.
 * The calls of the host's functions are recorded for both; the call that
 * replaces registers is executed for VEX only. Both allocators must make the
 * same calls in the same order, and return the instructions in the same order.
 */
#include "vgtool/translate/compare_registers.h"

#include "vgtool/core/compare_passes.h"
#include "vgtool/core/valgrind_core.h"
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
static const struct ps_host *host;

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
		host->map_regs(p, instr, is_64);
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
	record_two(STORE, host->spill, (void **[]){first, second}, r, offset,
		   is_64);
}

static void record_load(void **first, void **second, struct ps_reg r,
			Int offset, Bool is_64)
{
	record_two(LOAD, host->reload, (void **[]){first, second}, r, offset,
		   is_64);
}

static void *record_move(struct ps_reg from, struct ps_reg to, Bool is_64)
{
	struct call *a = add_call(MOVE, NULL, from.bits, to.bits);
	void *made = host->move(from, to, is_64);

	a->made[0] = made;
	return made;
}

static void *record_direct(void *instr, struct ps_reg r, Short offset)
{
	struct call *a = add_call(DIRECT, instr, r.bits, (UWord)offset);
	void *made = host->direct_reload(instr, r, offset);

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
		host->print(code->instr[i], host->is_64);
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

struct ps_code *vt_compare_registers(struct ps_code *code,
				     const struct ps_host *vex_host)
{
	struct ps_host recording_host = *vex_host;
	struct ps_code *made, *vex;

	host = vex_host;
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
