/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_blocks.c - stores the heap blocks that live; see live_blocks.h */

#include "vgtool/heap/live_blocks.h"

#include "vgtool/transport/ring.h"

enum {
	FIRST_BUCKETS = 1024, /* a power of two */
	SITE_BITS = 21,	      /* bits of a site's number, which is at most
				 2^20 */
};

struct block {
	Addr addr;	 /* address of a heap block; 0: the bucket is empty */
	ULong size_site; /* size << SITE_BITS | site; sizes are cut to 43
			    bits */
};

static struct block *blocks; /* [n_buckets] open hash table of the heap blocks
				that live */
static SizeT n_buckets, n_blocks;

/* Return the index of the bucket at which the search for @addr begins. */
static SizeT home_bucket_of_address(Addr addr)
{
	return (addr * 0x9e3779b97f4a7c15ULL >> 20) & (n_buckets - 1);
}

/* Return the index of the bucket of the block at @addr; if there is no such
   block, that of the empty bucket where it belongs. */
static SizeT find_bucket_of_block_or_empty(Addr addr)
{
	SizeT i = home_bucket_of_address(addr);

	while (blocks[i].addr != 0 && blocks[i].addr != addr)
		i = (i + 1) & (n_buckets - 1);
	return i;
}

/* Double the table, or allocate it, if one more block would fill more than
   three quarters of it. */
static void grow_table_if_three_quarters_full(void)
{
	struct block *old = blocks;
	SizeT i, n_old = n_buckets;

	if (4 * (n_blocks + 1) <= 3 * n_buckets)
		return;
	n_buckets = n_buckets ? 2 * n_buckets : FIRST_BUCKETS;
	blocks = VG_(calloc)("vt.heap.live", n_buckets, sizeof(*blocks));
	for (i = 0; i < n_old; i++)
		if (old[i].addr != 0)
			blocks[find_bucket_of_block_or_empty(old[i].addr)] =
				old[i];
	VG_(free)(old);
}

void vt_live_add_or_replace_block(Addr addr, SizeT bytes, UInt site)
{
	SizeT i;

	if (addr == 0)
		return;
	grow_table_if_three_quarters_full();
	i = find_bucket_of_block_or_empty(addr);
	n_blocks += blocks[i].addr == 0;
	blocks[i] = (struct block){addr, (ULong)bytes << SITE_BITS | site};
}

Bool vt_live_has_block(Addr addr)
{
	return n_blocks > 0 &&
	       blocks[find_bucket_of_block_or_empty(addr)].addr == addr;
}

Bool vt_live_find_last_block_up_to(Addr addr, Addr *start, Addr *last)
{
	const struct block *found = NULL;
	SizeT i;

	for (i = 0; i < n_buckets; i++)
		if (blocks[i].addr != 0 && blocks[i].addr <= addr &&
		    (found == NULL || found->addr < blocks[i].addr))
			found = &blocks[i];
	if (found == NULL)
		return False;
	*start = found->addr;
	*last = found->addr + VG_MAX(found->size_site >> SITE_BITS, 1) - 1;
	return True;
}

/* Empty bucket @bucket_index, and move later blocks into the gap so that each
   can still be found by a search from its home bucket without an empty bucket
   in between. */
static void empty_bucket_and_shift_followers(SizeT bucket_index)
{
	SizeT mask = n_buckets - 1, k = bucket_index;

	for (;;) {
		k = (k + 1) & mask;
		if (blocks[k].addr == 0)
			break;
		if (((k - home_bucket_of_address(blocks[k].addr)) & mask) <
		    ((k - bucket_index) & mask))
			continue;
		blocks[bucket_index] = blocks[k];
		bucket_index = k;
	}
	blocks[bucket_index].addr = 0;
}

Bool vt_live_remove_block(Addr addr, struct vt_live_block *removed)
{
	SizeT i;

	if (n_blocks == 0 || addr == 0)
		return False;
	i = find_bucket_of_block_or_empty(addr);
	if (blocks[i].addr == 0)
		return False;
	*removed = (struct vt_live_block){
		.bytes = blocks[i].size_site >> SITE_BITS,
		.site = blocks[i].size_site & ((1u << SITE_BITS) - 1)};
	empty_bucket_and_shift_followers(i);
	n_blocks--;
	return True;
}

void vt_live_write_births_of_all_blocks(void)
{
	SizeT i;

	for (i = 0; i < n_buckets; i++) {
		ULong word[2] = {blocks[i].addr,
				 blocks[i].size_site >> SITE_BITS};
		UInt site = blocks[i].size_site & ((1u << SITE_BITS) - 1);

		if (word[0] != 0)
			vt_ring_write_control_unit_when_room(PT_BORN, site,
							     word, 2);
	}
}
