/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_marks.c - writes marks with names; see named_marks.h */

#include "vgtool/transport/named_marks.h"

#include <pub_tool_hashtable.h>

#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"

/* A node of the hash table of the names of marks, each with its kind and memory
   region. The first two members are those of Valgrind's hash node. */
struct named {
	struct named *next;
	UWord key; /* hash of the kind, the start and the name */
	union {
		struct pt_log_named r;
		HChar bytes[sizeof(struct pt_log_named) + PT_MAX_NAME + 8];
	} log;
};

static VgHashTable *table;

void vt_mark_reset_names(void)
{
	if (table != NULL)
		VG_(HT_destruct)(table, VG_(free));
	table = NULL;
}

static const HChar *name_of_mark_node(const struct named *n)
{
	return n->log.bytes + sizeof(n->log.r);
}

/* Return 0 if two nodes have the same kind, region and name, else 1. */
static Word return_0_if_nodes_equal_else_1(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return x->log.r.kind != y->log.r.kind ||
	       x->log.r.start != y->log.r.start ||
	       x->log.r.size != y->log.r.size ||
	       VG_(strcmp)(name_of_mark_node(x), name_of_mark_node(y)) != 0;
}

static UWord hash_kind_start_and_name(const struct named *n)
{
	const HChar *p;
	UWord h = n->log.r.kind + n->log.r.start;

	for (p = name_of_mark_node(n); *p; p++)
		h = 31 * h + (UChar)*p;
	return h;
}

/* Return the table's node with the kind, region and name of @like; if there is
   none, add and log one. Return NULL if the table is full. */
static struct named *
find_or_add_and_log_mark_name_or_null(const struct named *like)
{
	struct named *n;
	UInt known;

	if (table == NULL)
		table = VG_(HT_construct)("vt.names");
	n = VG_(HT_gen_lookup)(table, like, return_0_if_nodes_equal_else_1);
	known = VG_(HT_count_nodes)(table);
	if (n != NULL || known == PT_MAX_NAMES)
		return n;
	n = VG_(malloc)("vt.names", sizeof(*n));
	*n = *like;
	n->log.r.id = known + 1;
	VG_(HT_add_node)(table, n);
	vt_ring_await_room_and_append_log(&n->log, n->log.r.head.bytes);
	return n;
}

void vt_mark_write_or_skip(enum pt_named kind, const HChar *name, Addr start,
			   SizeT size)
{
	UInt length = VG_(strlen)(name);
	struct named like, *n;

	if (!vt_ring_is_attached())
		return;
	VG_(memset)(&like, 0, sizeof(like));
	like.log.r = (struct pt_log_named){
		.head = {PT_LOG_NAMED,
			 vt_record_bytes_padded_to_8(
				 sizeof(struct pt_log_named) + length + 1)},
		.kind = kind,
		.start = start,
		.size = size,
	};
	VG_(memcpy)(like.log.bytes + sizeof(like.log.r), name, length);
	like.key = hash_kind_start_and_name(&like);
	n = find_or_add_and_log_mark_name_or_null(&like);
	if (n != NULL)
		vt_ring_write_or_skip_control_unit(PT_MARK, n->log.r.id, NULL,
						   0);
	else
		vt_ring_add_to_skipped_record_count(1);
}
