/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dead.c - removes writes of temporaries that nothing reads
 */
#include "vgtool/vexopt/clean.h"
#include "vgtool/vexopt/each_operand.h"

static UChar is_read[PS_MAX_TEMPS];

/* Mark the temporary that atom @e reads as read; do nothing for a constant. */
static inline void mark_temp_of_atom_as_read(void *unused_pass, const IRExpr *e)
{
	(void)unused_pass;
	if (e->tag == Iex_RdTmp)
		is_read[e->Iex.RdTmp.tmp] = 1;
}

/* Return False if @st is a no-op, or writes a temporary that is not marked as
   read. Else mark the temporaries that @st reads, and return True. */
static Bool is_stmt_needed_mark_its_operands(const IRStmt *st)
{
	if (st->tag == Ist_NoOp)
		return False;
	if (st->tag != Ist_WrTmp) {
		ps_try_visit_operands_of_common_stmt(
			st, mark_temp_of_atom_as_read, NULL);
		return True;
	}
	if (!is_read[st->Ist.WrTmp.tmp])
		return False;
	ps_visit_expr_operands_is_known(st->Ist.WrTmp.data,
					mark_temp_of_atom_as_read, NULL);
	return True;
}

void ps_clean_remove_dead_temp_writes(struct ps_stmt_list *m,
				      const IRExpr *next)
{
	Int first = m->n;

	VG_(memset)(is_read, 0, (SizeT)m->types->types_used);
	mark_temp_of_atom_as_read(NULL, next);
	for (Int i = m->n - 1; i >= 0; i--)
		if (is_stmt_needed_mark_its_operands(m->stmts[i]))
			m->stmts[--first] = m->stmts[i];
	m->stmts += first;
	m->n -= first;
	m->size -= first;
}
