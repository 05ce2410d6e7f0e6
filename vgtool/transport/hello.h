/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hello.h - exchanges the first messages with the daemon (proto/hello.h)
 */
#ifndef VGTOOL_TRANSPORT_HELLO_H
#define VGTOOL_TRANSPORT_HELLO_H

#include "proto/allocator.h"
#include "proto/window.h"
#include "vgtool/core/prelude.h"
#include "vgtool/transport/connection.h"

/* Send a hello. @fork_info_or_null: state of the parent; NULL if this is no
   forked child. @parent_welcome: the welcome that the parent has received; used
   only with @fork_info_or_null. Return: whether the hello was sent. */
Bool vt_hello_send(Int sock, const struct vt_fork_info *fork_info_or_null,
		   const struct pt_welcome *parent_welcome);

/* Wait for the welcome, close the parent's connection, if this is a forked
   child, and receive the welcome into @answer. Set @ring_fd to the file
   descriptor of the ring, or to VT_NO_SOCKET if the welcome has none.
   @waits_longer_after_exec: whether exec started this program. Then the daemon
   answers only when it has analysed what ran before the exec, so the call waits
   up to 10 minutes instead of 15 s. Return: False if no packet that is long
   enough arrives in time; its content is not checked. */
Bool vt_hello_receive_welcome_close_parent(Int sock,
					   Bool waits_longer_after_exec,
					   struct pt_welcome *answer,
					   Int *ring_fd);

/* Receive the recording plan of @plan_bytes that follows the welcome. Return:
   the plan, to be freed with VG_(free)(); NULL if it does not arrive or is
   invalid. */
struct pt_plan *vt_hello_receive_plan_or_null(Int sock, UInt plan_bytes);

/* Receive the user's allocator functions, @bytes long, that follow the welcome
   and the plan. Return: the functions, to be freed with VG_(free)(); NULL if
   they do not arrive or are invalid. */
struct pt_allocators *vt_hello_receive_allocators_or_null(Int sock, UInt bytes);

#endif
