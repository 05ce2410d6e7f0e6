/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_known.c - descriptions found by their contents; see vt_known.h */

#include "vgtool/vt_known.h"

#include <stddef.h>

enum { FEWEST = 4096 }; /* entries there is room for; a power of two */

/* Where a description is looked for: from its hash on, as far as the next that
   is free. Half of them are, so that a look mostly costs one cache line. */
struct bucket {
	UInt hash;
	UInt id; /* VT_UNKNOWN: free */
};

static struct vt_described *known; /* [size] by id */
static struct bucket *buckets;	   /* [2 * size] */
static UInt n, size;
static UInt first; /* that can be found */
static ULong bytes;

/* Mix the @len bytes, a multiple of 8, at @p into a hash. */
static ULong mix(ULong hash, const void *p, UInt len)
{
	const ULong *word = p;
	UInt i;

	for (i = 0; i < len / 8; i++) {
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Return the part of a block's record that does not depend on its number. */
static const void *contents(const struct pt_log_block *b, UInt *len)
{
	const UInt from = offsetof(struct pt_log_block, n_instrs);

	_Static_assert(offsetof(struct pt_log_block, n_instrs) % 8 == 0,
		       "contents are hashed in words");
	*len = b->head.bytes - from;
	return (const UChar *)b + from;
}

/* Return a hash of where the block is, its size, code and lanes: the rest mostly
   follows from these. */
static UInt hash_of(const struct vt_described *d)
{
	const struct pt_log_block *b = d->block;
	const UInt code = (b->n_code + 7) & ~7u;
	const struct pt_instr *first_instr = (const struct pt_instr *)(b + 1);
	ULong hash = d->object;

	hash = mix(hash, &b->n_instrs, 8);
	hash = mix(hash, &first_instr->addr, 8);
	hash = mix(hash, (const UChar *)b + b->head.bytes - code, code);
	if (d->wanted != NULL)
		hash = mix(hash, d->wanted, d->wanted->head.bytes);
	return (UInt)(hash >> 16);
}

/* Whether two records, or NULLs, are equal. */
static Bool is_same_record(const struct pt_log_head *a,
			   const struct pt_log_head *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->bytes == b->bytes && VG_(memcmp)(a, b, a->bytes) == 0;
}

static Bool is_same(const struct vt_described *a, const struct vt_described *b)
{
	UInt a_len, b_len;
	const void *a_contents = contents(a->block, &a_len);
	const void *b_contents = contents(b->block, &b_len);

	return a->object == b->object && a_len == b_len &&
	       VG_(memcmp)(a_contents, b_contents, a_len) == 0 &&
	       is_same_record(a->values ? &a->values->head : NULL,
			      b->values ? &b->values->head : NULL) &&
	       is_same_record(a->wanted ? &a->wanted->head : NULL,
			      b->wanted ? &b->wanted->head : NULL);
}

/* Return the bucket of an equal description, or the free one for it. */
static struct bucket *find_bucket(const struct vt_described *d, UInt hash)
{
	struct bucket *b = &buckets[hash & (2 * size - 1)];

	while (b->id != VT_UNKNOWN &&
	       (b->hash != hash || !is_same(&known[b->id], d)))
		if (++b == buckets + 2 * size)
			b = buckets;
	return b;
}

UInt vt_known_find(const struct vt_described *d)
{
	return n > 0 ? find_bucket(d, hash_of(d))->id : VT_UNKNOWN;
}

static void link_known(UInt id)
{
	UInt hash = hash_of(&known[id]);

	*find_bucket(&known[id], hash) = (struct bucket){hash, id};
}

static void link_all(void)
{
	UInt id;

	VG_(memset)(buckets, 0xff, 2 * size * sizeof(*buckets));
	for (id = first; id < n; id++)
		link_known(id);
}

static void grow(void)
{
	size = size ? 2 * size : FEWEST;
	known = VG_(realloc)("vt.known", known, size * sizeof(*known));
	buckets =
		VG_(realloc)("vt.known", buckets, 2 * size * sizeof(*buckets));
	link_all();
}

void vt_known_forget(void)
{
	first = n;
	if (size > 0)
		link_all();
}

static void *copy_record(const struct pt_log_head *r)
{
	void *copy;

	if (r == NULL)
		return NULL;
	copy = VG_(malloc)("vt.known.record", r->bytes);
	VG_(memcpy)(copy, r, r->bytes);
	bytes += r->bytes;
	return copy;
}

const struct pt_log_block *vt_known_add(const struct vt_described *d)
{
	if (n == size)
		grow();
	known[n] = (struct vt_described){
		.block = copy_record(&d->block->head),
		.values = copy_record(d->values ? &d->values->head : NULL),
		.wanted = copy_record(d->wanted ? &d->wanted->head : NULL),
		.object = d->object,
	};
	link_known(n);
	return known[n++].block;
}

const struct vt_described *vt_known_get(UInt id)
{
	return &known[id];
}

UInt vt_known_n(void)
{
	return n;
}

ULong vt_known_bytes(void)
{
	return bytes;
}
