/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hello.h - what tool and daemon say first (proto/hello.h)
 */
#ifndef VGTOOL_TRANSPORT_HELLO_H
#define VGTOOL_TRANSPORT_HELLO_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"
#include "vgtool/transport/connection.h"

/* Send a hello. @fork: of a forked child, or NULL. @parents: the welcome that
   the forking process got; read only with @fork. Return: whether it was sent. */
Bool vt_hello_send(Int sock, const struct vt_fork_info *fork,
		   const struct pt_welcome *parents);

/* Receives the welcome and, with it, the ring's descriptor or VT_NO_SOCKET.
   @later: of an image after exec, for which the daemon waits until it has
   analysed what the one before has left. */
Bool vt_hello_welcome(Int sock, Bool later, struct pt_welcome *answer,
		      Int *ring_fd);

/* The plan that follows it, for VG_(free)(); NULL when it does not come, or is
   none. */
struct pt_plan *vt_hello_plan(Int sock, UInt bytes);

#endif
