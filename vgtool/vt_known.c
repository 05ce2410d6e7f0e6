/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_known.c - descriptions found by their contents; see vt_known.h */

#include "vgtool/vt_known.h"

#include <stddef.h>

enum { FEWEST = 4096 }; /* entries there is room for; a power of two */

struct entry {
	struct vt_described d;
	UInt hash;
	UInt next; /* id of the next with this bucket, or VT_UNKNOWN */
};

static struct entry *entries; /* by id */
static UInt *buckets;	      /* [size] id of the first, or VT_UNKNOWN */
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

static UInt hash_of(const struct vt_described *d)
{
	UInt len;
	const void *p = contents(d->block, &len);
	ULong hash = mix(d->object, p, len);

	if (d->values != NULL)
		hash = mix(hash, d->values, d->values->head.bytes);
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

UInt vt_known_find(const struct vt_described *d)
{
	UInt id, hash;

	if (n == 0)
		return VT_UNKNOWN;
	hash = hash_of(d);
	for (id = buckets[hash & (size - 1)]; id != VT_UNKNOWN;
	     id = entries[id].next)
		if (entries[id].hash == hash && is_same(&entries[id].d, d))
			return id;
	return VT_UNKNOWN;
}

static void link_entry(UInt id)
{
	UInt *bucket = &buckets[entries[id].hash & (size - 1)];

	entries[id].next = *bucket;
	*bucket = id;
}

static void link_all(void)
{
	UInt id;

	VG_(memset)(buckets, 0xff, size * sizeof(*buckets));
	for (id = first; id < n; id++)
		link_entry(id);
}

static void grow(void)
{
	size = size ? 2 * size : FEWEST;
	entries = VG_(realloc)("vt.known", entries, size * sizeof(*entries));
	buckets = VG_(realloc)("vt.known", buckets, size * sizeof(*buckets));
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
	struct entry *e;

	if (n == size)
		grow();
	e = &entries[n];
	e->d = (struct vt_described){
		.block = copy_record(&d->block->head),
		.values = copy_record(d->values ? &d->values->head : NULL),
		.wanted = copy_record(d->wanted ? &d->wanted->head : NULL),
		.object = d->object,
	};
	e->hash = hash_of(&e->d);
	link_entry(n);
	n++;
	return e->d.block;
}

const struct vt_described *vt_known_get(UInt id)
{
	return &entries[id].d;
}

UInt vt_known_n(void)
{
	return n;
}

ULong vt_known_bytes(void)
{
	return bytes;
}
