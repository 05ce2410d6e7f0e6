/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending_requests.h - stores the marks and flushes that a user has requested
 * from the daemon, until they can be carried out
 */
#ifndef VGTOOL_TRANSPORT_PENDING_REQUESTS_H
#define VGTOOL_TRANSPORT_PENDING_REQUESTS_H

#include "vgtool/core/prelude.h"

/* Add a request for a mark. @name_bytes: length of @name, which need not end
   with a NUL; it is cut to PT_MAX_NAME. */
void vt_pending_add_mark(const HChar *name, UInt name_bytes);

/* Add a request to publish the current chunk. */
void vt_pending_set_ring_flush(void);

/* Write all requested marks. If a flush was requested, publish the current
   chunk, unless the ring has no room for the next one. All requests are then
   removed, even a flush that found no room. Context: no translated code is
   running. */
void vt_pending_write_marks_and_publish_chunk(void);

#endif
