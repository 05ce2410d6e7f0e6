/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replaceable.c - decides which files an output may replace; see replaceable.h
 */
#include "base/system/replaceable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* First 4 bytes of files that are replaced only with --force. */
static const uint32_t protected_magics[] = {
	AL_PROFILE_MAGIC, 0x464c457f /* an ELF file: "\x7f" "ELF" */
};

static char **input;
static size_t n_inputs;
static bool is_forced;

void al_replace_protect_input(const char *path)
{
	char **bigger = realloc(input, (n_inputs + 1) * sizeof(*bigger));

	if (!bigger)
		return;
	input = bigger;
	input[n_inputs] = strdup(path);
	n_inputs += input[n_inputs] != NULL;
}

void al_replace_allow_profile_or_elf(bool allowed)
{
	is_forced = allowed;
}

bool al_replace_can_overwrite_profile_or_elf(void)
{
	return is_forced;
}

/* Whether @st describes one of the inputs. The names of the inputs are resolved
   anew, since a name may now refer to another file, and an inode may have
   another name. */
static bool is_protected_input_file(const struct stat *st)
{
	struct stat in;

	for (size_t i = 0; i < n_inputs; i++)
		if (!stat(input[i], &in) && in.st_dev == st->st_dev &&
		    in.st_ino == st->st_ino)
			return true;
	return false;
}

/* Return -EEXIST if the file begins like a profile or an ELF program; 0 if it
   does not, or does not exist; another -errno if it cannot be opened. */
static int return_eexist_if_profile_or_program(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint32_t magic = 0;
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	n = read(fd, &magic, sizeof(magic));
	close(fd);
	for (size_t i = 0;
	     i < sizeof(protected_magics) / sizeof(protected_magics[0]); i++)
		if (n == sizeof(magic) && magic == protected_magics[i])
			return -EEXIST;
	return 0;
}

int al_replace_check_output(const char *output_path)
{
	struct stat st;

	if (stat(output_path, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	if (is_protected_input_file(&st))
		return -EBUSY;
	return is_forced ? 0 : return_eexist_if_profile_or_program(output_path);
}

const char *al_replace_output_file_error_text(int err)
{
	switch (err < 0 ? -err : err) {
	case EBUSY:
		return "this command reads or runs that file";
	case ECANCELED:
		return "given up, because no process reads it";
	case EEXIST:
		return "it is a profile or program; --force replaces it";
	default:
		return strerror(err < 0 ? -err : err);
	}
}
