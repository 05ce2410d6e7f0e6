/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_unit.h - writes units that end with a text, such as a path
 */
#ifndef VGTOOL_HEAP_TEXT_UNIT_H
#define VGTOOL_HEAP_TEXT_UNIT_H

#include "vgtool/core/prelude.h"
#include "vgtool/transport/ring.h"

enum { VT_TEXT_UNIT_WORDS = 4 }; /* most words before the text */

/* Write a control unit with @n_words words, then @text, which is cut to 960
   bytes and padded with zeros up to the end of a word. Waits for room in the
   ring. */
void vt_text_unit_write_when_room(enum pt_kind kind, UInt id, const ULong *word,
				  UInt n_words, const HChar *text);

#endif
