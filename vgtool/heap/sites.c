/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.c - numbers the call stacks of allocations; see sites.h */

#include "vgtool/heap/sites.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_machine.h>

#include "vgtool/core/message.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/unwind.h"
#include "vgtool/transport/ring.h"

enum {
	DEPTH = 12, /* frames that are recorded: the callers of the
				 allocator function */
	MAX_SITES = 1 << 20,
	FIRST_BUCKETS = 1024, /* a power of two */
};

struct site {
	UInt number;	      /* from 1; 0: the bucket is empty */
	UInt n;		      /* number of elements of addr[] that are used */
	Bool is_unmapped;     /* code at one of the addresses was unmapped */
	Addr addr[1 + DEPTH]; /* entry of the function, or address after a
				 client request or system call, then return
				 addresses */
};

static struct site *sites; /* [n_buckets] open hash table of the call stacks of
			      allocations */
static UInt n_buckets, n_sites;

static ULong hash_site_addresses(const struct site *s)
{
	ULong h = s->n;
	UInt i;

	for (i = 0; i < s->n; i++)
		h = (h ^ s->addr[i]) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

/* Whether two sites (call stacks of allocations) are one: they have the same
   addresses, and code at none of these was unmapped since either site was
   recorded, so that no other code can have been mapped there. The code itself
   is not compared. */
static Bool is_same_allocation_site_none_unmapped(const struct site *a,
						  const struct site *b)
{
	UInt i;

	if (a->n != b->n || a->is_unmapped || b->is_unmapped)
		return False;
	for (i = 0; i < a->n; i++)
		if (a->addr[i] != b->addr[i])
			return False;
	return True;
}

/* Return the bucket of the site that has the same addresses as @like, and of
   which no code was unmapped; if there is none, the empty bucket where @like
   belongs. */
static struct site *find_bucket_of_site_or_empty(const struct site *like)
{
	ULong i = hash_site_addresses(like) & (n_buckets - 1);

	while (sites[i].number != 0 &&
	       !is_same_allocation_site_none_unmapped(&sites[i], like))
		i = (i + 1) & (n_buckets - 1);
	return &sites[i];
}

/* Double the table of sites, or allocate it, if at least half of its buckets
   are in use. */
static void grow_table_if_half_full(void)
{
	struct site *old = sites;
	UInt i, n_old = n_buckets;

	if (2 * n_sites < n_buckets)
		return;
	n_buckets = n_buckets ? 2 * n_buckets : FIRST_BUCKETS;
	sites = VG_(calloc)("vt.heap.sites", n_buckets, sizeof(*sites));
	for (i = 0; i < n_old; i++)
		if (old[i].number != 0)
			*find_bucket_of_site_or_empty(&old[i]) = old[i];
	VG_(free)(old);
}

void vt_sites_mark_unmapped(Addr start, SizeT size)
{
	UInt i, k;

	for (i = 0; i < n_buckets; i++)
		for (k = 0; sites[i].number != 0 && k < sites[i].n; k++)
			if (sites[i].addr[k] - start < size)
				sites[i].is_unmapped = True;
}

/* Fill in @word with the words of the PT_SITE unit of site @s. The addresses
   are 0 if code at one of them was unmapped, as can be for a site that a forked
   child has inherited and writes again. Return: the number of words. */
static UInt fill_words_of_site_unit(const struct site *s, ULong *word)
{
	UInt i;

	word[0] = vt_ring_n_logged_bytes();
	for (i = 0; i < s->n; i++)
		word[1 + i] = s->is_unmapped ? 0 : s->addr[i];
	return 1 + s->n;
}

/* Write the PT_SITE unit of site @s without waiting; if the ring has no room,
   the unit is counted as skipped. */
static void write_site_unit_or_skip_if_no_room(const struct site *s)
{
	ULong word[2 + DEPTH];
	UInt n = fill_words_of_site_unit(s, word);

	vt_ring_write_or_skip_control_unit(PT_SITE, s->number, word, n);
}

void vt_sites_write_all_in_forked_child(void)
{
	const struct site **by_number;
	ULong word[2 + DEPTH];
	UInt i;

	if (n_sites == 0)
		return;
	by_number = VG_(malloc)("vt.heap.sites", n_sites * sizeof(*by_number));
	for (i = 0; i < n_buckets; i++)
		if (sites[i].number != 0)
			by_number[sites[i].number - 1] = &sites[i];
	for (i = 0; i < n_sites; i++) {
		UInt n = fill_words_of_site_unit(by_number[i], word);

		vt_ring_write_control_unit_when_room(PT_SITE, i + 1, word, n);
	}
	VG_(free)(by_number);
}

/* Fill in @s, except its number, with the addresses: @function_entry, the next
   instruction of thread @tid (the first one of a function that it is calling,
   or its program counter), then the return addresses of the call stack,
   innermost first, at most DEPTH. */
static void fill_site_from_call_stack(struct site *s, ThreadId tid,
				      Addr function_entry)
{
	s->is_unmapped = False;
	s->addr[0] = function_entry;
	s->n = 1 + vt_unwind_stack(tid, function_entry, s->addr + 1, DEPTH);
}

static void report_too_many_allocation_sites_once(void)
{
	static Bool is_reported;

	if (!is_reported)
		vt_message_print("more than 1,048,576 allocation sites: heap "
				 "blocks of further ones have no site");
	is_reported = True;
}

/* Return the number of the site with the addresses of @like, which is added and
   written if it is new; 0 if there are too many sites. */
static UInt find_or_add_and_write_site(const struct site *like)
{
	struct site *s;

	grow_table_if_half_full();
	s = find_bucket_of_site_or_empty(like);
	if (s->number == 0 && n_sites == MAX_SITES)
		report_too_many_allocation_sites_once();
	if (s->number != 0 || n_sites == MAX_SITES)
		return s->number;
	*s = *like;
	s->number = ++n_sites;
	write_site_unit_or_skip_if_no_room(s);
	return s->number;
}

UInt vt_sites_find_or_add_and_write_unit(ThreadId tid, Addr function_entry)
{
	struct site like;

	fill_site_from_call_stack(&like, tid, function_entry);
	return find_or_add_and_write_site(&like);
}

/* Remove the callers of @s that are inside of the frame with return address
   @return_addr, so that @return_addr is the innermost caller. If there is no
   such frame, replace all callers by @return_addr. */
static void remove_callers_inside_frame(struct site *s, Addr return_addr)
{
	UInt first = 1;

	while (first < s->n && s->addr[first] != return_addr)
		first++;
	if (first == s->n) {
		s->addr[1] = return_addr;
		s->n = 2;
		return;
	}
	VG_(memmove)
	(&s->addr[1], &s->addr[first], (s->n - first) * sizeof(*s->addr));
	s->n -= first - 1;
}

UInt vt_sites_find_or_add_in_function(ThreadId tid, Addr function_entry,
				      Addr return_addr)
{
	struct site like;

	fill_site_from_call_stack(&like, tid, VG_(get_IP)(tid));
	like.addr[0] = function_entry;
	remove_callers_inside_frame(&like, return_addr);
	return find_or_add_and_write_site(&like);
}

static Bool are_in_one_object_file(Addr a, Addr b)
{
	DiEpoch now = VG_(current_DiEpoch)();

	return VG_(find_DebugInfo)(now, a) == VG_(find_DebugInfo)(now, b);
}

/* Insert @addr as the innermost return address; if @s is full, the outermost
   one is removed. */
static void insert_innermost_return_address(struct site *s, Addr addr)
{
	if (s->n < 1 + DEPTH)
		s->n++;
	VG_(memmove)
	(&s->addr[2], &s->addr[1], (s->n - 2) * sizeof(*s->addr));
	s->addr[1] = addr;
}

UInt vt_sites_find_or_add_request_call_stack(ThreadId tid)
{
	Addr pc = VG_(get_IP)(tid); /* the instruction after the request */
	struct site like;

	fill_site_from_call_stack(&like, tid, pc);
	if (like.n == 1 || !are_in_one_object_file(pc, like.addr[1]))
		insert_innermost_return_address(&like, pc);
	return find_or_add_and_write_site(&like);
}
