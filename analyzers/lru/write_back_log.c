/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_back_log.c - lists lines that are written back; see write_back_log.h */

#include "analyzers/lru/write_back_log.h"

#include <stdlib.h>

void an_write_back_log_append_or_set_failed(struct an_write_back_log *l,
					    uint64_t line_addr,
					    uint32_t miss_index, uint32_t level)
{
	size_t size = l->size ? 2 * l->size : 256;
	struct an_write_back *bigger;

	if (l->n == l->size) {
		bigger = reallocarray(l->item, size, sizeof(*bigger));
		if (bigger == NULL) {
			l->failed = true;
			return;
		}
		l->item = bigger;
		l->size = size;
	}
	l->item[l->n++] = (struct an_write_back){line_addr, miss_index, level};
}

void an_write_back_log_release(struct an_write_back_log *l)
{
	free(l->item);
	*l = (struct an_write_back_log){0};
}
