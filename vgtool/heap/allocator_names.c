/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_names.c - lists the standard allocator functions by name; see
 * allocators.h
 *
 * These are the malloc family, with the prefixes of common allocators, C++'s
 * operators new and delete, and those functions that mimalloc and DPDK have
 * beside these.
 */

#include "vgtool/heap/allocators.h"

/* Functions whose symbols may begin with any of `prefixes`. */
static const struct vt_allocator prefixed[] = {
	{"malloc", PT_ALLOCATES, .size = 0},
	{"calloc", PT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"realloc", PT_RESIZES, .pointer = 0, .size = 1},
	{"reallocarray", PT_RESIZES_ARRAY, .pointer = 0, .count = 1, .size = 2},
	{"free", PT_FREES, .pointer = 0},
	{"memalign", PT_ALLOCATES, .size = 1},
	{"aligned_alloc", PT_ALLOCATES, .size = 1},
	{"posix_memalign", PT_ALLOCATES_OUT, .pointer = 0, .size = 2},
	{"valloc", PT_ALLOCATES, .size = 0},
	{"pvalloc", PT_ALLOCATES, .size = 0, .rounds_to_pages = True},
	{"cfree", PT_FREES, .pointer = 0},
	{"vfree", PT_FREES, .pointer = 0},
	{"free_sized", PT_FREES, .pointer = 0},
	{"free_aligned_sized", PT_FREES, .pointer = 0},
	{"mallocx", PT_ALLOCATES, .size = 0},
	{"rallocx", PT_RESIZES, .pointer = 0, .size = 1},
	{"xallocx", PT_RESIZES, .pointer = 0, .returns_size = True},
	{"dallocx", PT_FREES, .pointer = 0},
	{"sdallocx", PT_FREES, .pointer = 0},
};

static const HChar *const prefixes[] = {
	"__libc_", "__minimal_", "je_", "mi_", "tc_",
};

/* C++'s operators new and delete. Those that construct an object at a given
   address allocate nothing and are not listed. */
static const struct vt_allocator operators[] = {
	{"_Znwm", PT_ALLOCATES, .size = 0},
	{"_Znam", PT_ALLOCATES, .size = 0},
	{"_ZnwmRKSt9nothrow_t", PT_ALLOCATES, .size = 0},
	{"_ZnamRKSt9nothrow_t", PT_ALLOCATES, .size = 0},
	{"_ZnwmSt11align_val_t", PT_ALLOCATES, .size = 0},
	{"_ZnamSt11align_val_t", PT_ALLOCATES, .size = 0},
	{"_ZnwmSt11align_val_tRKSt9nothrow_t", PT_ALLOCATES, .size = 0},
	{"_ZnamSt11align_val_tRKSt9nothrow_t", PT_ALLOCATES, .size = 0},
	{"_ZdlPv", PT_FREES, .pointer = 0},
	{"_ZdaPv", PT_FREES, .pointer = 0},
	{"_ZdlPvm", PT_FREES, .pointer = 0},
	{"_ZdaPvm", PT_FREES, .pointer = 0},
	{"_ZdlPvSt11align_val_t", PT_FREES, .pointer = 0},
	{"_ZdaPvSt11align_val_t", PT_FREES, .pointer = 0},
	{"_ZdlPvmSt11align_val_t", PT_FREES, .pointer = 0},
	{"_ZdaPvmSt11align_val_t", PT_FREES, .pointer = 0},
	{"_ZdlPvRKSt9nothrow_t", PT_FREES, .pointer = 0},
	{"_ZdaPvRKSt9nothrow_t", PT_FREES, .pointer = 0},
	{"_ZdlPvSt11align_val_tRKSt9nothrow_t", PT_FREES, .pointer = 0},
	{"_ZdaPvSt11align_val_tRKSt9nothrow_t", PT_FREES, .pointer = 0},
};

/* Functions that mimalloc has beside those of the malloc family. Those that
   call others of them through their symbols, such as mi_wcsdup, are not listed.
   mi_heap_destroy frees blocks without their addresses, which is not seen. */
static const struct vt_allocator mimalloc[] = {
	{"mi_heap_malloc", PT_ALLOCATES, .size = 1},
	{"mi_zalloc", PT_ALLOCATES, .size = 0},
	{"mi_heap_zalloc", PT_ALLOCATES, .size = 1},
	{"mi_malloc_small", PT_ALLOCATES, .size = 0},
	{"mi_heap_malloc_small", PT_ALLOCATES, .size = 1},
	{"mi_malloc_aligned", PT_ALLOCATES, .size = 0},
	{"mi_heap_malloc_aligned", PT_ALLOCATES, .size = 1},
	{"mi_malloc_aligned_at", PT_ALLOCATES, .size = 0},
	{"mi_heap_malloc_aligned_at", PT_ALLOCATES, .size = 1},
	{"mi_zalloc_aligned", PT_ALLOCATES, .size = 0},
	{"mi_heap_zalloc_aligned", PT_ALLOCATES, .size = 1},
	{"mi_zalloc_aligned_at", PT_ALLOCATES, .size = 0},
	{"mi_heap_zalloc_aligned_at", PT_ALLOCATES, .size = 1},
	{"mi_zalloc_small", PT_ALLOCATES, .size = 0},
	{"mi_new", PT_ALLOCATES, .size = 0},
	{"mi_new_nothrow", PT_ALLOCATES, .size = 0},
	{"mi_new_aligned", PT_ALLOCATES, .size = 0},
	{"mi_new_aligned_nothrow", PT_ALLOCATES, .size = 0},
	{"mi_heap_alloc_new", PT_ALLOCATES, .size = 1},
	{"mi_new_n", PT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"mi_heap_alloc_new_n", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"mi_heap_calloc", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"mi_mallocn", PT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"mi_heap_mallocn", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"mi_calloc_aligned", PT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"mi_heap_calloc_aligned", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"mi_calloc_aligned_at", PT_ALLOCATES_ARRAY, .count = 0, .size = 1},
	{"mi_heap_calloc_aligned_at", PT_ALLOCATES_ARRAY, .count = 1,
	 .size = 2},
	{"mi_strdup", PT_ALLOCATES, .returns_string = True},
	{"mi_heap_strdup", PT_ALLOCATES, .returns_string = True},
	{"mi_strndup", PT_ALLOCATES, .returns_string = True},
	{"mi_heap_strndup", PT_ALLOCATES, .returns_string = True},
	{"mi_heap_realloc", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_reallocf", PT_RESIZES, .pointer = 0, .size = 1,
	 .frees_at_failure = True},
	{"mi_heap_reallocf", PT_RESIZES, .pointer = 1, .size = 2,
	 .frees_at_failure = True},
	{"mi_rezalloc", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_heap_rezalloc", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_realloc_aligned", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_heap_realloc_aligned", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_realloc_aligned_at", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_heap_realloc_aligned_at", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_rezalloc_aligned", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_heap_rezalloc_aligned", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_rezalloc_aligned_at", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_heap_rezalloc_aligned_at", PT_RESIZES, .pointer = 1, .size = 2},
	{"mi_expand", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi__expand", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_new_realloc", PT_RESIZES, .pointer = 0, .size = 1},
	{"mi_reallocn", PT_RESIZES_ARRAY, .pointer = 0, .count = 1, .size = 2},
	{"mi_heap_reallocn", PT_RESIZES_ARRAY, .pointer = 1, .count = 2,
	 .size = 3},
	{"mi_recalloc", PT_RESIZES_ARRAY, .pointer = 0, .count = 1, .size = 2},
	{"mi_heap_recalloc", PT_RESIZES_ARRAY, .pointer = 1, .count = 2,
	 .size = 3},
	{"mi_recalloc_aligned", PT_RESIZES_ARRAY, .pointer = 0, .count = 1,
	 .size = 2},
	{"mi_heap_recalloc_aligned", PT_RESIZES_ARRAY, .pointer = 1, .count = 2,
	 .size = 3},
	{"mi_recalloc_aligned_at", PT_RESIZES_ARRAY, .pointer = 0, .count = 1,
	 .size = 2},
	{"mi_heap_recalloc_aligned_at", PT_RESIZES_ARRAY, .pointer = 1,
	 .count = 2, .size = 3},
	{"mi_new_reallocn", PT_RESIZES_ARRAY, .pointer = 0, .count = 1,
	 .size = 2},
	{"mi_aligned_recalloc", PT_RESIZES_ARRAY, .pointer = 0, .count = 1,
	 .size = 2},
	{"mi_aligned_offset_recalloc", PT_RESIZES_ARRAY, .pointer = 0,
	 .count = 1, .size = 2},
	{"mi_free_size", PT_FREES, .pointer = 0},
	{"mi_free_size_aligned", PT_FREES, .pointer = 0},
	{"mi_free_aligned", PT_FREES, .pointer = 0},
};

/* Functions of DPDK. Those that allocate a new block have its type as their
   first argument. */
static const struct vt_allocator dpdk[] = {
	{"rte_malloc", PT_ALLOCATES, .size = 1},
	{"rte_malloc_socket", PT_ALLOCATES, .size = 1},
	{"rte_zmalloc", PT_ALLOCATES, .size = 1},
	{"rte_zmalloc_socket", PT_ALLOCATES, .size = 1},
	{"rte_calloc", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"rte_calloc_socket", PT_ALLOCATES_ARRAY, .count = 1, .size = 2},
	{"rte_realloc", PT_RESIZES, .pointer = 0, .size = 1},
	{"rte_realloc_socket", PT_RESIZES, .pointer = 0, .size = 1},
	{"rte_free", PT_FREES, .pointer = 0},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* All lists of functions; a name is the whole symbol without its version. If
   several names have the same address, the one that comes first in these lists,
   in their order, is used. */
static const struct {
	const HChar *prefix; /* all names in the list begin with it */
	const struct vt_allocator *list;
	UInt n;
} lists[] = {
	{"", prefixed, COUNT(prefixed)},
	{"_Z", operators, COUNT(operators)},
	{"mi_", mimalloc, COUNT(mimalloc)},
	{"rte_", dpdk, COUNT(dpdk)},
};

static Bool has_prefix(const HChar *symbol, const HChar *prefix)
{
	return VG_(strncmp)(symbol, prefix, VG_(strlen)(prefix)) == 0;
}

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

/* Return the function that @symbol, without its version, names exactly; NULL if
   it names none. */
static const struct vt_allocator *find_by_exact_name(const HChar *symbol)
{
	const struct vt_allocator *f = NULL;
	UInt i;

	for (i = 0; f == NULL && i < COUNT(lists); i++)
		if (has_prefix(symbol, lists[i].prefix))
			f = find_allocator_in_list(lists[i].list, lists[i].n,
						   symbol);
	return f;
}

const struct vt_allocator *
vt_allocators_find_standard_by_symbol(const HChar *symbol)
{
	const struct vt_allocator *f = find_by_exact_name(symbol);
	UInt i;

	for (i = 0; f == NULL && i < COUNT(prefixes); i++)
		if (has_prefix(symbol, prefixes[i]))
			f = find_allocator_in_list(
				prefixed, COUNT(prefixed),
				symbol + VG_(strlen)(prefixes[i]));
	return f;
}

Bool vt_allocators_is_before_in_standard_list(const struct vt_allocator *a,
					      const struct vt_allocator *b)
{
	UInt i, j;

	for (i = 0; i < COUNT(lists); i++)
		for (j = 0; j < lists[i].n; j++) {
			if (&lists[i].list[j] == b)
				return False;
			if (&lists[i].list[j] == a)
				return True;
		}
	return False;
}
