/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elements.c - stores the elements that live; see elements.h */

#include "vgtool/heap/elements.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_oset.h>

#include "vgtool/transport/ring.h"

/* An element in the set, and its place in the list of its pool. */
struct node {
	struct vt_element element;
	struct node *previous, *next;
};

/* A memory pool that the program has announced, with the list of its elements.
   The first two members are those of a node of Valgrind's hash table. */
struct pool {
	struct pool *next_in_table;
	UWord addr;
	struct node *first; /* newest element of the pool; NULL: the pool has
			       none */
};

static OSet *elements;	   /* elements that live: struct node, sorted by
			      address */
static VgHashTable *pools; /* of struct pool; pools are never removed */

/* Return the pool with address @addr, which is added if it is new. */
static struct pool *find_or_add_pool(Addr addr)
{
	struct pool *p;

	if (pools == NULL)
		pools = VG_(HT_construct)("vt.heap.pools");
	p = VG_(HT_lookup)(pools, addr);
	if (p == NULL) {
		p = VG_(calloc)("vt.heap.pools", 1, sizeof(*p));
		p->addr = addr;
		VG_(HT_add_node)(pools, p);
	}
	return p;
}

static void add_to_element_list_of_pool(struct node *n)
{
	struct pool *p = find_or_add_pool(n->element.pool);

	n->previous = NULL;
	n->next = p->first;
	if (p->first != NULL)
		p->first->previous = n;
	p->first = n;
}

static void remove_from_element_list_of_pool(struct node *n)
{
	if (n->previous != NULL)
		n->previous->next = n->next;
	else
		find_or_add_pool(n->element.pool)->first = n->next;
	if (n->next != NULL)
		n->next->previous = n->previous;
}

Bool vt_elements_is_element_start(Addr addr)
{
	return elements != NULL && VG_(OSetGen_Contains)(elements, &addr);
}

Bool vt_elements_remove(Addr addr, struct vt_element *removed)
{
	struct node *n = elements ? VG_(OSetGen_Remove)(elements, &addr) : NULL;

	if (n == NULL)
		return False;
	*removed = n->element;
	if (n->element.is_of_pool)
		remove_from_element_list_of_pool(n);
	VG_(OSetGen_FreeNode)(elements, n);
	return True;
}

const struct vt_element *vt_elements_find_first_from(Addr addr)
{
	if (elements == NULL || VG_(OSetGen_Size)(elements) == 0)
		return NULL;
	VG_(OSetGen_ResetIterAt)(elements, &addr);
	return VG_(OSetGen_Next)(elements);
}

const struct vt_element *vt_elements_find_newest_of_pool(Addr pool)
{
	const struct pool *p = pools ? VG_(HT_lookup)(pools, pool) : NULL;

	return p != NULL && p->first != NULL ? &p->first->element : NULL;
}

const struct vt_element *
vt_elements_find_next_of_pool(const struct vt_element *e)
{
	const struct node *next = ((const struct node *)e)->next;

	return next != NULL ? &next->element : NULL;
}

void vt_elements_move_all_to_pool(Addr from_pool, Addr to_pool)
{
	struct node *n;

	while (from_pool != to_pool &&
	       vt_elements_find_newest_of_pool(from_pool) != NULL) {
		n = find_or_add_pool(from_pool)->first;
		remove_from_element_list_of_pool(n);
		n->element.pool = to_pool;
		add_to_element_list_of_pool(n);
	}
}

void vt_elements_remove_blocks_in_range(Addr start, SizeT size)
{
	const struct vt_element *e = vt_elements_find_first_from(start);
	struct vt_element removed;

	while (e != NULL && e->addr - start < size) {
		vt_elements_remove(e->addr, &removed);
		e = vt_elements_find_first_from(start);
	}
}

void vt_elements_add_copy_remove_in_its_range(const struct vt_element *e)
{
	struct node *new;

	if (elements == NULL)
		elements = VG_(OSetGen_Create)(
			offsetof(struct node, element.addr), NULL, VG_(malloc),
			"vt.heap.elements", VG_(free));
	vt_elements_remove_blocks_in_range(e->addr, e->bytes ? e->bytes : 1);
	new = VG_(OSetGen_AllocNode)(elements, sizeof(*new));
	*new = (struct node){.element = *e};
	VG_(OSetGen_Insert)(elements, new);
	if (e->is_of_pool)
		add_to_element_list_of_pool(new);
}

UInt vt_elements_fill_birth_words(const struct vt_element *e,
				  SizeT array_element_bytes, ULong word[4])
{
	word[0] = e->addr;
	word[1] = e->bytes;
	word[2] = array_element_bytes;
	word[3] = e->is_of_pool;
	return 4;
}

void vt_elements_write_all_births(void)
{
	const struct vt_element *e = vt_elements_find_first_from(0);
	ULong word[4];
	UInt n;

	while (e != NULL) {
		n = vt_elements_fill_birth_words(e, 0, word);
		vt_ring_write_control_unit_when_room(PT_ELEMENT_BORN, e->site,
						     word, n);
		e = vt_elements_find_first_from(e->addr + 1);
	}
}
