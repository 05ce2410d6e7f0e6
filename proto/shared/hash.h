/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - FNV-1a, a hash of 64 bits
 *
 * It detects that text has changed; it resists no attack.
 */
#ifndef PROTO_SHARED_HASH_H
#define PROTO_SHARED_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PT_HASH_START UINT64_C(0xcbf29ce484222325) /* hash of no bytes */

/* Return @hash updated with the @bytes bytes at @data. @hash: PT_HASH_START to
   begin, or the hash of all preceding bytes. */
static inline uint64_t pt_hash_update_with_bytes(uint64_t hash,
						 const void *data, size_t bytes)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
