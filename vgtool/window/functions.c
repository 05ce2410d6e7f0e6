/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.c - finds the ranges of named functions; see functions.h */

#include "vgtool/window/functions.h"

#include "vgtool/core/valgrind_core.h"

static struct vt_named_function *functions;
static UInt *outcome_flags; /* by function: enum pt_outcome_flags */
static UInt outcome_flags_size;
static UInt n_functions, functions_size;
static struct vt_function_range *ranges;
static UInt n_ranges, ranges_size;

/* Return @array, reallocated with room for twice as many elements, or at first
   16, if its @n_used elements of @element_bytes [bytes] fill it. @capacity:
   number of elements for which it has room; updated. */
static void *grow_array_if_full(void *array, UInt n_used, UInt *capacity,
				UInt element_bytes)
{
	if (n_used < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : 16;
	return VG_(realloc)("vt.functions", array,
			    (SizeT)*capacity * element_bytes);
}

void vt_functions_remove_all_and_ranges(void)
{
	n_functions = n_ranges = 0;
}

static Bool is_same_string_or_both_null(const HChar *a, const HChar *b)
{
	return a == b || (a && b && VG_(strcmp)(a, b) == 0);
}

UInt vt_functions_find_or_add_get_number(const struct vt_named_function *w)
{
	UInt i;

	for (i = 0; i < n_functions; i++)
		if (functions[i].image_kind == w->image_kind &&
		    functions[i].decorated == w->decorated &&
		    is_same_string_or_both_null(functions[i].image, w->image) &&
		    is_same_string_or_both_null(functions[i].name, w->name))
			return i;
	functions = grow_array_if_full(functions, n_functions, &functions_size,
				       sizeof(*functions));
	functions[n_functions] = *w;
	outcome_flags =
		grow_array_if_full(outcome_flags, n_functions,
				   &outcome_flags_size, sizeof(*outcome_flags));
	outcome_flags[n_functions] = 0;
	return n_functions++;
}

const struct vt_named_function *
vt_functions_get_name_and_search_outcome(UInt function_number, UInt *flags)
{
	*flags = outcome_flags[function_number];
	return &functions[function_number];
}

static const HChar *base_name(const HChar *path)
{
	const HChar *slash = VG_(strrchr)(path, '/');

	return slash ? slash + 1 : path;
}

/* Return the path of the program's main executable, "" if it cannot be read.
   The path is read once and then stored. */
static const HChar *get_cached_main_executable_path_or_empty(void)
{
	static HChar path[VKI_PATH_MAX];
	HChar link[40];
	SysRes r;

	if (path[0])
		return path;
	VG_(sprintf)(link, "/proc/self/fd/%d", VG_(cl_exec_fd));
	r = vt_syscall3(__NR_readlink, (UWord)link, (UWord)path,
			sizeof(path) - 1);
	path[sr_isError(r) ? 0 : sr_Res(r)] = 0;
	return path;
}

/* Whether @path is in a folder of system libraries or is not absolute. */
static Bool is_system_object_path(const HChar *path)
{
	static const HChar *const folders[] = {
		"/lib/",	 "/lib32/",	    "/lib64/",
		"/usr/lib/",	 "/usr/lib32/",	    "/usr/lib64/",
		"/usr/libexec/", "/usr/local/lib/",
	};
	UInt i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (VG_(strncmp)(path, folders[i], VG_(strlen)(folders[i])) ==
		    0)
			return True;
	return path[0] != '/';
}

Bool vt_functions_does_path_match_image(const HChar *file_path, UInt image_kind,
					const HChar *image_name)
{
	switch (image_kind) {
	case PT_IMAGE_PATH:
		return VG_(strcmp)(file_path, image_name) == 0;
	case PT_IMAGE_NAME:
		return VG_(strcmp)(base_name(file_path), image_name) == 0;
	case PT_IMAGE_MAIN:
		return VG_(strcmp)(
			       file_path,
			       get_cached_main_executable_path_or_empty()) == 0;
	case PT_IMAGE_NO_SYSTEM:
		return !is_system_object_path(file_path);
	default:
		return True;
	}
}

/* Whether the linker's symbol @symbol is @name. Symbols of shared libraries may
   end with a version: "fopen@@GLIBC_2.2.5". */
static Bool is_symbol_with_name(const HChar *symbol, const HChar *name)
{
	UInt n = VG_(strlen)(name);

	return VG_(strncmp)(symbol, name, n) == 0 &&
	       (symbol[n] == 0 || symbol[n] == '@');
}

static Bool is_identifier_character(HChar c)
{
	return c == '_' || VG_(isdigit)(c) || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

/* Whether the mangled symbol @symbol can demangle to @name: it contains the
   last identifier of @name. Always true if @name does not end with an
   identifier of at most 63 characters. Saves demangling most symbols. */
static Bool may_demangle_to_name(const HChar *symbol, const HChar *name)
{
	HChar last[64];
	UInt i, start = 0;

	for (i = 0; name[i] != 0 && name[i] != '('; i++)
		if (name[i] == ':')
			start = i + 1;
	if (i == start || i - start >= sizeof(last))
		return True;
	VG_(memcpy)(last, name + start, i - start);
	last[i - start] = 0;
	for (i = 0; last[i] != 0; i++)
		if (!is_identifier_character(last[i]))
			return True;
	return VG_(strstr)(symbol, last) != NULL;
}

Bool vt_functions_is_symbol_named(const HChar *symbol, const HChar *name)
{
	UInt n = VG_(strlen)(name);
	const HChar *written;

	if (is_symbol_with_name(symbol, name))
		return True;
	if (symbol[0] != '_' || symbol[1] != 'Z' ||
	    !may_demangle_to_name(symbol, name))
		return False;
	VG_(demangle)(True, False, symbol, &written);
	return VG_(strncmp)(written, name, n) == 0 &&
	       (written[n] == 0 || written[n] == '(' || written[n] == '@');
}

static Bool is_symbol_of_function(const struct vt_named_function *w,
				  const HChar *symbol)
{
	return w->decorated ? is_symbol_with_name(symbol, w->name)
			    : vt_functions_is_symbol_named(symbol, w->name);
}

static Bool is_any_symbol_of_function(const struct vt_named_function *w,
				      const HChar *primary,
				      const HChar *const *secondary)
{
	if (is_symbol_of_function(w, primary))
		return True;
	for (; secondary && *secondary; secondary++)
		if (is_symbol_of_function(w, *secondary))
			return True;
	return False;
}

static void add_function_range_if_new(Addr start, UInt size,
				      UInt function_number)
{
	UInt i;

	for (i = 0; i < n_ranges; i++)
		if (ranges[i].start == start &&
		    ranges[i].function == function_number)
			return;
	ranges = grow_array_if_full(ranges, n_ranges, &ranges_size,
				    sizeof(*ranges));
	ranges[n_ranges++] = (struct vt_function_range){start, start + size,
							function_number};
}

/* If symbol number @symbol_index of the object @di is code and no indirect
   function (ifunc), add its range to each function that the symbol names, and
   set PT_OUTCOME_FOUND for that function. @is_candidate_by_function:
   [n_functions] whether the object matches the function's image. */
static void add_symbol_range_to_functions(const DebugInfo *di, Int symbol_index,
					  const UChar *is_candidate_by_function)
{
	const HChar *primary, **secondary;
	struct vt_symbol_address address;
	Bool is_text, is_ifunc, is_global;
	UInt size, i;

	VG_(DebugInfo_syms_getidx)
	(di, symbol_index, &address, &size, &primary, &secondary, &is_text,
	 &is_ifunc, &is_global);
	if (!is_text || is_ifunc)
		return;
	for (i = 0; i < n_functions; i++)
		if (is_candidate_by_function[i] &&
		    is_any_symbol_of_function(
			    &functions[i], primary,
			    (const HChar *const *)secondary)) {
			add_function_range_if_new(address.main, size, i);
			outcome_flags[i] |= PT_OUTCOME_FOUND;
		}
}

void vt_functions_add_ranges_and_mark_mapped(const DebugInfo *di)
{
	const HChar *path = VG_(DebugInfo_get_filename)(di);
	Int n, symbols = VG_(DebugInfo_syms_howmany)(di);
	UChar *is_candidate;
	Bool any = False;
	UInt i;

	if (n_functions == 0)
		return;
	is_candidate = VG_(calloc)("vt.functions", n_functions, 1);
	for (i = 0; i < n_functions; i++) {
		is_candidate[i] = vt_functions_does_path_match_image(
			path, functions[i].image_kind, functions[i].image);
		outcome_flags[i] |= is_candidate[i] ? PT_OUTCOME_MAPPED : 0;
		any |= is_candidate[i];
	}
	for (n = 0; any && n < symbols; n++)
		add_symbol_range_to_functions(di, n, is_candidate);
	VG_(free)(is_candidate);
}

void vt_functions_remove_ranges_beginning_in(Addr start, Addr end)
{
	UInt i, n_left = 0;

	for (i = 0; i < n_ranges; i++)
		if (ranges[i].start < start || ranges[i].start >= end)
			ranges[n_left++] = ranges[i];
	n_ranges = n_left;
}

const struct vt_function_range *vt_functions_find_nth_range_at(Addr pc,
							       UInt match_index)
{
	UInt i;

	for (i = 0; i < n_ranges; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end &&
		    match_index-- == 0)
			return &ranges[i];
	return NULL;
}
