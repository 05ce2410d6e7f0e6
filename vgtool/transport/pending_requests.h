/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_asked.h - marks, and a flush, that somebody asks the daemon for
 */
#ifndef VT_ASKED_H
#define VT_ASKED_H

#include "vgtool/core/prelude.h"

/* @bytes: of the name, with its end if it has one. */
void vt_asked_mark(const HChar *name, UInt bytes);
void vt_asked_flush(void);

/* Does what was asked for. Context: no code is running. */
void vt_asked_do(void);

#endif
