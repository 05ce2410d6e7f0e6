/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.c - object files and the debug files split from them
 */
#include "lib/symbols/elf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the split file must match. */
struct want {
	const void *build_id;
	ssize_t build_id_len; /* <= 0: go by the checksum */
	GElf_Word crc;
};

/* The path comes from the traced program: a pipe must not stop us. */
static int open_regular(const char *path)
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

int al_elf_open(struct al_elf *e, const char *path)
{
	e->elf = NULL;
	e->fd = open_regular(path);
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

void al_elf_close(struct al_elf *e)
{
	if (!e->elf)
		return;
	elf_end(e->elf);
	close(e->fd);
	e->elf = NULL;
}

bool al_elf_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr mem;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return false;
	if (!header)
		header = &mem;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *this;

		if (!gelf_getshdr(scn, header))
			continue;
		this = elf_strptr(elf, names, header->sh_name);
		if (this && !strcmp(this, name))
			return true;
	}
	return false;
}

/* CRC-32 of the file as .gnu_debuglink has it: reflected, 0xedb88320. */
static GElf_Word checksum(int fd)
{
	uint32_t table[256], crc = ~0u;
	unsigned char buf[1 << 16];
	off_t at = 0;
	ssize_t n;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1) * 0xedb88320;
	}
	for (; (n = pread(fd, buf, sizeof(buf), at)) > 0; at += n)
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool is_wanted(const struct al_elf *e, const struct want *want)
{
	const void *id;

	if (want->build_id_len <= 0)
		return checksum(e->fd) == want->crc;
	return dwelf_elf_gnu_build_id(e->elf, &id) == want->build_id_len &&
	       !memcmp(id, want->build_id, (size_t)want->build_id_len);
}

static bool try(struct al_elf *e, const struct want *want, const char *path)
{
	if (al_elf_open(e, path) < 0)
		return false;
	if (is_wanted(e, want))
		return true;
	al_elf_close(e);
	return false;
}

static bool by_build_id(struct al_elf *e, const struct want *want)
{
	static const char dir[] = "/usr/lib/debug/.build-id/";
	const unsigned char *id = want->build_id;
	char path[sizeof(dir) + 2 * 64 + sizeof("/.debug")];
	char *p = path + sizeof(dir) - 1;

	if (want->build_id_len < 2 || want->build_id_len > 64)
		return false;
	memcpy(path, dir, sizeof(dir));
	for (ssize_t i = 0; i < want->build_id_len; i++)
		p += sprintf(p, i == 1 ? "/%02x" : "%02x", id[i]);
	strcpy(p, ".debug");
	return try(e, want, path);
}

static bool by_link(struct al_elf *e, const struct want *want, const char *path,
		    const char *link)
{
	static const struct {
		const char *before, *after;
	} dir[] = {{"", "/"}, {"", "/.debug/"}, {"/usr/lib/debug", "/"}};
	const char *slash = strrchr(path, '/');
	int len = slash ? (int)(slash - path) : 0;
	char candidate[PATH_MAX];

	for (size_t i = 0; i < sizeof(dir) / sizeof(*dir); i++) {
		int n = snprintf(candidate, sizeof(candidate), "%s%.*s%s%s",
				 dir[i].before, len, path, dir[i].after, link);

		if (n < (int)sizeof(candidate) && strcmp(candidate, path) &&
		    try(e, want, candidate))
			return true;
	}
	return false;
}

int al_elf_open_debug(struct al_elf *e, const char *path, Elf *main)
{
	struct want want = {0};
	const char *link = dwelf_elf_gnu_debuglink(main, &want.crc);

	e->elf = NULL;
	want.build_id_len = dwelf_elf_gnu_build_id(main, &want.build_id);
	if (by_build_id(e, &want) || (link && by_link(e, &want, path, link)))
		return 0;
	return -ENOENT;
}

void al_elf_build_id(Elf *elf, char *id, size_t size)
{
	const void *bytes;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);

	id[0] = '\0';
	for (ssize_t i = 0; i < n && 2 * (size_t)i + 3 <= size; i++)
		snprintf(id + 2 * i, 3, "%02x",
			 ((const unsigned char *)bytes)[i]);
}
