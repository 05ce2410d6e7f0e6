/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_descriptors.h - stores the descriptions that were logged, and finds
 * them by their contents
 *
 * Code that is translated again mostly has the same description as before. The
 * table finds it, so that the block has the same id and routes in all of its
 * translations, and nothing is logged or stored twice.
 */
#ifndef VGTOOL_INSTRUMENT_KNOWN_DESCRIPTORS_H
#define VGTOOL_INSTRUMENT_KNOWN_DESCRIPTORS_H

#include <libvex.h>

#include "vgtool/core/prelude.h"

/* All log records that describe a block. */
struct vt_descriptor {
	struct pt_log_block *block;
	struct pt_log_values *values; /* NULL: no slot holds a value, a time
					 stamp or an instruction count */
	struct pt_log_lanes *lanes;   /* NULL: all lanes (windows' thread
					 filters) record the block */
	/* number of the object file, from
	   vt_objects_find_or_assign_number_or_0() */
	UInt object;
};

enum { VT_NO_DESCRIPTOR = 0xffffffff };

/* Record that Valgrind has discarded a translation of the code in @extents,
   which may be translated again. @unused_start: address of the block, unused.
   */
void vt_known_note_code_pages_discarded(Addr unused_start,
					VexGuestExtents extents);

/* Return the id of a stored description that equals @d except for id and route;
   VT_NO_DESCRIPTOR if there is none, or if no translation of code on the page
   of its first instruction was discarded. */
UInt vt_known_find_discarded_equal_or_none(const struct vt_descriptor *d);

/* Add a copy of a description. The copy's id is the value of
   vt_known_n_descriptors() before this call. Return the block's record in the
   copy, which is never freed. */
const struct pt_log_block *
vt_known_add_descriptor_copy(const struct vt_descriptor *);

/* Return the description whose id is @existing_id, which must be less than
   vt_known_n_descriptors(). The pointer is valid until the next description is
   added. */
const struct vt_descriptor *vt_known_descriptor_by_id(UInt existing_id);

/* Hide all present descriptions from vt_known_find_discarded_equal_or_none(),
   because another recording plan numbers lanes (windows' thread filters)
   differently. Their ids stay valid. */
void vt_known_clear_descriptor_search_index(void);

/* Return the number of blocks whose descriptions are stored. */
UInt vt_known_n_descriptors(void);

/* Return the total size of the records of all stored descriptions [bytes]. */
ULong vt_known_descriptor_bytes(void);

#endif
