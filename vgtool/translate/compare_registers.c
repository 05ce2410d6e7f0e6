/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_registers.c - registers that we give out are those that VEX does
 *
 * Instructions are changed where they are, so only one of both may do it: what
 * is asked of the host in turn is noted, and ours is told nothing of it. What
 * both ask, and the order in which that and the instructions come, must be one.
 */
#include "vgtool/translate/compare_registers.h"

#include "vgtool/core/compare_passes.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/vexopt/passes.h"

/* What was asked: which question, of what. */
struct asked {
	enum { PLACE, STORE, LOAD, MOVE, DIRECT } what;
	const void *instr; /* if any */
	UWord of[2];
	struct ps_places places;
	const void *made[2];
};

static struct notes {
	struct asked *at;
	UInt n;
	UInt size;
} ours, its, *now;
static const struct ps_host *host;

static struct asked *note(UInt what, const void *instr, UWord a, UWord b)
{
	struct asked *more;

	if (now->n == now->size) {
		now->size = now->size ? 2 * now->size : 64;
		more = VG_(realloc)("vt.compare", now->at,
				    now->size * sizeof(*more));
		now->at = more;
	}
	more = &now->at[now->n++];
	VG_(memset)(more, 0, sizeof(*more));
	more->what = what;
	more->instr = instr;
	more->of[0] = a;
	more->of[1] = b;
	return more;
}

static void place(struct ps_places *p, void *instr, Bool is_64)
{
	struct asked *a = note(PLACE, instr, 0, 0);

	a->places.n = p->n;
	for (Int i = 0; i < p->n; i++) {
		a->places.virt[i] = p->virt[i];
		a->places.real[i] = p->real[i];
	}
	if (now == &its)
		host->place(p, instr, is_64);
}

/* What takes two pointers, and makes up to two instructions. */
typedef __typeof__(((struct ps_host *)0)->store) by_two;

static void ask_two(UInt what, by_two ask, void **made[2], struct ps_reg r,
		    Int at, Bool is_64)
{
	struct asked *a = note(what, NULL, r.bits, (UWord)at);

	ask(made[0], made[1], r, at, is_64);
	a->made[0] = *made[0];
	a->made[1] = *made[1];
}

static void store(void **first, void **second, struct ps_reg r, Int at,
		  Bool is_64)
{
	ask_two(STORE, host->store, (void **[]){first, second}, r, at, is_64);
}

static void load(void **first, void **second, struct ps_reg r, Int at,
		 Bool is_64)
{
	ask_two(LOAD, host->load, (void **[]){first, second}, r, at, is_64);
}

static void *move(struct ps_reg from, struct ps_reg to, Bool is_64)
{
	struct asked *a = note(MOVE, NULL, from.bits, to.bits);
	void *made = host->move(from, to, is_64);

	a->made[0] = made;
	return made;
}

static void *direct(void *instr, struct ps_reg r, Short at)
{
	struct asked *a = note(DIRECT, instr, r.bits, (UWord)at);
	void *made = host->direct(instr, r, at);

	a->made[0] = made;
	return made;
}

/* The question of @n that made an instruction, or n->n. */
static UInt origin(const struct notes *n, const void *instr)
{
	UInt i;

	for (i = 0; i < n->n; i++)
		if (n->at[i].made[0] == instr || n->at[i].made[1] == instr)
			break;
	return i;
}

/* An instruction of the block, or none, or made by the same question. */
static Bool is_same_instr(const void *a, const void *b)
{
	return a == b || (a && b && origin(&ours, a) < ours.n &&
			  origin(&ours, a) == origin(&its, b));
}

static Bool is_same_question(const struct asked *a, const struct asked *b)
{
	return a->what == b->what && is_same_instr(a->instr, b->instr) &&
	       a->of[0] == b->of[0] && a->of[1] == b->of[1] &&
	       !a->made[0] == !b->made[0] && !a->made[1] == !b->made[1] &&
	       VG_(memcmp)(&a->places, &b->places, sizeof(a->places)) == 0;
}

static Bool is_same(const struct ps_code *a, const struct ps_code *b)
{
	if (a->n != b->n || ours.n != its.n)
		return False;
	for (UInt i = 0; i < ours.n; i++)
		if (!is_same_question(&ours.at[i], &its.at[i]))
			return False;
	for (Int i = 0; i < a->n; i++)
		if (!is_same_instr(a->instr[i], b->instr[i]))
			return False;
	return True;
}

static void show(const HChar *whose, const struct ps_code *code)
{
	VG_(umsg)("alleria: passes: %s:\n", whose);
	for (Int i = 0; i < code->n; i++) {
		host->print(code->instr[i], host->is_64);
		VG_(umsg)("\n");
	}
}

/* Instructions of both have VEX's registers, so only their order shows. */
static void compare(const struct ps_code *made, const struct ps_code *vex)
{
	if (!vt_compare_noted(VT_REGISTERS, is_same(made, vex)))
		return;
	show("VEX's", vex);
	show("ours", made);
}

struct ps_code *vt_compare_registers(struct ps_code *code,
				     const struct ps_host *of)
{
	struct ps_host asking = *of;
	struct ps_code *made, *vex;

	host = of;
	asking.place = place;
	asking.store = store;
	asking.load = load;
	asking.move = move;
	asking.direct = of->direct ? direct : NULL;
	ours.n = its.n = 0;
	now = &ours;
	made = ps_registers(code, &asking);
	now = &its;
	vex = __real_doRegisterAllocation_v3(code, &asking);
	if (made)
		compare(made, vex);
	else
		vt_compare_left(VT_REGISTERS);
	return vex;
}
