/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encode.h - encodes data for a page: gzip, base64, and hashes of scripts and
 * style sheets
 *
 * Equal input gives equal output.
 *
 * Threads: any.
 */
#ifndef LIB_REPORT_HTML_ENCODE_H
#define LIB_REPORT_HTML_ENCODE_H

#include <stddef.h>
#include <stdio.h>

enum { AL_SHA256_BASE64 = 45 /* [bytes] of a SHA-256 in base64, with NUL */ };

/* Compress @bytes bytes at @data as a gzip file without name and time. @size:
   [bytes] receives the size of the result. Return: the result, for free(); NULL
   if memory is short or @bytes is more than UINT32_MAX / 2. */
void *al_gzip_compress(const void *data, size_t bytes, size_t *size);

/* Write @bytes bytes at @data in base64, with padding, in one line. */
void al_base64_write(FILE *, const void *data, size_t bytes);

/* Format the SHA-256 of @bytes bytes at @data in base64, as content security
   policies have it. */
void al_sha256_format_base64(const void *data, size_t bytes,
			     char out[AL_SHA256_BASE64]);

#endif
