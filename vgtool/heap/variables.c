/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variables.c - records object files and their variables; see variables.h */

#include "vgtool/heap/variables.h"

#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/allocators.h"
#include "vgtool/heap/text_unit.h"
#include "vgtool/heap/thread_variables.h"
#include "vgtool/transport/ring.h"

/* An object that is mapped. */
struct object {
	Addr start;
	SizeT size;
	UInt number; /* from 1, in the order of recording */
};

static struct object *objects;
static UInt n_objects, objects_size, last_number;

/* Write a PT_VARIABLE unit for symbol number @symbol_index of @di, the object
   with number @object_number, if it is a variable: a data symbol with a size.
   */
static void write_symbol_if_variable(const DebugInfo *di, Int symbol_index,
				     UInt object_number)
{
	const HChar *primary, **secondary, *name;
	struct vt_symbol_address address;
	Bool is_text, is_ifunc, is_global;
	UInt size;

	VG_(DebugInfo_syms_getidx)
	(di, symbol_index, &address, &size, &primary, &secondary, &is_text,
	 &is_ifunc, &is_global);
	if (is_text || size == 0)
		return;
	VG_(demangle)(True, False, primary, &name);
	vt_text_unit_write_when_room(PT_VARIABLE, object_number,
				     (ULong[]){address.main, size}, 2, name);
}

/* Write how many allocator functions an object has, if it has any or the user
   has omitted the standard ones. */
static void write_object_allocator_count_to_ring(const struct object *o)
{
	ULong word = vt_allocators_count_in_range(o->start, o->size);

	if (word > 0 || vt_allocators_has_only_user_named())
		vt_ring_write_control_unit_when_room(PT_ALLOCATORS, o->number,
						     &word, 1);
}

/* Whether an object belongs to Valgrind and not to the program: the tool, or a
   library that Valgrind preloads. */
static Bool is_object_of_valgrind(const DebugInfo *di, const struct object *o)
{
	static const HChar prefix[] = "vgpreload_";
	const HChar *path = VG_(DebugInfo_get_filename)(di);
	const HChar *slash = VG_(strrchr)(path, '/');

	return (Addr)&is_object_of_valgrind - o->start < o->size ||
	       VG_(strncmp)(slash ? slash + 1 : path, prefix,
			    sizeof(prefix) - 1) == 0;
}

/* Write the PT_MAPPED unit of an object, its PT_ALLOCATORS unit if it has one,
   and a unit for each of its variables. An object of Valgrind has no units of
   variables, because the program does not use these. */
static void write_units_of_object_and_its_variables(const DebugInfo *di,
						    const struct object *o)
{
	Int i, n = is_object_of_valgrind(di, o)
			   ? 0
			   : VG_(DebugInfo_syms_howmany)(di);

	vt_text_unit_write_when_room(PT_MAPPED, o->number,
				     (ULong[]){o->start, o->size}, 2,
				     VG_(DebugInfo_get_filename)(di));
	write_object_allocator_count_to_ring(o);
	for (i = 0; i < n; i++)
		write_symbol_if_variable(di, i, o->number);
}

void vt_variables_add_object(const DebugInfo *di)
{
	if (n_objects == objects_size) {
		objects_size = objects_size ? 2 * objects_size : 64;
		objects = VG_(realloc)("vt.heap", objects,
				       objects_size * sizeof(*objects));
	}
	objects[n_objects] = (struct object){
		.start = VG_(DebugInfo_get_text_avma)(di),
		.size = VG_(DebugInfo_get_text_size)(di),
		.number = ++last_number,
	};
	vt_thread_variables_add_object(di, last_number);
	write_units_of_object_and_its_variables(di, &objects[n_objects++]);
}

void vt_variables_remove_object_write_unmap(Addr code_start, SizeT code_size)
{
	UInt i;

	for (i = 0; i < n_objects; i++) {
		if (objects[i].start != code_start ||
		    objects[i].size != code_size)
			continue;
		vt_ring_write_control_unit_when_room(
			PT_UNMAPPED, objects[i].number, NULL, 0);
		objects[i] = objects[--n_objects];
		return;
	}
}

void vt_variables_renumber_files_write_units(void)
{
	const DebugInfo *di;

	n_objects = last_number = 0;
	for (di = VG_(next_DebugInfo)(NULL); di; di = VG_(next_DebugInfo)(di))
		if (VG_(DebugInfo_get_text_size)(di) != 0)
			vt_variables_add_object(di);
}
