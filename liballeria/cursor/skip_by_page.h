/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skip_by_page.h - skips chunks whose pages do not pass a cursor's filter
 *
 * The head of a chunk lists the pages that its units access. If a filter names
 * an object or a function, the pages that hold it are computed from the
 * descriptors that precede the chunk.
 */
#ifndef LIBALLERIA_CURSOR_SKIP_BY_PAGE_H
#define LIBALLERIA_CURSOR_SKIP_BY_PAGE_H

#include "liballeria/cursor/cursor.h"

/* Whether the chunk in file block @entry_index may have a record that passes
   the filter, according to the pages in its head. Also true if the cursor
   returns events and the chunk has control units, or if it returns branches and
   a thread of the chunk was last at an instruction that passes, from which it
   may branch into the chunk. */
bool ap_chunk_pages_may_pass_filter(struct alleria_cursor *,
				    uint32_t entry_index);

/* Free the cursor's list of the numbers of those pages that hold code which
   passes its filter. */
void ap_cursor_free_passing_page_numbers(struct alleria_cursor *);

#endif
