/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.c - finds arguments and results; see abi.h */

#include "vgtool/intercept/abi.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_machine.h>

#include "vgtool/core/memory.h"
#include "vgtool/core/plan_view.h"

#define REGISTER(name) offsetof(VexGuestAMD64State, guest_##name)

enum { WORD = 8 /* [bytes] */ };

static const UInt argument_registers[] = {REGISTER(RDI), REGISTER(RSI),
					  REGISTER(RDX), REGISTER(RCX),
					  REGISTER(R8),	 REGISTER(R9)};
static const UInt result_registers[] = {REGISTER(RAX), REGISTER(RDX)};

/* Copy @bytes bytes of a thread's guest state, from @state_offset on, to
   @out. */
static void read_guest_state_bytes(ThreadId tid, UInt state_offset, void *out,
				   UInt bytes)
{
	VG_(get_shadow_regs_area)(tid, out, 0, state_offset, bytes);
}

static void read_eightbyte_if_in_any_register(ThreadId tid,
					      const struct pt_where *where,
					      const UInt *integer_reg_offsets,
					      UChar *out)
{
	UInt register_bytes = REGISTER(YMM1) - REGISTER(YMM0);

	if (where->place == PT_IN_INTEGER)
		read_guest_state_bytes(tid, integer_reg_offsets[where->slot],
				       out, WORD);
	else if (where->place == PT_IN_VECTOR)
		read_guest_state_bytes(
			tid, REGISTER(YMM0) + where->slot * register_bytes, out,
			WORD);
}

/* Copy the two 8-byte parts of a value from registers to @out, 16 bytes, and
   return @out. A part that is in no register is not copied. */
static const void *copy_register_eightbytes_and_return_out(
	ThreadId tid, const struct pt_where *where,
	const UInt *integer_registers, UChar *out)
{
	read_eightbyte_if_in_any_register(tid, &where[0], integer_registers,
					  out);
	read_eightbyte_if_in_any_register(tid, &where[1], integer_registers,
					  out + WORD);
	return out;
}

/* Convert the number in x87 register st0, which Valgrind stores as a double, to
   a long double, copy it to @out, and return @out. */
static const void *read_st0_as_long_double(ThreadId tid, UChar *out)
{
	UInt top;
	double x;
	long double wide;

	read_guest_state_bytes(tid, REGISTER(FTOP), &top, sizeof(top));
	read_guest_state_bytes(tid, REGISTER(FPREG) + top % 8 * sizeof(x), &x,
			       sizeof(x));
	wide = x;
	VG_(memcpy)(out, &wide, sizeof(wide));
	return out;
}

static const void *value_pointer_or_null_if_unreadable(Addr addr,
						       UInt type_index)
{
	struct vt_readable_range memory = {0, 0};

	return vt_memory_is_readable_cached(&memory, addr,
					    vt_plan_type(type_index)->size)
		       ? (const void *)addr
		       : NULL;
}

const void *
vt_abi_find_or_read_argument(ThreadId tid, const struct pt_parameter *p,
			     Addr sp,
			     UChar register_buffer[VT_MAX_REGISTER_BYTES])
{
	if (p->where[0].place == PT_ON_STACK)
		return value_pointer_or_null_if_unreadable(
			sp + WORD + WORD * (Addr)p->where[0].slot, p->type);
	return copy_register_eightbytes_and_return_out(
		tid, p->where, argument_registers, register_buffer);
}

const void *
vt_abi_find_or_read_result(ThreadId tid, const struct pt_intercept *c,
			   UChar register_buffer[VT_MAX_REGISTER_BYTES])
{
	Addr addr;

	switch (c->where[0].place) {
	case PT_IN_X87:
		return read_st0_as_long_double(tid, register_buffer);
	case PT_IN_MEMORY:
		read_guest_state_bytes(tid, REGISTER(RAX), &addr, sizeof(addr));
		return value_pointer_or_null_if_unreadable(addr, c->result);
	default:
		return copy_register_eightbytes_and_return_out(
			tid, c->where, result_registers, register_buffer);
	}
}
