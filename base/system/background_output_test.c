/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * background_output_test.c - tests that a stream writes all bytes in order,
 *                            whatever their number, and returns errors
 */
#include "base/system/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

/* Whether @n numbers of 4 bytes that are written to a stream, @at_once in each
   call, are then in the file. */
static bool are_numbers_in_file(uint32_t n, uint32_t at_once)
{
	int fd = memfd_create("test", 0), copy = dup(fd);
	FILE *f = al_background_open_write_stream(fd);
	uint32_t *number = malloc((n + 1) * sizeof(*number));
	size_t bytes = n * sizeof(*number);
	bool is_equal;
	struct stat st;

	for (uint32_t i = 0; i < n; i++)
		number[i] = i;
	for (uint32_t i = 0; i < n; i += at_once)
		fwrite(number + i, sizeof(*number),
		       n - i < at_once ? n - i : at_once, f);
	is_equal = fclose(f) == 0 && fstat(copy, &st) == 0 &&
		   (size_t)st.st_size == bytes;
	memset(number, 0, bytes);
	is_equal = is_equal && pread(copy, number, bytes, 0) == (ssize_t)bytes;
	for (uint32_t i = 0; i < n; i++)
		is_equal = is_equal && number[i] == i;
	free(number);
	close(copy);
	return is_equal;
}

/* Write @bytes zeros to a full device. Return the errno of fclose(), or 0; set
   *@is_write_failed to whether a write failed before. */
static int write_to_full_device(size_t bytes, bool *is_write_failed)
{
	FILE *f = al_background_open_write_stream(open("/dev/full", O_WRONLY));
	int err;

	*is_write_failed = false;
	for (size_t i = 0; i < bytes && !*is_write_failed; i++)
		*is_write_failed = putc(0, f) == EOF;
	errno = 0;
	err = fclose(f) == 0 ? 0 : errno;
	return err;
}

int main(void)
{
	bool is_write_failed;

	ok(are_numbers_in_file(0, 1), "an empty file");
	ok(are_numbers_in_file(5, 1), "a short file");
	ok(are_numbers_in_file(1 << 16, 1000), "a file as long as a buffer");
	ok(are_numbers_in_file(1 << 17, 1 << 17), "as two buffers");
	ok(are_numbers_in_file(3000000, 1), "a long file");
	ok(are_numbers_in_file(3000000, 4099), "in long parts");
	is_u64(write_to_full_device(5, &is_write_failed), ENOSPC,
	       "an error is returned when a short file is closed");
	is_u64(write_to_full_device(1 << 18, &is_write_failed), ENOSPC,
	       "and when a longer one is");
	write_to_full_device(1 << 22, &is_write_failed);
	ok(is_write_failed, "and to a write, while the file is written");
	return done_testing();
}
