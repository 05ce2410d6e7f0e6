/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standard_output.c - see standard_output.h */

#include "vgtool/transport/standard_output.h"

#include <pub_tool_libcfile.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/socket.h"

enum {
	AT_ONCE = 4096, /* [bytes] that fit a pipe when it polls as writable */
};

static Int standard[3] = {-1, -1, -1}; /* safe copies of 1 and 2 */

void vt_print_begin(void)
{
	Int i;

	for (i = 1; i <= 2; i++)
		standard[i] = vt_safe_copy(i);
}

/* A descriptor that was closed at the start may be the program's by now; text
   for it is dropped. */
Int vt_print(Int which, const HChar *text, UInt bytes, UInt timeout_ms)
{
	Int n;

	if (standard[which] < 0)
		return bytes;
	if (vt_socket_poll_room(standard[which], timeout_ms) == 0)
		return 0;
	n = VG_(write)(standard[which], text,
		       bytes < AT_ONCE ? bytes : AT_ONCE);
	return n > 0 ? n : -1;
}
