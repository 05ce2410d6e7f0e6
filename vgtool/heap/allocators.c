/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocators.c - finds allocator functions; see allocators.h */

#include "vgtool/heap/allocators.h"

#include <pub_tool_hashtable.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/text_unit.h"
#include "vgtool/window/functions.h"

enum { MAX_NAMED = 1024 /* [bytes] of "NAME [OBJECT FILE]" with its NUL */ };

/* Node of the hash table of allocator functions; the key is the address of the
   first instruction. The first two members are those of Valgrind's hash
   node. */
struct entry {
	struct entry *next;
	UWord pc;
	const struct vt_allocator *function;
	UInt code_bytes; /* 0: unknown */
};

static VgHashTable *entries;

static struct vt_allocator *users; /* [n_users] allocator functions that the
				      user has named */
static UInt n_users;

/* State of an allocator function that the user has named. */
struct search {
	Bool is_found;	 /* an object file that was mapped has it */
	Bool is_written; /* a unit with this state was written */
};

static struct search *searches; /* [n_users] */

static Bool has_no_standard; /* only the user's functions are allocators */

void vt_allocators_init_from_users_list(const struct pt_allocators *list)
{
	const struct pt_allocator *f = (const void *)(list + 1);
	const HChar *strings = (const HChar *)(f + list->n);
	UInt i;

	has_no_standard = (list->flags & PT_NO_STANDARD_ALLOCATORS) != 0;
	users = VG_(calloc)("vt.heap", list->n + 1, sizeof(*users));
	searches = VG_(calloc)("vt.heap", list->n + 1, sizeof(*searches));
	for (i = 0; i < list->n; i++)
		if (f[i].name < list->string_bytes &&
		    f[i].image < list->string_bytes &&
		    f[i].kind < PT_ALLOCATOR_KINDS)
			users[n_users++] = (struct vt_allocator){
				.name = strings + f[i].name,
				.kind = f[i].kind,
				.pointer = f[i].pointer,
				.size = f[i].size,
				.count = f[i].count,
				.is_users = True,
				.bytes = f[i].bytes,
				.image = strings + f[i].image};
}

/* Whether the user's function @f can be in the object file @path: the user gave
   no file for @f, or this one. */
static Bool can_be_in_object_file(const struct vt_allocator *f,
				  const HChar *path)
{
	if (f->image[0] == 0)
		return True;
	return vt_functions_does_path_match_image(
		path,
		VG_(strchr)(f->image, '/') ? PT_IMAGE_PATH : PT_IMAGE_NAME,
		f->image);
}

/* Set `is_found` of a function that the user has named, if it is not set; a
   unit with the new state is then due. */
static void set_user_function_found(UInt user_function_index)
{
	if (searches[user_function_index].is_found)
		return;
	searches[user_function_index].is_found = True;
	searches[user_function_index].is_written = False;
}

/* Mark the user's functions that symbol @symbol of the object file @path names
   as found. Return: the first of them; NULL if it names none. */
static const struct vt_allocator *
mark_users_allocators_found_return_first(const HChar *symbol, const HChar *path)
{
	const struct vt_allocator *first = NULL;
	UInt i;

	for (i = 0; i < n_users; i++) {
		if (!vt_functions_is_symbol_named(symbol, users[i].name) ||
		    !can_be_in_object_file(&users[i], path))
			continue;
		set_user_function_found(i);
		if (first == NULL)
			first = &users[i];
	}
	return first;
}

/* Return the allocator function that symbol @symbol of the object file @path
   names: one of the user's before a standard one; NULL if it names none. */
static const struct vt_allocator *find_allocator_by_symbol(const HChar *symbol,
							   const HChar *path)
{
	const struct vt_allocator *f =
		mark_users_allocators_found_return_first(symbol, path);

	return f != NULL || has_no_standard
		       ? f
		       : vt_allocators_find_standard_by_symbol(symbol);
}

/* Whether @a is preferred to @b, another function at the same address: the
   user's come first, then those that come earlier in the user's list or in the
   lists of allocator_names.c. */
static Bool is_users_or_earlier_listed_allocator(const struct vt_allocator *a,
						 const struct vt_allocator *b)
{
	if (a->is_users != b->is_users)
		return a->is_users;
	return a->is_users ? a < b
			   : vt_allocators_is_before_in_standard_list(a, b);
}

/* Add an entry for @function at @function_entry, with @code_bytes of code. If
   there is an entry, replace its function if @function is preferred. */
static void
add_entry_or_replace_if_preferred(Addr function_entry, UInt code_bytes,
				  const struct vt_allocator *function)
{
	struct entry *e = VG_(HT_lookup)(entries, function_entry);

	if (e == NULL) {
		e = VG_(malloc)("vt.heap", sizeof(*e));
		*e = (struct entry){.pc = function_entry,
				    .function = function,
				    .code_bytes = code_bytes};
		VG_(HT_add_node)(entries, e);
	} else if (is_users_or_earlier_listed_allocator(function,
							e->function)) {
		e->function = function;
	}
}

/* Add an entry for symbol number @symbol_index of object @di if it is a
   function and one of its names is that of an allocator function. */
static void add_symbol_if_allocator(const DebugInfo *di, Int symbol_index)
{
	const HChar *path = VG_(DebugInfo_get_filename)(di);
	const HChar *primary, **secondary;
	const struct vt_allocator *f;
	struct vt_symbol_address address;
	Bool is_text, is_ifunc, is_global;
	UInt size;

	VG_(DebugInfo_syms_getidx)
	(di, symbol_index, &address, &size, &primary, &secondary, &is_text,
	 &is_ifunc, &is_global);
	if (!is_text || is_ifunc)
		return;
	f = find_allocator_by_symbol(primary, path);
	if (f != NULL)
		add_entry_or_replace_if_preferred(address.main, size, f);
	for (; secondary != NULL && *secondary != NULL; secondary++) {
		f = find_allocator_by_symbol(*secondary, path);
		if (f != NULL)
			add_entry_or_replace_if_preferred(address.main, size,
							  f);
	}
}

void vt_allocators_add_from_object(const DebugInfo *di)
{
	Int i, n = VG_(DebugInfo_syms_howmany)(di);

	if (entries == NULL)
		entries = VG_(HT_construct)("vt.heap");
	for (i = 0; i < n; i++)
		add_symbol_if_allocator(di, i);
}

/* ---- functions that the user names ---- */

static void write_ring_unit_of_user_named_allocator(UInt users_index)
{
	const struct vt_allocator *f = &users[users_index];
	const ULong is_found = searches[users_index].is_found;
	HChar text[MAX_NAMED];

	VG_(snprintf)
	(text, sizeof(text), f->image[0] != 0 ? "%s [%s]" : "%s", f->name,
	 f->image);
	vt_text_unit_write_when_room(PT_NAMED_ALLOCATOR, users_index + 1,
				     &is_found, 1, text);
	searches[users_index].is_written = True;
}

void vt_allocators_write_changed_user_named(void)
{
	UInt i;

	for (i = 0; i < n_users; i++)
		if (!searches[i].is_written)
			write_ring_unit_of_user_named_allocator(i);
}

void vt_allocators_write_all_user_named(void)
{
	UInt i;

	for (i = 0; i < n_users; i++)
		write_ring_unit_of_user_named_allocator(i);
}

void vt_allocators_remove_in_range(Addr start, SizeT size)
{
	struct entry **all, *e;
	UInt i, n;

	if (entries == NULL)
		return;
	all = (struct entry **)VG_(HT_to_array)(entries, &n);
	for (i = 0; i < n; i++) {
		if (all[i]->pc - start >= size)
			continue;
		e = VG_(HT_remove)(entries, all[i]->pc);
		VG_(free)(e);
	}
	VG_(free)(all);
}

UInt vt_allocators_count_in_range(Addr start, SizeT size)
{
	const struct entry *e;
	UInt n = 0;

	if (entries == NULL)
		return 0;
	VG_(HT_ResetIter)(entries);
	while ((e = VG_(HT_Next)(entries)) != NULL)
		n += e->pc - start < size;
	return n;
}

Bool vt_allocators_has_only_user_named(void)
{
	return has_no_standard;
}

const struct vt_allocator *vt_allocators_find_by_entry(Addr pc)
{
	struct entry *e = entries ? VG_(HT_lookup)(entries, pc) : NULL;

	return e != NULL ? e->function : NULL;
}

UInt vt_allocators_get_code_bytes(Addr entry)
{
	const struct entry *e = entries ? VG_(HT_lookup)(entries, entry) : NULL;

	return e != NULL ? e->code_bytes : 0;
}
