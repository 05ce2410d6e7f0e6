/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * superblock.c - extends a block along its most frequent branch; see
 * superblock.h
 *
 * The linker substitutes __wrap_bb_to_IR() for VEX's function, see
 * vex_shortcuts.c.
 */
#include "vgtool/translate/superblock.h"

#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/block_hook.h"
#include "vgtool/instrument/branch_profile.h"
#include "vgtool/vexopt/append.h"
#include "vgtool/window/switch.h"

enum {
	MAX_EXTENTS = sizeof((VexGuestExtents){0}.base) / sizeof(Addr),
	MAX_STATEMENTS = 1000,
};

/* Arguments of bb_to_IR() that do not depend on the block's address, and the
   register updates. */
struct request {
	VexRegisterUpdates updates; /* chosen by `checks` for the
				       current block */
	void *opaque;
	void *instr; /* VEX's function that disassembles a guest instruction;
			passed on as received */
	vt_may_chase may_chase;
	VexEndness endness;
	Bool diagnosis;
	VexArch arch;
	const VexArchInfo *archinfo;
	const VexAbiInfo *abi;
	IRType word;
	vt_needs_self_check checks;
	Int state[4]; /* offsets in the guest's state: CMSTART, CMLEN, program
			 counter; then the program counter's size [bytes] */
};

/* The block that is being translated. */
static struct {
	struct request r;
	/* register updates that bb_to_IR() received, before Valgrind's callback
	   `checks` chose those of this block */
	VexRegisterUpdates requested;
	VexGuestExtents *extents;
	Bool may_grow;
} block;

/* The block that is appended to the block which is being translated. */
static struct {
	Addr address;		 /* address of the first instruction of the
				    block that is appended */
	VexGuestExtents extents; /* code ranges of the block being translated
				    and of this one, together */
} next;

/* Valgrind's own rule for continuing a block; may_vex_continue_block_at()
   restricts it. */
static vt_may_chase valgrind_allows;

static Bool may_vex_continue_block_at(void *opaque, Addr target)
{
	return valgrind_allows(opaque, target) &&
	       vt_switch_may_vex_continue_block_at(target) &&
	       vt_block_hook_may_vex_continue_block_at(target);
}

/* Translate a block by VEX's function, with may_vex_continue_block_at() as the
   rule for continuing it, and store the arguments for a block that extends
   it. */
IRSB *__wrap_bb_to_IR(VexGuestExtents *extents, UInt *n_checks, UInt *n_instrs,
		      UShort *n_jumps, UShort *n_ands,
		      VexRegisterUpdates *updates, void *opaque, void *instr,
		      const UChar *code, Addr address, vt_may_chase may_chase,
		      VexEndness endness, Bool diagnosis, VexArch arch,
		      const VexArchInfo *archinfo, const VexAbiInfo *abi,
		      IRType word, vt_needs_self_check checks, void *preamble,
		      Int start, Int len, Int ip, Int ip_size)
{
	VexRegisterUpdates requested = *updates;
	IRSB *sb;

	valgrind_allows = may_chase;
	sb = __real_bb_to_IR(extents, n_checks, n_instrs, n_jumps, n_ands,
			     updates, opaque, instr, code, address,
			     may_vex_continue_block_at, endness, diagnosis,
			     arch, archinfo, abi, word, checks, preamble, start,
			     len, ip, ip_size);

	block.r = (struct request){
		*updates, opaque,    instr,  may_vex_continue_block_at,
		endness,  diagnosis, arch,   archinfo,
		abi,	  word,	     checks, {start, len, ip, ip_size},
	};
	block.requested = requested;
	block.extents = extents;
	block.may_grow = vex_control.guest_chase && *n_checks == 0;
	return sb;
}

/* Return the block that VEX makes of the code at @addr. Set @extents, @n_checks
   and @updates as bb_to_IR() does. */
static IRSB *translate_block_by_vex(const struct request *r, Addr addr,
				    VexGuestExtents *extents, UInt *n_checks,
				    VexRegisterUpdates *updates)
{
	UInt n_instrs; /* this and the next two are statistics, and ignored */
	UShort n_jumps, n_ands;

	return __real_bb_to_IR(extents, n_checks, &n_instrs, &n_jumps, &n_ands,
			       updates, r->opaque, r->instr,
			       (const UChar *)addr, addr, r->may_chase,
			       r->endness, r->diagnosis, r->arch, r->archinfo,
			       r->abi, r->word, r->checks, NULL, r->state[0],
			       r->state[1], r->state[2], r->state[3]);
}

/* Return the conditional branch at the end of a block: its last statement, if
   that is an exit and the block's next address is a constant. Return NULL if
   there is none. */
static const IRStmt *final_cond_branch_or_null(const IRSB *sb)
{
	const IRStmt *last;

	if (sb->jumpkind != Ijk_Boring || sb->next->tag != Iex_Const ||
	    sb->stmts_used == 0)
		return NULL;
	last = sb->stmts[sb->stmts_used - 1];
	return last->tag == Ist_Exit && last->Ist.Exit.jk == Ijk_Boring ? last
									: NULL;
}

static Addr last_instr_address_or_0(const IRSB *sb)
{
	Int i = sb->stmts_used - 1;

	while (i >= 0 && sb->stmts[i]->tag != Ist_IMark)
		i--;
	return i < 0 ? 0 : sb->stmts[i]->Ist.IMark.addr;
}

/* Return the most frequent destination of the block's last branch; 0: not
   known, or the block cannot be extended there. */
static Addr chaseable_usual_target(const IRSB *sb)
{
	const IRStmt *branch = final_cond_branch_or_null(sb);
	Addr to = branch ? vt_branch_usual_target_or_request_count(
				   last_instr_address_or_0(sb))
			 : 0;

	if (to == 0 || !block.r.may_chase(block.r.opaque, to))
		return 0;
	return to == branch->Ist.Exit.dst->Ico.U64 ||
			       to == sb->next->Iex.Const.con->Ico.U64
		       ? to
		       : 0;
}

/* Whether the code [@addr, @addr + @len) lies in an extent of @e, as when a
   loop passes it again. */
static Bool has_extent_covering_range(const VexGuestExtents *e, Addr addr,
				      UInt len)
{
	UInt i;

	for (i = 0; i < e->n_used; i++)
		if (addr >= e->base[i] && addr + len <= e->base[i] + e->len[i])
			return True;
	return False;
}

/* Add the extents (code ranges) @more to @e. Return: False if VEX has no room
   for so many; then @e is invalid. */
static Bool try_merge_extents_else_leave_partial(VexGuestExtents *e,
						 const VexGuestExtents *more)
{
	UInt i, last_extent;

	for (i = 0; i < more->n_used; i++) {
		last_extent = e->n_used - 1;
		if (has_extent_covering_range(e, more->base[i], more->len[i]))
			continue;
		if (e->base[last_extent] + e->len[last_extent] ==
		    more->base[i]) {
			e->len[last_extent] += more->len[i];
			continue;
		}
		if (e->n_used == MAX_EXTENTS)
			return False;
		e->base[e->n_used] = more->base[i];
		e->len[e->n_used++] = more->len[i];
	}
	return True;
}

/* Return the block at @addr, and set `next`. Return NULL if the block requires
   other register updates than the current one, if it needs a self-check, or if
   there is no room for its extents. */
static IRSB *try_translate_next_block(Addr addr)
{
	VexRegisterUpdates updates = block.requested;
	VexGuestExtents extents;
	UInt n_checks;
	IRSB *sb = translate_block_by_vex(&block.r, addr, &extents, &n_checks,
					  &updates);

	next.address = addr;
	next.extents = *block.extents;
	return updates == block.r.updates && n_checks == 0 &&
			       try_merge_extents_else_leave_partial(
				       &next.extents, &extents)
		       ? sb
		       : NULL;
}

/* Return the number of guest instructions in @sb; those of an unrolled loop
   count once for each copy. */
static Int count_guest_instrs(const IRSB *sb)
{
	Int i, n = 0;

	for (i = 0; i < sb->stmts_used; i++)
		n += sb->stmts[i]->tag == Ist_IMark;
	return n;
}

/* A superblock has less than twice as many instructions as VEX allows in a
   block, except when VEX has unrolled a loop. The number of statements is
   limited too, because some instructions have hundreds: VEX has little memory
   for a translation, and aborts when it is exhausted. */
IRSB *vt_superblock_try_translate_likely_next(const IRSB *sb, Addr *next_addr)
{
	IRSB *next_block;

	if (!block.may_grow || sb->stmts_used > MAX_STATEMENTS / 2 ||
	    count_guest_instrs(sb) >= vex_control.guest_max_insns)
		return NULL;
	*next_addr = chaseable_usual_target(sb);
	next_block = *next_addr ? try_translate_next_block(*next_addr) : NULL;
	return next_block && sb->stmts_used + next_block->stmts_used <=
				       MAX_STATEMENTS
		       ? next_block
		       : NULL;
}

/* Append a PUT of @pc to the program counter, if it must be exact: the
   preceding block relied on the jump between the blocks to set it. */
static void append_pc_put_if_exact(IRSB *sb, Addr pc)
{
	if (block.r.updates != VexRegUpdSpAtMemAccess)
		addStmtToIRSB(sb, IRStmt_Put(sb->offsIP,
					     IRExpr_Const(IRConst_U64(pc))));
}

Bool vt_superblock_try_append_likely_next(IRSB *sb, const IRSB *next_block)
{
	if (sb->next->Iex.Const.con->Ico.U64 != next.address)
		ps_invert_final_branch(sb);
	append_pc_put_if_exact(sb, next.address);
	if (!ps_try_append_block(sb, next_block))
		return False;
	*block.extents = next.extents;
	return True;
}
