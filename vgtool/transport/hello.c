/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hello.c - exchanges the first messages with the daemon; see hello.h */

#include "vgtool/transport/hello.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>
#include <pub_tool_xarray.h>

#include "proto/shared/command_cut.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/transport/socket.h"

enum {
	DONTWAIT = 0x40,
	MSG_CMSG_CLOEXEC_ = 0x40000000,
	ANSWER_MS = 15000, /* longest wait for the welcome */
	LATER_MS = 600000, /* longest wait for the welcome after exec */
	RIGHTS = 1,
	OLDEST_WELCOME = __builtin_offsetof(struct pt_welcome, token),
};

/* Append @string with its NUL at @offset [bytes] of @message, advance @offset,
   and add 1 to @n_strings. Return: False if it did not fit; then the beginning
   that fits is appended, with PT_COMMAND_CUT at its end. */
static Bool append_or_truncate_string_did_fit(HChar *message, UInt *offset,
					      const HChar *string,
					      UInt *n_strings)
{
	static const HChar cut[] = PT_COMMAND_CUT;
	UInt room = PT_MAX_MESSAGE - sizeof(cut) - *offset;
	UInt len = VG_(strlen)(string) + 1;
	Bool fits = len <= room;

	VG_(memcpy)(message + *offset, string, fits ? len : room);
	*offset += fits ? len : room;
	++*n_strings;
	if (fits)
		return True;
	VG_(memcpy)(message + *offset, cut, sizeof(cut));
	*offset += sizeof(cut);
	return False;
}

/* Append the working directory, the program's name and its arguments, as
   strings with NULs, at @offset [bytes] of @message. A string that does not fit
   is truncated, and those after it are omitted. Add the number of appended
   strings to @n_strings. Return: the offset of the last string's end. */
static UInt append_cwd_command_line_return_end(HChar *message, UInt offset,
					       UInt *n_strings)
{
	HChar cwd[1024];
	Bool fits;
	Int i;

	cwd[0] = 0;
	vt_syscall3(__NR_getcwd, (UWord)cwd, sizeof(cwd), 0);
	fits = append_or_truncate_string_did_fit(message, &offset, cwd,
						 n_strings) &&
	       append_or_truncate_string_did_fit(message, &offset,
						 VG_(args_the_exename) ?: "",
						 n_strings);
	for (i = 0; fits && i < VG_(sizeXA)(VG_(args_for_client)); i++)
		fits = append_or_truncate_string_did_fit(
			message, &offset,
			*(HChar **)VG_(indexXA)(VG_(args_for_client), i),
			n_strings);
	return offset;
}

/* Append the token (random number) of the parent's stream to @message, by which
   a forked child proves whose child it is. */
static void append_parent_token(HChar *message, struct pt_hello *h,
				const struct pt_welcome *parent_welcome)
{
	VG_(memcpy)
	(message + h->bytes, &parent_welcome->token,
	 sizeof(parent_welcome->token));
	h->flags |= PT_HELLO_TOKEN;
	h->bytes += sizeof(parent_welcome->token);
}

Bool vt_hello_send(Int sock, const struct vt_fork_info *fork_info_or_null,
		   const struct pt_welcome *parent_welcome)
{
	static HChar message[PT_MAX_MESSAGE];
	struct pt_hello h = {
		.magic = PT_MAGIC,
		.major = PT_MAJOR,
		.minor = PT_MINOR,
		.bytes = sizeof(h),
		.pid = VG_(getpid)(),
		.parent_pid = VG_(getppid)(),
	};

	if (fork_info_or_null != NULL) {
		h.flags = PT_HELLO_FORKED;
		h.parent_pid = fork_info_or_null->parent_pid;
		h.parent_stream = fork_info_or_null->parent_stream;
		h.n_blocks = fork_info_or_null->n_blocks;
		h.parent_log = fork_info_or_null->parent_log;
		append_parent_token(message, &h, parent_welcome);
	}
	VG_(strncpy)(h.valgrind, VALGRIND_VERSION, sizeof(h.valgrind) - 1);
	h.bytes = append_cwd_command_line_return_end(message, h.bytes,
						     &h.n_strings);
	VG_(memcpy)(message, &h, sizeof(h));
	return vt_socket_send(sock, message, h.bytes, True);
}

Bool vt_hello_receive_welcome_close_parent(Int sock,
					   Bool waits_longer_after_exec,
					   struct pt_welcome *answer,
					   Int *ring_fd)
{
	union {
		struct vki_cmsghdr head;
		HChar room[64];
	} control;
	struct vki_iovec iov = {answer, sizeof(*answer)};
	struct vki_msghdr m = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	SysRes r;

	*ring_fd = VT_NO_SOCKET;
	VG_(memset)(answer, 0, sizeof(*answer));
	if (!(vt_socket_poll_input_event_mask(
		      sock, waits_longer_after_exec ? LATER_MS : ANSWER_MS) &
	      VT_POLL_IN))
		return False;
	/* frees a descriptor for the ring, in case none is left */
	vt_connection_close_parent_socket();
	r = vt_syscall3(__NR_recvmsg, sock, (UWord)&m,
			DONTWAIT | MSG_CMSG_CLOEXEC_);
	if (sr_isError(r) || sr_Res(r) < OLDEST_WELCOME)
		return False;
	if (m.msg_controllen >= sizeof(control.head) + sizeof(Int) &&
	    control.head.cmsg_type == RIGHTS)
		*ring_fd = *(Int *)(&control.head + 1);
	return True;
}

struct pt_plan *vt_hello_receive_plan_or_null(Int sock, UInt plan_bytes)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	HChar *plan;
	UInt offset = 0, n;

	if (plan_bytes < sizeof(struct pt_plan) || plan_bytes > PT_MAX_PLAN)
		return NULL;
	plan = VG_(malloc)("vt.control.plan", plan_bytes);
	for (; offset < plan_bytes; offset += n - sizeof(*m)) {
		n = vt_socket_poll_input_event_mask(sock, ANSWER_MS) &
				    VT_POLL_IN
			    ? vt_socket_receive_no_wait_or_0(sock, packet,
							     sizeof(packet))
			    : 0;
		if (n <= sizeof(*m) || m->type != PT_MSG_PLAN ||
		    m->value != offset || n - sizeof(*m) > plan_bytes - offset)
			break;
		VG_(memcpy)(plan + offset, packet + sizeof(*m), n - sizeof(*m));
	}
	if (offset == plan_bytes &&
	    ((struct pt_plan *)plan)->version == PT_PLAN_VERSION)
		return (struct pt_plan *)plan;
	VG_(free)(plan);
	return NULL;
}

/* Whether the list @list, which the daemon has sent, fills exactly @bytes with
   its functions and strings, has at most PT_MAX_ALLOCATORS functions and ends
   with a NUL. */
static Bool are_allocators_complete(const struct pt_allocators *list,
				    UInt bytes)
{
	const HChar *end = (const HChar *)list + bytes;

	return list->n <= PT_MAX_ALLOCATORS && list->string_bytes > 0 &&
	       bytes == sizeof(*list) + list->n * sizeof(struct pt_allocator) +
				list->string_bytes &&
	       end[-1] == 0;
}

struct pt_allocators *vt_hello_receive_allocators_or_null(Int sock, UInt bytes)
{
	static HChar packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const void *)packet;
	const HChar *data = packet + sizeof(*m);
	struct pt_allocators *list;

	if (!(vt_socket_poll_input_event_mask(sock, ANSWER_MS) & VT_POLL_IN) ||
	    vt_socket_receive_no_wait_or_0(sock, packet, sizeof(packet)) !=
		    sizeof(*m) + bytes ||
	    m->type != PT_MSG_ALLOCATORS || bytes < sizeof(*list) ||
	    !are_allocators_complete((const void *)data, bytes))
		return NULL;
	list = VG_(malloc)("vt.control.allocators", bytes);
	VG_(memcpy)(list, data, bytes);
	return list;
}
