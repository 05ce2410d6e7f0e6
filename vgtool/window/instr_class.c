/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_class.c - asks the daemon which selects match an instruction, and
   stores the answers; see instr_class.h */

#include "vgtool/window/instr_class.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"

/* A bucket of the hash table: an instruction and the daemon's answer for it. */
struct known {
	UChar len; /* [bytes] of the instruction; 0: the bucket is free */
	UChar code[23];
	ULong matches; /* a bit for each select that needs the decoder */
};

/* The table is emptied when it has this number of instructions, since a program
   may generate new ones for ever. */
enum { MAX_KNOWN = 1 << 20 };

static struct known *table; /* hash table of instructions, by their bytes */
static UInt table_size;	    /* buckets of the table, a power of two */
static UInt n_known;	    /* buckets in use */
static Bool is_needed;	    /* the plan has selects that need the decoder */
static UInt *answer_bits;   /* by select of the plan: its bit in `matches` */

static struct {
	struct pt_message head;
	UChar code[VT_MAX_QUESTION];
} question;
static UInt n_asked, bytes_asked;
static const UChar
	*asked_instrs[PT_MAX_INSTRS]; /* pointers into `question`: each to an
					 instruction's length, which its bytes
					 follow */

static void free_answer_table(void)
{
	VG_(free)(table);
	table = NULL;
	table_size = n_known = 0;
}

void vt_instr_class_init_from_plan(void)
{
	UInt i, bits = 0;

	VG_(free)(answer_bits);
	free_answer_table();
	answer_bits = VG_(calloc)("vt.decode", vt_recording_plan->selects.n + 1,
				  sizeof(*answer_bits));
	for (i = 0; i < vt_recording_plan->selects.n; i++)
		if (vt_plan_select(i)->kind < PT_SELECT_ANY_MEM)
			answer_bits[i] = bits++;
	is_needed = bits > 0;
}

static UInt hash_instr_bytes(const UChar *code, UInt len)
{
	UInt h = len;

	while (len-- > 0)
		h = (h ^ *code++) * 16777619u;
	return h ^ h >> 15;
}

/* Return the bucket of the instruction with the @len bytes @code; if it is not
   in the table, the free bucket where it belongs. */
static struct known *find_bucket_of_instr_or_free(const UChar *code, UInt len)
{
	UInt i = hash_instr_bytes(code, len) & (table_size - 1);

	while (table[i].len != 0 &&
	       (table[i].len != len ||
		VG_(memcmp)(table[i].code, code, len) != 0))
		i = (i + 1) & (table_size - 1);
	return &table[i];
}

static const struct known *find_stored_answer_or_null(const UChar *code,
						      UInt len)
{
	const struct known *k =
		table_size == 0 ? NULL
				: find_bucket_of_instr_or_free(code, len);

	return k == NULL || k->len == 0 ? NULL : k;
}

static void double_table_and_rehash(void)
{
	struct known *old = table;
	UInt i, n = table_size;

	table_size = n ? 2 * n : 1024;
	table = VG_(calloc)("vt.decode", table_size, sizeof(*table));
	for (i = 0; i < n; i++)
		if (old[i].len != 0)
			*find_bucket_of_instr_or_free(old[i].code, old[i].len) =
				old[i];
	VG_(free)(old);
}

/* Store the answer @matches for the instruction with the @len bytes @code.
   Enlarge the table if it is half full. */
static void store_which_selects_match_instr(const UChar *code, UInt len,
					    ULong matches)
{
	struct known *k;

	if (2 * n_known >= table_size)
		double_table_and_rehash();
	k = find_bucket_of_instr_or_free(code, len);
	n_known += k->len == 0;
	k->len = len;
	VG_(memcpy)(k->code, code, len);
	k->matches = matches;
}

/* Add an instruction to the question (a message that asks the daemon which
   selects match), unless its answer is stored, its length is 0 or more than
   PT_MAX_LEN, or the question has PT_MAX_INSTRS. */
static void add_unclassified_instr_to_daemon_query(const UChar *code, UInt len)
{
	if (len == 0 || len > PT_MAX_LEN ||
	    find_stored_answer_or_null(code, len) != NULL ||
	    n_asked == PT_MAX_INSTRS)
		return;
	asked_instrs[n_asked++] = question.code + bytes_asked;
	question.code[bytes_asked++] = len;
	VG_(memcpy)(question.code + bytes_asked, code, len);
	bytes_asked += len;
}

void vt_instr_class_request_from_daemon(const IRSB *in,
					Bool (*may_record)(Addr pc))
{
	const ULong *matches;
	const IRStmt *st;
	UInt i;
	Int s;

	if (!is_needed)
		return;
	if (n_known >= MAX_KNOWN)
		free_answer_table();
	n_asked = bytes_asked = 0;
	for (s = 0; s < in->stmts_used; s++) {
		st = in->stmts[s];
		if (st->tag == Ist_IMark && may_record(st->Ist.IMark.addr))
			add_unclassified_instr_to_daemon_query(
				(const UChar *)st->Ist.IMark.addr,
				st->Ist.IMark.len);
	}
	if (n_asked == 0)
		return;
	question.head = (struct pt_message){PT_MSG_DECODE, 0, n_asked};
	matches = vt_connection_ask_and_await_answer(
		&question.head, sizeof(question.head) + bytes_asked,
		PT_MSG_DECODED);
	for (i = 0; matches != NULL && i < n_asked; i++)
		store_which_selects_match_instr(asked_instrs[i] + 1,
						asked_instrs[i][0], matches[i]);
}

Bool vt_instr_class_is_known_to_match_select(UInt select_number, Addr pc,
					     UInt len)
{
	const struct known *k =
		find_stored_answer_or_null((const UChar *)pc, len);

	return k != NULL && (k->matches >> answer_bits[select_number] & 1);
}
