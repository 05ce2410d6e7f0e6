/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_unit.c - writes units that end with a text; see text_unit.h */

#include "vgtool/heap/text_unit.h"

enum {
	MAX_TEXT = 960, /* [bytes] greatest length of a text; the rest is
			    not written */
	TEXT_WORDS = MAX_TEXT / 8,
};

void vt_text_unit_write_when_room(enum pt_kind kind, UInt id,
				  const ULong *first_words, UInt n_words,
				  const HChar *text)
{
	ULong word[VT_TEXT_UNIT_WORDS + TEXT_WORDS];
	UInt length = VG_(strlen)(text), n;

	if (length > MAX_TEXT)
		length = MAX_TEXT;
	n = (length + 7) / 8;
	VG_(memset)(word, 0, (n_words + n) * sizeof(*word));
	VG_(memcpy)(word, first_words, n_words * sizeof(*word));
	VG_(memcpy)(word + n_words, text, length);
	vt_ring_write_control_unit_when_room(kind, id, word, n_words + n);
}
