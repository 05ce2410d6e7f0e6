/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ps_known.c - what is known takes the place of temporaries
 *
 * Room:    passes.
 */
#include "passes/ps_clean.h"
#include "passes/ps_fold.h"

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

static Bool never_left(const struct ps_made *m, const IRStmt *st)
{
	const IRExpr *guard = ps_known_atom(m->known, st->Ist.Exit.guard);

	return ps_is_const(guard) && !guard->Iex.Const.con->Ico.U1;
}

static Bool always_left(const struct ps_made *m, const IRStmt *st)
{
	const IRExpr *guard = ps_known_atom(m->known, st->Ist.Exit.guard);

	return ps_is_const(guard) && guard->Iex.Const.con->Ico.U1;
}

void ps_clean_known(struct ps_made *m)
{
	Int n = m->n;

	m->slices = NULL;
	m->n = 0; /* a statement for each at most: in their own place */
	for (Int i = 0; i < n && !m->failed; i++) {
		IRStmt *st = m->at[i];

		if (st->tag == Ist_WrTmp)
			write_temp(m, st);
		else if (st->tag == Ist_NoOp ||
			 (st->tag == Ist_Exit && never_left(m, st)))
			continue;
		else
			ps_make_rest(m, st);
		m->failed |= st->tag == Ist_Exit && always_left(m, st);
	}
}
