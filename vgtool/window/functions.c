/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.c - finds the ranges of named functions; see functions.h */

#include "vgtool/window/functions.h"

#include "vgtool/core/valgrind_core.h"

static struct vt_named_function *wanted;
static UInt *outcome; /* by number: enum pt_outcome_flags */
static UInt outcome_size;
static UInt n_wanted, wanted_size;
static struct vt_function_range *ranges;
static UInt n_ranges, ranges_size;

/* Return @array, which has @n elements of @bytes, enlarged if it has no room
   for one more. @size: number of elements that it has room for. */
static void *grown(void *array, UInt n, UInt *size, UInt bytes)
{
	if (n < *size)
		return array;
	*size = *size ? 2 * *size : 16;
	return VG_(realloc)("vt.functions", array, (SizeT)*size * bytes);
}

void vt_functions_clear(void)
{
	n_wanted = n_ranges = 0;
}

static Bool same_text(const HChar *a, const HChar *b)
{
	return a == b || (a && b && VG_(strcmp)(a, b) == 0);
}

UInt vt_functions_add_name(const struct vt_named_function *w)
{
	UInt i;

	for (i = 0; i < n_wanted; i++)
		if (wanted[i].image_kind == w->image_kind &&
		    wanted[i].decorated == w->decorated &&
		    same_text(wanted[i].image, w->image) &&
		    same_text(wanted[i].name, w->name))
			return i;
	wanted = grown(wanted, n_wanted, &wanted_size, sizeof(*wanted));
	wanted[n_wanted] = *w;
	outcome = grown(outcome, n_wanted, &outcome_size, sizeof(*outcome));
	outcome[n_wanted] = 0;
	return n_wanted++;
}

const struct vt_named_function *vt_functions_get(UInt function, UInt *flags)
{
	*flags = outcome[function];
	return &wanted[function];
}

static const HChar *file_name(const HChar *path)
{
	const HChar *slash = VG_(strrchr)(path, '/');

	return slash ? slash + 1 : path;
}

/* Return the path of the main executable, as its mapping has it. */
static const HChar *main_path(void)
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

static Bool is_system(const HChar *path)
{
	static const HChar *const below[] = {
		"/lib/",	 "/lib32/",	    "/lib64/",
		"/usr/lib/",	 "/usr/lib32/",	    "/usr/lib64/",
		"/usr/libexec/", "/usr/local/lib/",
	};
	UInt i;

	for (i = 0; i < sizeof(below) / sizeof(*below); i++)
		if (VG_(strncmp)(path, below[i], VG_(strlen)(below[i])) == 0)
			return True;
	return path[0] != '/';
}

Bool vt_functions_is_image(const HChar *path, UInt kind, const HChar *name)
{
	switch (kind) {
	case PT_IMAGE_PATH:
		return VG_(strcmp)(path, name) == 0;
	case PT_IMAGE_NAME:
		return VG_(strcmp)(file_name(path), name) == 0;
	case PT_IMAGE_MAIN:
		return VG_(strcmp)(path, main_path()) == 0;
	case PT_IMAGE_NO_SYSTEM:
		return !is_system(path);
	default:
		return True;
	}
}

/* Whether @symbol has the name @name. Symbols of shared libraries may end with
   a version: "fopen@@GLIBC_2.2.5". */
static Bool is_named(const HChar *symbol, const HChar *name)
{
	UInt n = VG_(strlen)(name);

	return VG_(strncmp)(symbol, name, n) == 0 &&
	       (symbol[n] == 0 || symbol[n] == '@');
}

/* Whether @symbol has the name @name, or demangles to it. @name may have
   parameters or not. */
static Bool is_demangled(const HChar *symbol, const HChar *name)
{
	UInt n = VG_(strlen)(name);
	const HChar *written;

	if (is_named(symbol, name))
		return True;
	if (symbol[0] != '_' || symbol[1] != 'Z')
		return False;
	VG_(demangle)(True, False, symbol, &written);
	return VG_(strncmp)(written, name, n) == 0 &&
	       (written[n] == 0 || written[n] == '(' || written[n] == '@');
}

static Bool is_name_of(const struct vt_named_function *w, const HChar *symbol)
{
	return w->decorated ? is_named(symbol, w->name)
			    : is_demangled(symbol, w->name);
}

static Bool has_name(const struct vt_named_function *w, const HChar *primary,
		     const HChar *const *secondary)
{
	if (is_name_of(w, primary))
		return True;
	for (; secondary && *secondary; secondary++)
		if (is_name_of(w, *secondary))
			return True;
	return False;
}

static void add_range(Addr start, UInt size, UInt function)
{
	UInt i;

	for (i = 0; i < n_ranges; i++)
		if (ranges[i].start == start && ranges[i].function == function)
			return;
	ranges = grown(ranges, n_ranges, &ranges_size, sizeof(*ranges));
	ranges[n_ranges++] =
		(struct vt_function_range){start, start + size, function};
}

/* Add the range of symbol @n of an object for each function that it is a name
   of. @candidate: by function, whether the object matches its image. */
static void add_symbol(const DebugInfo *di, Int n, const UChar *candidate)
{
	const HChar *primary, **secondary;
	struct vt_symbol_address at;
	Bool is_text, is_ifunc, is_global;
	UInt size, i;

	VG_(DebugInfo_syms_getidx)
	(di, n, &at, &size, &primary, &secondary, &is_text, &is_ifunc,
	 &is_global);
	if (!is_text || is_ifunc)
		return;
	for (i = 0; i < n_wanted; i++)
		if (candidate[i] && has_name(&wanted[i], primary,
					     (const HChar *const *)secondary)) {
			add_range(at.main, size, i);
			outcome[i] |= PT_OUTCOME_FOUND;
		}
}

void vt_functions_add_object(const DebugInfo *di)
{
	const HChar *path = VG_(DebugInfo_get_filename)(di);
	Int n, symbols = VG_(DebugInfo_syms_howmany)(di);
	UChar *candidate;
	Bool any = False;
	UInt i;

	if (n_wanted == 0)
		return;
	candidate = VG_(calloc)("vt.functions", n_wanted, 1);
	for (i = 0; i < n_wanted; i++) {
		candidate[i] = vt_functions_is_image(path, wanted[i].image_kind,
						     wanted[i].image);
		outcome[i] |= candidate[i] ? PT_OUTCOME_MAPPED : 0;
		any |= candidate[i];
	}
	for (n = 0; any && n < symbols; n++)
		add_symbol(di, n, candidate);
	VG_(free)(candidate);
}

void vt_functions_remove_ranges(Addr start, Addr end)
{
	UInt i, n_left = 0;

	for (i = 0; i < n_ranges; i++)
		if (ranges[i].start < start || ranges[i].start >= end)
			ranges[n_left++] = ranges[i];
	n_ranges = n_left;
}

const struct vt_function_range *vt_functions_find_range(Addr pc, UInt n)
{
	UInt i;

	for (i = 0; i < n_ranges; i++)
		if (pc >= ranges[i].start && pc < ranges[i].end && n-- == 0)
			return &ranges[i];
	return NULL;
}
