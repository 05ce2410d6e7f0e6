/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standard_output.c - writes to the tool's first standard output and error; see
   standard_output.h */

#include "vgtool/transport/standard_output.h"

#include <pub_tool_libcfile.h>

#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/socket.h"

enum {
	MAX_WRITE = 4096, /* [bytes] that a pipe takes if poll() reports room */
};

static Int fd_copies[3] = {-1, -1, -1}; /* copies of descriptors 1 and 2, by
					   descriptor */

void vt_print_dup_stdout_and_stderr(void)
{
	Int i;

	for (i = 1; i <= 2; i++)
		fd_copies[i] = vt_dup_to_reserved_fd(i);
}

/* Text for a descriptor that has no copy, for instance because it was closed at
   the start, is dropped: the program may have opened a file with that number
   since. */
Int vt_print_part_to_standard_fd(Int std_fd, const HChar *text, UInt bytes,
				 UInt timeout_ms)
{
	Int n;

	if (fd_copies[std_fd] < 0)
		return bytes;
	if (vt_socket_poll_output_event_mask(fd_copies[std_fd], timeout_ms) ==
	    0)
		return 0;
	n = VG_(write)(fd_copies[std_fd], text,
		       bytes < MAX_WRITE ? bytes : MAX_WRITE);
	return n > 0 ? n : -1;
}
