/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocators.c - finds allocator functions; see allocators.h */

#include "vgtool/heap/allocators.h"

#include <pub_tool_hashtable.h>

#include "vgtool/core/valgrind_core.h"

/* Functions whose symbols may begin with any of `prefixes`. If several names
   have the same address, the one that comes first here is used. */
static const struct vt_allocator prefixed[] = {
	{"malloc", VT_ALLOCATES, .size = 0},
	{"calloc", VT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"realloc", VT_RESIZES, .pointer = 0, .size = 1},
	{"reallocarray", VT_RESIZES_ARRAY, .pointer = 0, .count = 1, .size = 2},
	{"free", VT_FREES, .pointer = 0},
	{"memalign", VT_ALLOCATES, .size = 1},
	{"aligned_alloc", VT_ALLOCATES, .size = 1},
	{"posix_memalign", VT_ALLOCATES_OUT, .pointer = 0, .size = 2},
	{"valloc", VT_ALLOCATES, .size = 0},
	{"pvalloc", VT_ALLOCATES, .size = 0},
	{"cfree", VT_FREES, .pointer = 0},
	{"vfree", VT_FREES, .pointer = 0},
	{"free_sized", VT_FREES, .pointer = 0},
	{"free_aligned_sized", VT_FREES, .pointer = 0},
	{"mallocx", VT_ALLOCATES, .size = 0},
	{"rallocx", VT_RESIZES, .pointer = 0, .size = 1},
	{"dallocx", VT_FREES, .pointer = 0},
	{"sdallocx", VT_FREES, .pointer = 0},
};

static const HChar *const prefixes[] = {
	"", "__libc_", "__minimal_", "je_", "mi_", "tc_", "rte_",
};

/* Functions whose symbols have no prefix. The operators new that construct an
   object at a given address allocate nothing and are not listed. */
static const struct vt_allocator exact[] = {
	{"_Znwm", VT_ALLOCATES, .size = 0},
	{"_Znam", VT_ALLOCATES, .size = 0},
	{"_ZnwmRKSt9nothrow_t", VT_ALLOCATES, .size = 0},
	{"_ZnamRKSt9nothrow_t", VT_ALLOCATES, .size = 0},
	{"_ZnwmSt11align_val_t", VT_ALLOCATES, .size = 0},
	{"_ZnamSt11align_val_t", VT_ALLOCATES, .size = 0},
	{"_ZnwmSt11align_val_tRKSt9nothrow_t", VT_ALLOCATES, .size = 0},
	{"_ZnamSt11align_val_tRKSt9nothrow_t", VT_ALLOCATES, .size = 0},
	{"_ZdlPv", VT_FREES, .pointer = 0},
	{"_ZdaPv", VT_FREES, .pointer = 0},
	{"_ZdlPvm", VT_FREES, .pointer = 0},
	{"_ZdaPvm", VT_FREES, .pointer = 0},
	{"_ZdlPvSt11align_val_t", VT_FREES, .pointer = 0},
	{"_ZdaPvSt11align_val_t", VT_FREES, .pointer = 0},
	{"_ZdlPvmSt11align_val_t", VT_FREES, .pointer = 0},
	{"_ZdaPvmSt11align_val_t", VT_FREES, .pointer = 0},
	{"_ZdlPvRKSt9nothrow_t", VT_FREES, .pointer = 0},
	{"_ZdaPvRKSt9nothrow_t", VT_FREES, .pointer = 0},
	{"_ZdlPvSt11align_val_tRKSt9nothrow_t", VT_FREES, .pointer = 0},
	{"_ZdaPvSt11align_val_tRKSt9nothrow_t", VT_FREES, .pointer = 0},
	{"mi_zalloc", VT_ALLOCATES, .size = 0},
	{"mi_malloc_aligned", VT_ALLOCATES, .size = 0},
	{"mi_free_size", VT_FREES, .pointer = 0},
	{"mi_free_size_aligned", VT_FREES, .pointer = 0},
	{"mi_free_aligned", VT_FREES, .pointer = 0},
};

/* The entry of a function. The first two members are those of Valgrind's hash
   table. */
struct entry {
	struct entry *next;
	UWord pc;
	const struct vt_allocator *function;
};

static VgHashTable *entries;

/* Whether the linker's symbol @symbol is @name, with or without a version, as
   in "malloc@@GLIBC_2.2.5". */
static Bool is_symbol_equal_ignoring_version(const HChar *symbol,
					     const HChar *name)
{
	UInt n = VG_(strlen)(name);

	return VG_(strncmp)(symbol, name, n) == 0 &&
	       (symbol[n] == 0 || symbol[n] == '@');
}

/* Return the element of @list, an array of @list_length elements, whose name is
   @symbol without its version; NULL if there is none. */
static const struct vt_allocator *
find_allocator_in_list(const struct vt_allocator *list, UInt list_length,
		       const HChar *symbol)
{
	UInt i;

	for (i = 0; i < list_length; i++)
		if (list[i].name[0] == symbol[0] &&
		    is_symbol_equal_ignoring_version(symbol, list[i].name))
			return &list[i];
	return NULL;
}

/* Return the allocator function that the linker's symbol @symbol names, with or
   without one of `prefixes`; NULL if it names none. */
static const struct vt_allocator *find_allocator_by_symbol(const HChar *symbol)
{
	const struct vt_allocator *f = find_allocator_in_list(
		exact, sizeof(exact) / sizeof(*exact), symbol);
	UInt i, length;

	for (i = 0; f == NULL && i < sizeof(prefixes) / sizeof(*prefixes);
	     i++) {
		length = VG_(strlen)(prefixes[i]);
		if (VG_(strncmp)(symbol, prefixes[i], length) == 0)
			f = find_allocator_in_list(
				prefixed, sizeof(prefixed) / sizeof(*prefixed),
				symbol + length);
	}
	return f;
}

/* Add an entry for @function at @function_entry. If there is an entry, replace
   its function if @function comes earlier in the table. */
static void
add_entry_prefer_earlier_in_table(Addr function_entry,
				  const struct vt_allocator *function)
{
	struct entry *e = VG_(HT_lookup)(entries, function_entry);

	if (e == NULL) {
		e = VG_(malloc)("vt.heap", sizeof(*e));
		*e = (struct entry){.pc = function_entry, .function = function};
		VG_(HT_add_node)(entries, e);
	} else if (function < e->function) {
		e->function = function;
	}
}

/* Add an entry for symbol number @symbol_index of object @di if it is a
   function and one of its names is that of an allocator function. */
static void add_symbol_if_allocator(const DebugInfo *di, Int symbol_index)
{
	const HChar *primary, **secondary;
	const struct vt_allocator *f;
	struct vt_symbol_address at;
	Bool is_text, is_ifunc, is_global;
	UInt size;

	VG_(DebugInfo_syms_getidx)
	(di, symbol_index, &at, &size, &primary, &secondary, &is_text,
	 &is_ifunc, &is_global);
	if (!is_text || is_ifunc)
		return;
	f = find_allocator_by_symbol(primary);
	if (f != NULL)
		add_entry_prefer_earlier_in_table(at.main, f);
	for (; secondary != NULL && *secondary != NULL; secondary++) {
		f = find_allocator_by_symbol(*secondary);
		if (f != NULL)
			add_entry_prefer_earlier_in_table(at.main, f);
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

const struct vt_allocator *vt_allocators_find_by_entry(Addr pc)
{
	struct entry *e = entries ? VG_(HT_lookup)(entries, pc) : NULL;

	return e != NULL ? e->function : NULL;
}
