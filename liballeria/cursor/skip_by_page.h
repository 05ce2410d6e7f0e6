/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skip_by_page.h - chunks that touch no memory that a cursor asks for
 *
 * Heads tell the pages that units touch. Which pages of code have what a filter
 * names, an object or a function, follows from descriptors: those that lie
 * before the chunk are read for it.
 */
#ifndef LIBALLERIA_CURSOR_SKIP_BY_PAGE_H
#define LIBALLERIA_CURSOR_SKIP_BY_PAGE_H

#include "liballeria/cursor/cursor.h"

/* Whether a chunk may have a record that passes, as far as its pages tell. */
bool ap_touches(struct alleria_cursor *, uint32_t entry);

void ap_touch_release(struct alleria_cursor *);

#endif
