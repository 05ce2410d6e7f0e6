/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_core.h - functions of Valgrind's core that its tool headers leave out
 *
 * Room:    vgtool.
 *
 * They are in the static library of every version from 3.19 on; configure
 * link-tests each.
 */
#ifndef VT_CORE_H
#define VT_CORE_H

#include "vgtool/vt_room.h"

/* Maps @fd shared at an address of Valgrind's choice. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot,
						      Int fd, Off64T offset);

/* A raw system call. */
extern SysRes VG_(do_syscall)(UWord sysno, RegWord, RegWord, RegWord, RegWord,
			      RegWord, RegWord);

/* Moves a descriptor out of the program's reach; dies when it cannot. */
extern Int VG_(safe_fd)(Int oldfd);

/* Whether a thread is on its way out, say because of a deadly signal. */
extern Bool VG_(is_exiting)(ThreadId tid);

/* Where code at @orig is really taken from: elsewhere when it is replaced or
   wrapped. */
extern Addr VG_(redir_do_lookup)(Addr orig, Bool *is_wrap);

static inline Bool vt_is_redirected(Addr addr)
{
	Bool is_wrap;

	return VG_(redir_do_lookup)(addr, &is_wrap) != addr;
}

static inline SysRes vt_syscall3(UWord number, UWord a, UWord b, UWord c)
{
	return VG_(do_syscall)(number, a, b, c, 0, 0, 0);
}

#endif
