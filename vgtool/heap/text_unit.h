/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_unit.h - writes units that end with a text, such as a path
 */
#ifndef VGTOOL_HEAP_TEXT_UNIT_H
#define VGTOOL_HEAP_TEXT_UNIT_H

#include "vgtool/core/prelude.h"
#include "vgtool/transport/ring.h"

enum {
	VT_TEXT_UNIT_WORDS = 4
}; /* greatest number of words that
				     precede the text */

/* Write a control unit that holds @n_words (at most VT_TEXT_UNIT_WORDS) words,
   then the first 960 bytes of @text at most, without its NUL, padded with
   zeros to a multiple of 8 bytes. Wait until the ring has room for it. */
void vt_text_unit_write_when_room(enum pt_kind kind, UInt id,
				  const ULong *first_words, UInt n_words,
				  const HChar *text);

#endif
