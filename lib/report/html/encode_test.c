/* SPDX-License-Identifier: GPL-2.0-or-later */
/* encode_test.c - tests encode.c against published values and zlib */

#include "lib/report/html/encode.h"

#include <stdlib.h>
#include <zlib.h>

#include "tests/tap.h"

static void test_sha256(void)
{
	static const struct {
		const char *text, *hash;
	} known[] = {
		{"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
		{"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
	};
	char out[AL_SHA256_BASE64];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		al_sha256_format_base64(known[i].text, strlen(known[i].text),
					out);
		is_str(out, known[i].hash, "SHA-256 of FIPS 180's examples");
	}
}

static void test_base64(void)
{
	static const char *const known[] = {
		"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
	char *text;
	size_t n;
	FILE *f;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		f = open_memstream(&text, &n);
		al_base64_write(f, "foobar", i);
		fclose(f);
		is_str(text, known[i], "base64 of RFC 4648's examples");
		free(text);
	}
}

static void test_gzip(void)
{
	static char in[100000], back[sizeof(in)];
	z_stream z = {.next_out = (Bytef *)back, .avail_out = sizeof(back)};
	size_t size = 0, again = 0;
	void *packed, *twice;

	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (char)(i * i % 251);
	packed = al_gzip_compress(in, sizeof(in), &size);
	twice = al_gzip_compress(in, sizeof(in), &again);
	ok(packed && twice && size == again && !memcmp(packed, twice, size),
	   "equal bytes are compressed equally");
	z.next_in = packed;
	z.avail_in = (uInt)size;
	ok(inflateInit2(&z, 31) == Z_OK &&
		   inflate(&z, Z_FINISH) == Z_STREAM_END,
	   "the result is a gzip file");
	ok(!memcmp(in, back, sizeof(in)), "it has the original bytes");
	inflateEnd(&z);
	free(packed);
	free(twice);
}

int main(void)
{
	test_sha256();
	test_base64();
	test_gzip();
	return done_testing();
}
