/* SPDX-License-Identifier: GPL-2.0-or-later */
/* encode.c - gzip, base64 and SHA-256 (FIPS 180-4); see encode.h */

#include "lib/report/html/encode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	GZIP_WINDOW = 15 + 16, /* largest window; 16: with a gzip header */
	BLOCK = 64,	       /* [bytes] of SHA-256 */
	ROUNDS = 64,
	DIGEST = 32, /* [bytes] */
};

/* ---- gzip ---- */

void *al_gzip_compress(const void *data, size_t bytes, size_t *size)
{
	z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)bytes};
	void *out = NULL;

	if (bytes > UINT32_MAX / 2 ||
	    deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	z.avail_out = (uInt)deflateBound(&z, bytes);
	z.next_out = out = malloc(z.avail_out);
	if (out != NULL && deflate(&z, Z_FINISH) != Z_STREAM_END) {
		free(out);
		out = NULL;
	}
	*size = z.total_out;
	deflateEnd(&z);
	return out;
}

/* ---- base64 ---- */

/* Format up to three bytes as four characters. */
static void encode_three_bytes(const unsigned char *in, size_t bytes,
			       char out[4])
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t v = (uint32_t)in[0] << 16;

	if (bytes > 1)
		v |= (uint32_t)in[1] << 8;
	if (bytes > 2)
		v |= in[2];
	for (int i = 0; i < 4; i++)
		out[i] = digit[v >> (18 - 6 * i) & 63];
	for (size_t i = bytes + 1; i < 4; i++)
		out[i] = '=';
}

void al_base64_write(FILE *file, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	char out[4];

	for (size_t i = 0; i < bytes; i += 3) {
		encode_three_bytes(p + i, bytes - i < 3 ? bytes - i : 3, out);
		fwrite(out, 1, sizeof(out), file);
	}
}

/* ---- SHA-256 ---- */

static const uint32_t round_constant[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, int bits)
{
	return x >> bits | x << (32 - bits);
}

/* Expand a block of 64 bytes to the 64 words of the rounds. */
static void expand_block_to_words(const unsigned char *block,
				  uint32_t w[ROUNDS])
{
	uint32_t a, b;

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 |
		       (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		a = w[i - 15];
		b = w[i - 2];
		a = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
		b = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
}

/* Update the SHA-256 state @h with one block of 64 bytes. */
static void hash_block(uint32_t h[8], const unsigned char *block)
{
	uint32_t w[ROUNDS], s[8], t1, t2;

	expand_block_to_words(block, w);
	memcpy(s, h, sizeof(s));
	for (int i = 0; i < ROUNDS; i++) {
		t1 = s[7] +
		     (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^
		      rotate_right(s[4], 25)) +
		     ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constant[i] +
		     w[i];
		t2 = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^
		      rotate_right(s[0], 22)) +
		     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}

/* Update @h with the last bytes, fewer than a block, and the padding. */
static void hash_last_bytes_and_length(uint32_t h[8],
				       const unsigned char *last_bytes,
				       size_t total_bytes)
{
	unsigned char block[2 * BLOCK] = {0};
	size_t n = total_bytes % BLOCK;
	size_t size = n < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	uint64_t bits = (uint64_t)total_bytes * 8;

	memcpy(block, last_bytes, n);
	block[n] = 0x80;
	for (int i = 0; i < 8; i++)
		block[size - 1 - (size_t)i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < size; i += BLOCK)
		hash_block(h, block + i);
}

void al_sha256_format_base64(const void *data, size_t bytes,
			     char out[AL_SHA256_BASE64])
{
	uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const unsigned char *p = data;
	unsigned char digest[DIGEST];
	size_t whole = bytes / BLOCK * BLOCK;

	for (size_t i = 0; i < whole; i += BLOCK)
		hash_block(h, p + i);
	hash_last_bytes_and_length(h, p + whole, bytes);
	for (int i = 0; i < DIGEST; i++)
		digest[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
	for (size_t i = 0; i < DIGEST; i += 3) {
		encode_three_bytes(digest + i, DIGEST - i < 3 ? DIGEST - i : 3,
				   out);
		out += 4;
	}
	*out = '\0';
}
