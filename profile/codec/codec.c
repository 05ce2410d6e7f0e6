/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codec.c - creates coders; see codec.h, encode.c and decode.c */

#include "profile/codec/codec.h"

#include <stdlib.h>

#include "profile/codec/coder_state.h"

struct pf_coder *pf_coder_new(void)
{
	struct pf_coder *c = malloc(sizeof(*c));

	if (c)
		c->content = NULL;
	return c;
}

void pf_coder_free(struct pf_coder *c)
{
	free(c);
}

size_t pf_max_code_bytes(size_t bytes_of_all_units)
{
	return pf_columns_max_code_bytes(bytes_of_all_units);
}

size_t pf_max_unit_headers_in_bytes(size_t unit_bytes)
{
	return unit_bytes / 4;
}

void pf_coder_set_content_output(struct pf_coder *c,
				 struct pf_chunk_content *content_out_or_null)
{
	c->content = content_out_or_null;
}
