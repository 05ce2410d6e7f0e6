/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.c - opens object files and their separate debug files; see elf.h
 */
#include "lib/symbols/elf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/symbols/debug_folders.h"

/* Identity that the separate debug file must have. */
struct identity {
	const void *build_id;
	ssize_t build_id_len; /* length of the build id [bytes]; <= 0: there is
				 none, and @crc is compared */
	GElf_Word crc;	      /* CRC-32 of the whole debug file */
};

/* Open a regular file for reading. The traced program chooses the path, so
   opening a FIFO must not block. Return: descriptor; -ENOEXEC if the file is
   not regular; another -errno. */
static int open_regular_file_or_error(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOEXEC;
	}
	return fd;
}

int al_elf_open_file(struct al_elf *e, const char *path)
{
	e->elf = NULL;
	e->fd = open_regular_file_or_error(path);
	if (e->fd < 0)
		return e->fd;
	elf_version(EV_CURRENT);
	e->elf = elf_begin(e->fd, ELF_C_READ, NULL);
	if (e->elf && elf_kind(e->elf) == ELF_K_ELF)
		return 0;
	elf_end(e->elf);
	close(e->fd);
	e->elf = NULL;
	return -ENOEXEC;
}

void al_elf_close_file(struct al_elf *e)
{
	if (!e->elf)
		return;
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	e->elf = NULL;
}

void al_elf_close_descriptor(struct al_elf *e)
{
	elf_cntl(e->elf, ELF_C_FDDONE);
	close(e->fd);
	e->fd = -1;
}

bool al_elf_find_section(Elf *elf, const char *name, GElf_Shdr *header_or_null)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr mem;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return false;
	if (!header_or_null)
		header_or_null = &mem;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *section_name;

		if (!gelf_getshdr(scn, header_or_null))
			continue;
		section_name = elf_strptr(elf, names, header_or_null->sh_name);
		if (section_name && !strcmp(section_name, name))
			return true;
	}
	return false;
}

/* Return the CRC-32 of a file (up to the first read error), computed as for
   .gnu_debuglink: reflected, polynomial 0xedb88320. */
static GElf_Word compute_file_crc32(int fd)
{
	uint32_t table[256], crc = ~0u;
	unsigned char buf[1 << 16];
	off_t offset = 0;
	ssize_t n;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1) * 0xedb88320;
	}
	for (; (n = pread(fd, buf, sizeof(buf), offset)) > 0; offset += n)
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool is_expected_debug_file(const struct al_elf *e,
				   const struct identity *expected)
{
	const void *id;

	if (expected->build_id_len <= 0)
		return compute_file_crc32(e->fd) == expected->crc;
	return dwelf_elf_gnu_build_id(e->elf, &id) == expected->build_id_len &&
	       !memcmp(id, expected->build_id, (size_t)expected->build_id_len);
}

/* Open @path if it is the debug file with the expected identity. Return:
   whether it was opened. */
static bool open_if_expected_debug_file(struct al_elf *e,
					const struct identity *expected,
					const char *path)
{
	if (al_elf_open_file(e, path) < 0)
		return false;
	if (is_expected_debug_file(e, expected))
		return true;
	al_elf_close_file(e);
	return false;
}

/* Open the debug file that the build id names under /usr/lib/debug/.build-id.
   Return: whether it was opened. */
static bool open_debug_by_build_id(struct al_elf *e,
				   const struct identity *expected)
{
	static const char dir[] = AL_DEBUG_FOLDER "/.build-id/";
	const unsigned char *id = expected->build_id;
	char path[sizeof(dir) + 2 * 64 + sizeof("/.debug")];
	char *p = path + sizeof(dir) - 1;

	if (expected->build_id_len < 2 || expected->build_id_len > 64)
		return false;
	memcpy(path, dir, sizeof(dir));
	for (ssize_t i = 0; i < expected->build_id_len; i++)
		p += sprintf(p, i == 1 ? "/%02x" : "%02x", id[i]);
	strcpy(p, ".debug");
	return open_if_expected_debug_file(e, expected, path);
}

/* Open the debug file that a client of debuginfod has fetched before. Return:
   whether it was opened. */
static bool open_debug_in_debuginfod_cache(struct al_elf *e,
					   const struct identity *expected)
{
	const unsigned char *id = expected->build_id;
	char dir[PATH_MAX], path[PATH_MAX], hex[2 * 64 + 1];

	if (expected->build_id_len < 2 || expected->build_id_len > 64 ||
	    !al_debuginfod_format_cache_path_if_used(dir))
		return false;
	for (ssize_t i = 0; i < expected->build_id_len; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	return snprintf(path, sizeof(path), "%s/%s/debuginfo", dir, hex) <
		       PATH_MAX &&
	       open_if_expected_debug_file(e, expected, path);
}

/* Search three folders for the debug file @debuglink_name, which .gnu_debuglink
   of the object @main_path names, and open it. Return: whether it was
   opened. */
static bool open_debug_by_debuglink(struct al_elf *e,
				    const struct identity *expected,
				    const char *main_path,
				    const char *debuglink_name)
{
	static const struct {
		const char *before, *after;
	} dir[] = {{"", "/"}, {"", "/.debug/"}, {AL_DEBUG_FOLDER, "/"}};
	const char *slash = strrchr(main_path, '/');
	int len = slash ? (int)(slash - main_path) : 0;
	char candidate[PATH_MAX];

	for (size_t i = 0; i < sizeof(dir) / sizeof(*dir); i++) {
		int n = snprintf(candidate, sizeof(candidate), "%s%.*s%s%s",
				 dir[i].before, len, main_path, dir[i].after,
				 debuglink_name);

		if (n < (int)sizeof(candidate) &&
		    strcmp(candidate, main_path) &&
		    open_if_expected_debug_file(e, expected, candidate))
			return true;
	}
	return false;
}

int al_elf_find_and_open_debug_file(struct al_elf *e, const char *main_path,
				    Elf *main)
{
	struct identity expected = {0};
	const char *link = dwelf_elf_gnu_debuglink(main, &expected.crc);

	e->elf = NULL;
	expected.build_id_len =
		dwelf_elf_gnu_build_id(main, &expected.build_id);
	if (open_debug_by_build_id(e, &expected) ||
	    (link && open_debug_by_debuglink(e, &expected, main_path, link)) ||
	    open_debug_in_debuginfod_cache(e, &expected))
		return 0;
	return -ENOENT;
}

void al_elf_format_build_id(Elf *elf, char *id, size_t size)
{
	const void *bytes;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);

	id[0] = '\0';
	for (ssize_t i = 0; i < n && 2 * (size_t)i + 3 <= size; i++)
		snprintf(id + 2 * i, 3, "%02x",
			 ((const unsigned char *)bytes)[i]);
}
