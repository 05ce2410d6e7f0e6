/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_descriptors.c - finds descriptions by their contents; see
   known_descriptors.h */

#include "vgtool/instrument/known_descriptors.h"

#include <stddef.h>

enum {
	MIN_SIZE = 4096,  /* smallest capacity of the table [descriptions]; a
			    power of two */
	LOG_PAGE = 12,	  /* [log2 bytes] size of a page of the filter */
	FILTER = 1 << 15, /* number of pages that the filter of discarded code
			     distinguishes; a power of two */
};

/* A bucket of the hash table. The search for a description begins at its hash
   and ends at the first free bucket; at least half of the buckets are free, so
   the search mostly costs one cache line. */
struct bucket {
	UInt hash;
	UInt id; /* id of a description; VT_NO_DESCRIPTOR: the bucket is free */
};

static struct vt_descriptor *known; /* [size] descriptions, by block id */
static struct bucket *buckets; /* [2 * size] hash table of the descriptions */
static UInt n_known, size;
static ULong known_bytes; /* [bytes] of all record copies in `known` */

/* A bit for each page of code of which a translation was discarded; several
   pages share a bit. A block on another page that is translated now was not
   translated before, so no description of it is searched for. */
static ULong discarded[FILTER / 64];

/* Return the number of the bit in `discarded` for the page that contains an
   address. */
static UInt discard_filter_bit_index_of_page(Addr code_addr)
{
	ULong page = code_addr >> LOG_PAGE;

	return (page ^ page >> 15) & (FILTER - 1);
}

/* Whether a translation of code on the page of an address may have been
   discarded; False means that none was. */
static Bool may_page_have_discarded_translation(Addr code_addr)
{
	UInt page = discard_filter_bit_index_of_page(code_addr);

	return discarded[page / 64] >> page % 64 & 1;
}

void vt_known_note_code_pages_discarded(Addr unused_start,
					VexGuestExtents extents)
{
	UInt i, page;
	Addr address, end;

	for (i = 0; i < extents.n_used; i++) {
		end = extents.base[i] + extents.len[i];
		for (address = extents.base[i]; address < end;
		     address = (address | ((1 << LOG_PAGE) - 1)) + 1) {
			page = discard_filter_bit_index_of_page(address);
			discarded[page / 64] |= 1ULL << page % 64;
		}
	}
}

/* Return @hash with @byte_count bytes at @data mixed in; @byte_count is a
   multiple of 8. */
static ULong mix_words_into_hash(ULong hash, const void *data, UInt byte_count)
{
	const ULong *word = data;
	UInt i;

	for (i = 0; i < byte_count / 8; i++) {
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Return a pointer to the tail of a block's record, from n_instrs on. The tail
   does not depend on id and route. @tail_bytes: receives its size [bytes]. */
static const void *
code_block_record_tail_without_ids(const struct pt_log_block *b,
				   UInt *tail_bytes)
{
	const UInt from = offsetof(struct pt_log_block, n_instrs);

	_Static_assert(offsetof(struct pt_log_block, n_instrs) % 8 == 0,
		       "contents are hashed in words");
	*tail_bytes = b->head.bytes - from;
	return (const UChar *)b + from;
}

static Addr first_instr_address(const struct pt_log_block *b)
{
	return ((const struct pt_instr *)(b + 1))->addr;
}

/* Return a hash of a block's object file, address, numbers of instructions,
   accesses and exits, machine code and lanes record. The id, the route and the
   record of values are not hashed. */
static UInt hash_descriptor_code_and_lanes(const struct vt_descriptor *d)
{
	const struct pt_log_block *b = d->block;
	const UInt code = (b->n_code + 7) & ~7u;
	const ULong start = first_instr_address(b);
	ULong hash = d->object;

	hash = mix_words_into_hash(hash, &b->n_instrs, 8);
	hash = mix_words_into_hash(hash, &start, 8);
	hash = mix_words_into_hash(
		hash, (const UChar *)b + b->head.bytes - code, code);
	if (d->lanes != NULL)
		hash = mix_words_into_hash(hash, d->lanes,
					   d->lanes->head.bytes);
	return (UInt)(hash >> 16);
}

/* Whether @a and @b are records with equal bytes, or both NULL. */
static Bool are_records_equal_or_both_null(const struct pt_log_head *a,
					   const struct pt_log_head *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->bytes == b->bytes && VG_(memcmp)(a, b, a->bytes) == 0;
}

/* Whether two descriptions are equal except for id and route. */
static Bool are_descriptors_equal_except_ids(const struct vt_descriptor *a,
					     const struct vt_descriptor *b)
{
	UInt a_len, b_len;
	const void *a_contents =
		code_block_record_tail_without_ids(a->block, &a_len);
	const void *b_contents =
		code_block_record_tail_without_ids(b->block, &b_len);

	return a->object == b->object && a_len == b_len &&
	       VG_(memcmp)(a_contents, b_contents, a_len) == 0 &&
	       are_records_equal_or_both_null(
		       a->values ? &a->values->head : NULL,
		       b->values ? &b->values->head : NULL) &&
	       are_records_equal_or_both_null(a->lanes ? &a->lanes->head : NULL,
					      b->lanes ? &b->lanes->head
						       : NULL);
}

UInt vt_known_find_discarded_equal_or_none(const struct vt_descriptor *d)
{
	UInt hash, i;

	if (size == 0 ||
	    !may_page_have_discarded_translation(first_instr_address(d->block)))
		return VT_NO_DESCRIPTOR;
	hash = hash_descriptor_code_and_lanes(d);
	i = hash & (2 * size - 1);
	while (buckets[i].id != VT_NO_DESCRIPTOR &&
	       (buckets[i].hash != hash ||
		!are_descriptors_equal_except_ids(&known[buckets[i].id], d)))
		i = (i + 1) & (2 * size - 1);
	return buckets[i].id;
}

/* Insert @new_bucket, whose id is not in the hash table yet, into the first
   free bucket from its hash on. The table must have a free bucket. */
static void insert_in_first_free_bucket(struct bucket new_bucket)
{
	UInt i = new_bucket.hash & (2 * size - 1);

	while (buckets[i].id != VT_NO_DESCRIPTOR)
		i = (i + 1) & (2 * size - 1);
	buckets[i] = new_bucket;
}

static void clear_buckets(void)
{
	VG_(memset)(buckets, 0xff, 2 * size * sizeof(*buckets));
}

/* Double the capacity of `known` and `buckets`, or set it to MIN_SIZE if it is
   0, and insert the ids into the new buckets. */
static void double_known_and_buckets_and_rehash(void)
{
	struct bucket *old = buckets;
	UInt i, old_size = size;

	size = size ? 2 * size : MIN_SIZE;
	known = VG_(realloc)("vt.known", known, size * sizeof(*known));
	buckets = VG_(malloc)("vt.known", 2 * size * sizeof(*buckets));
	clear_buckets();
	for (i = 0; i < 2 * old_size; i++)
		if (old[i].id != VT_NO_DESCRIPTOR)
			insert_in_first_free_bucket(old[i]);
	VG_(free)(old);
}

void vt_known_clear_descriptor_search_index(void)
{
	if (size > 0)
		clear_buckets();
}

/* Return an allocated copy of @r, and add its size to known_bytes; return NULL
   if @r is NULL. */
static void *allocate_record_copy_and_add_bytes(const struct pt_log_head *r)
{
	void *copy;

	if (r == NULL)
		return NULL;
	copy = VG_(malloc)("vt.known.record", r->bytes);
	VG_(memcpy)(copy, r, r->bytes);
	known_bytes += r->bytes;
	return copy;
}

const struct pt_log_block *
vt_known_add_descriptor_copy(const struct vt_descriptor *d)
{
	if (n_known == size)
		double_known_and_buckets_and_rehash();
	known[n_known] = (struct vt_descriptor){
		.block = allocate_record_copy_and_add_bytes(&d->block->head),
		.values = allocate_record_copy_and_add_bytes(
			d->values ? &d->values->head : NULL),
		.lanes = allocate_record_copy_and_add_bytes(
			d->lanes ? &d->lanes->head : NULL),
		.object = d->object,
	};
	insert_in_first_free_bucket((struct bucket){
		hash_descriptor_code_and_lanes(&known[n_known]), n_known});
	return known[n_known++].block;
}

const struct vt_descriptor *vt_known_descriptor_by_id(UInt existing_id)
{
	return &known[existing_id];
}

UInt vt_known_n_descriptors(void)
{
	return n_known;
}

ULong vt_known_descriptor_bytes(void)
{
	return known_bytes;
}
