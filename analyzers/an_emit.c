/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_emit.c - memory for machine code; see an_emit.h */

#include "analyzers/an_emit.h"

#include <string.h>
#include <sys/mman.h>

bool an_emit_init(struct an_emit *e, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	*e = (struct an_emit){p, 0, size};
	return true;
}

void an_emit_release(struct an_emit *e)
{
	if (e->code != NULL)
		munmap(e->code, e->size);
	*e = (struct an_emit){0};
}

void an_emit(struct an_emit *e, uint64_t value, unsigned n)
{
	memcpy(e->code + e->used, &value, n);
	e->used += n;
}

void an_emit_bytes(struct an_emit *e, const uint8_t *byte, unsigned n)
{
	memcpy(e->code + e->used, byte, n);
	e->used += n;
}

void an_emit_jump_to(struct an_emit *e, size_t target)
{
	an_emit(e, target - (e->used + 4), 4);
}

void an_emit_land(struct an_emit *e, size_t at)
{
	uint32_t distance = (uint32_t)(e->used - (at + 4));

	memcpy(e->code + at, &distance, 4);
}
