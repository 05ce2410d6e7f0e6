/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * propagate.c - what is known takes the place of temporaries
 */
#include "vgtool/vexopt/clean.h"
#include "vgtool/vexopt/fold.h"

/* Return: whether temporary @t stands for @e wherever it is read. */
static Bool learn(struct ps_made *m, IRTemp t, IRExpr *e)
{
	m->known[t] = e;
	return ps_is_atom(e) && !ps_is_image(e);
}

static void write_temp(struct ps_made *m, IRStmt *st)
{
	IRTemp t = st->Ist.WrTmp.tmp;
	IRExpr *e = st->Ist.WrTmp.data;

	if (e->tag == Iex_Get && m->known[t]) {
		m->known[t] = ps_known_atom(m->known, m->known[t]);
		return;
	}
	e = ps_fold(m->known, ps_make_flat(m, e));
	if (learn(m, t, e))
		return;
	ps_make(m, e == st->Ist.WrTmp.data ? st : IRStmt_WrTmp(t, e));
}

/* An exit that is never left by is none; what follows one that always is, is
   left to VEX. */
static void make_exit(struct ps_made *m, IRStmt *st)
{
	const IRExpr *guard;

	ps_make_rest(m, st);
	guard = m->at[m->n - 1]->Ist.Exit.guard;
	if (!ps_is_const(guard))
		return;
	m->failed |= guard->Iex.Const.con->Ico.U1;
	m->n--;
}

void ps_clean_known(struct ps_made *m)
{
	Int n = m->n;

	m->slices = NULL;
	m->n = 0;
	for (Int i = 0; i < n && !m->failed; i++) {
		IRStmt *st = m->at[i];

		if (st->tag == Ist_WrTmp)
			write_temp(m, st);
		else if (st->tag == Ist_Exit)
			make_exit(m, st);
		else if (st->tag != Ist_NoOp)
			ps_make_rest(m, st);
		tl_assert(m->n <= i + 1); /* in the place of those before */
	}
}
