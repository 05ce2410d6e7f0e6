/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending_requests.h - marks, and a flush, that somebody asks the daemon for
 */
#ifndef VGTOOL_TRANSPORT_PENDING_REQUESTS_H
#define VGTOOL_TRANSPORT_PENDING_REQUESTS_H

#include "vgtool/core/prelude.h"

/* @bytes: of the name, with its end if it has one. */
void vt_asked_mark(const HChar *name, UInt bytes);
void vt_asked_flush(void);

/* Does what was asked for. Context: no code is running. */
void vt_asked_do(void);

#endif
