/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_plan.c - chooses the conditions that the library evaluates
 *
 * SQLite evaluates all conditions again, except the one on the path of the
 * file. So a filter may pass more rows than the conditions select, but never
 * fewer.
 */
#include <string.h>

#include "liballeria/sql/table.h"

/* Rough estimates. RECORDS, FACTS: rows of a table of records and of a table of
   facts; ROW, BLOCK: rows and cost of a query that has a condition `=` on the
   number or time of a record. */
static const double RECORDS = 1e9, FACTS = 1e3, ROW = 10, BLOCK = 1e5;

struct plan {
	sqlite3_index_info *info;
	int n_columns;
	double rows;
	double cost;
	int n_args;
	char text[256];
};

/* Return the character for an operator of SQLite; 0: another operator. */
static char constraint_op_char(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return '=';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return 'l';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return 'g';
	}
	return 0;
}

static bool has_binary_collation(const struct plan *p, int constraint_index)
{
	const char *name = sqlite3_vtab_collation(p->info, constraint_index);

	return name && !strcmp(name, "BINARY");
}

static bool is_condition_supported_by_bound(const struct plan *p,
					    int constraint_index,
					    enum sq_bound bound, char op)
{
	if (bound == SQ_B_NONE || !op)
		return false;
	return bound < SQ_B_NUMBERS ||
	       (op == '=' && has_binary_collation(p, constraint_index));
}

static void lower_row_and_cost_estimates(struct plan *p, enum sq_bound bound,
					 char op)
{
	bool is_one = op == '=';

	if (bound == SQ_B_ID) {
		p->rows = is_one ? 1 : p->rows / 10;
		p->cost = is_one ? 1 : p->cost / 10;
	} else if (bound <= SQ_B_TIME) {
		p->rows = is_one ? ROW : p->rows / 10;
		p->cost = is_one ? BLOCK : p->cost / 10;
	} else if (bound <= SQ_B_THREAD) {
		p->rows /= 2;
		p->cost /= 2;
	} else if (bound == SQ_B_DATA && is_one) {
		p->rows /= 1000;
		p->cost /= 100;
	} else if (bound <= SQ_B_FUNCTION) {
		p->rows /= 10;
		p->cost /= 3;
	} else {
		p->rows /= 10;
		p->cost /= 1.2;
	}
}

static void add_condition_argument(struct plan *p, int constraint_index,
				   int column_index, char op)
{
	char *arg = p->text + SQ_INDEX_BYTES * p->n_args;

	arg[SQ_INDEX_COLUMN] = (char)(SQ_INDEX_A + column_index);
	arg[SQ_INDEX_OP] = op;
	p->info->aConstraintUsage[constraint_index].argvIndex = ++p->n_args;
}

/* Add condition @constraint_index to the plan if the library can evaluate it,
   and lower the estimates. Return: SQLITE_OK, also if it was not added;
   SQLITE_CONSTRAINT: the path of the file is not known yet in this order of
   tables. */
static int add_supported_condition_lower_estimates(struct plan *p,
						   const struct sq_table *t,
						   int constraint_index)
{
	const struct sqlite3_index_constraint *c =
		&p->info->aConstraint[constraint_index];
	char op = constraint_op_char(c->op);

	if (!op || c->iColumn < 0 ||
	    SQ_INDEX_BYTES * (p->n_args + 1) >= (int)sizeof(p->text))
		return SQLITE_OK;
	if (c->iColumn == p->n_columns) {
		if (op != '=')
			return SQLITE_OK;
		if (!c->usable)
			return SQLITE_CONSTRAINT;
		add_condition_argument(p, constraint_index, c->iColumn, op);
		p->info->aConstraintUsage[constraint_index].omit = 1;
	} else if (c->usable && is_condition_supported_by_bound(
					p, constraint_index,
					t->column[c->iColumn].bound, op)) {
		add_condition_argument(p, constraint_index, c->iColumn, op);
		lower_row_and_cost_estimates(p, t->column[c->iColumn].bound,
					     op);
	}
	return SQLITE_OK;
}

int sq_plan_query(const struct sq_table *t, sqlite3_index_info *info)
{
	struct plan p = {.info = info, .rows = t->what ? RECORDS : FACTS};
	int err = SQLITE_OK;

	while (t->column[p.n_columns].name)
		p.n_columns++;
	p.cost = p.rows;
	for (int i = 0; !err && i < info->nConstraint; i++)
		err = add_supported_condition_lower_estimates(&p, t, i);
	if (err)
		return err;
	info->idxStr = sqlite3_mprintf("%s", p.text);
	info->needToFreeIdxStr = 1;
	info->estimatedCost = p.cost;
	info->estimatedRows = (sqlite3_int64)p.rows + 1;
	info->orderByConsumed = t->what && info->nOrderBy == 1 &&
				info->aOrderBy[0].iColumn == 0 &&
				!info->aOrderBy[0].desc;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}
