/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_descriptors.h - descriptions that the daemon has, found by their
 * contents
 *
 * Code that is translated again mostly has the same description as before. The
 * table finds it, so that a block keeps its id and routes however often it is
 * translated, and nothing is logged or stored twice.
 */
#ifndef VGTOOL_INSTRUMENT_KNOWN_DESCRIPTORS_H
#define VGTOOL_INSTRUMENT_KNOWN_DESCRIPTORS_H

#include <libvex.h>

#include "vgtool/core/prelude.h"

/* All records of the log that describe a block. */
struct vt_described {
	struct pt_log_block *block;
	struct pt_log_values *values; /* NULL: every slot is an address */
	struct pt_log_wanted *wanted; /* NULL: every lane wants it */
	UInt object;		      /* from vt_objects_number() */
};

enum { VT_UNKNOWN = 0xffffffff };

/* Note that Valgrind has discarded a translation of the code in @extents, which
   may be translated again. */
void vt_known_discard(Addr start, VexGuestExtents extents);

/* Return the id of a description of discarded code that equals @d in all but id
   and route; VT_UNKNOWN: none. */
UInt vt_known_find(const struct vt_described *);

/* Add a copy of a description, whose id is vt_known_n(); return the copy,
   which stays where it is. */
const struct pt_log_block *vt_known_add(const struct vt_described *);

/* Return the description with an id below vt_known_n(); valid until the next
   one is added. */
const struct vt_described *vt_known_get(UInt id);

/* Exclude all present descriptions from vt_known_find(), since another plan
   numbers lanes differently. Ids stay. */
void vt_known_forget(void);

/* Return the number of descriptions. */
UInt vt_known_n(void);

/* Return the size of all descriptions [bytes]. */
ULong vt_known_bytes(void);

#endif
