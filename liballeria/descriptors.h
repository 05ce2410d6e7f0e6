/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptors.h - the descriptors of an image, read as far as they are needed
 *
 * Threads: the profile's lock is held, but where it says otherwise.
 */
#ifndef LIBALLERIA_DESCRIPTORS_H
#define LIBALLERIA_DESCRIPTORS_H

#include "liballeria/profile.h"

/* Reads the descriptors that lie before block @entry of the file. 0; -EBADMSG
   when some are missing or broken; -ENOMEM; -errno of reading. */
int ap_stream_ready(struct ap_stream *, uint32_t entry);

/* [bytes] of the log that lie before it. */
uint64_t ap_stream_log_at(const struct ap_stream *, uint32_t entry);

/* The block that a route belongs to, as far as threads of a class want it
   (lib/recover/thread_filter.h). -EPROTO: there is no such route. */
int ap_block_of_route(struct ap_stream *, uint32_t route, unsigned class,
		      const struct ap_block **);

/* A block stopped by a fault; see al_executed_cut(). NULL: none wants it. */
int ap_block_cut(struct ap_stream *, uint32_t id, uint64_t how, unsigned class,
		 const struct ap_block **);

#endif
