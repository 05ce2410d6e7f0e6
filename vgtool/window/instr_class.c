/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_class.c - what the daemon's decoder says; see instr_class.h */

#include "vgtool/window/instr_class.h"

#include "vgtool/core/plan_view.h"
#include "vgtool/transport/connection.h"

/* An instruction, the rest of its bytes 0. */
struct known {
	UChar len; /* 0: a free place */
	UChar code[23];
	ULong taken; /* a bit for each select that needs the decoder */
};

enum { MANY = 1 << 20 }; /* instructions: a program may go on making others */

static struct known *table; /* by what the bytes come to */
static UInt size, n_known;
static Bool needed;
static UInt *bit_of; /* by select */

static struct {
	struct pt_message head;
	UChar code[VT_MAX_ASKED];
} question;
static UInt n_asked, bytes_asked;
static const UChar *asked[PT_MAX_INSTRS]; /* length, then the bytes */

static void forget(void)
{
	VG_(free)(table);
	table = NULL;
	size = n_known = 0;
}

void vt_decode_begin(void)
{
	UInt i, bits = 0;

	VG_(free)(bit_of);
	forget();
	bit_of = VG_(calloc)("vt.decode", vt_given->selects.n + 1,
			     sizeof(*bit_of));
	for (i = 0; i < vt_given->selects.n; i++)
		if (vt_given_select(i)->kind < PT_SELECT_ANY_MEM)
			bit_of[i] = bits++;
	needed = bits > 0;
}

static UInt hash(const UChar *code, UInt len)
{
	UInt h = len;

	while (len-- > 0)
		h = (h ^ *code++) * 16777619u;
	return h ^ h >> 15;
}

/* Where the instruction is, or could be put. */
static struct known *place_of(const UChar *code, UInt len)
{
	UInt i = hash(code, len) & (size - 1);

	while (table[i].len != 0 &&
	       (table[i].len != len ||
		VG_(memcmp)(table[i].code, code, len) != 0))
		i = (i + 1) & (size - 1);
	return &table[i];
}

static const struct known *find(const UChar *code, UInt len)
{
	const struct known *k = size == 0 ? NULL : place_of(code, len);

	return k == NULL || k->len == 0 ? NULL : k;
}

static void grow(void)
{
	struct known *old = table;
	UInt i, n = size;

	size = n ? 2 * n : 1024;
	table = VG_(calloc)("vt.decode", size, sizeof(*table));
	for (i = 0; i < n; i++)
		if (old[i].len != 0)
			*place_of(old[i].code, old[i].len) = old[i];
	VG_(free)(old);
}

static void keep(const UChar *code, UInt len, ULong taken)
{
	struct known *k;

	if (2 * n_known >= size)
		grow();
	k = place_of(code, len);
	n_known += k->len == 0;
	k->len = len;
	VG_(memcpy)(k->code, code, len);
	k->taken = taken;
}

static void want(const UChar *code, UInt len)
{
	if (len == 0 || len > PT_MAX_LEN || find(code, len) != NULL ||
	    n_asked == PT_MAX_INSTRS)
		return;
	asked[n_asked++] = question.code + bytes_asked;
	question.code[bytes_asked++] = len;
	VG_(memcpy)(question.code + bytes_asked, code, len);
	bytes_asked += len;
}

void vt_decode_block(const IRSB *in, Bool (*may)(Addr pc))
{
	const ULong *taken;
	const IRStmt *st;
	UInt i;
	Int s;

	if (!needed)
		return;
	if (n_known >= MANY)
		forget();
	n_asked = bytes_asked = 0;
	for (s = 0; s < in->stmts_used; s++) {
		st = in->stmts[s];
		if (st->tag == Ist_IMark && may(st->Ist.IMark.addr))
			want((const UChar *)st->Ist.IMark.addr,
			     st->Ist.IMark.len);
	}
	if (n_asked == 0)
		return;
	question.head = (struct pt_message){PT_MSG_DECODE, 0, n_asked};
	taken = vt_control_ask(&question.head,
			       sizeof(question.head) + bytes_asked,
			       PT_MSG_DECODED);
	for (i = 0; taken != NULL && i < n_asked; i++)
		keep(asked[i] + 1, asked[i][0], taken[i]);
}

Bool vt_decode_takes(UInt i, Addr pc, UInt len)
{
	const struct known *k = find((const UChar *)pc, len);

	return k != NULL && (k->taken >> bit_of[i] & 1);
}
