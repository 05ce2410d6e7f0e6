/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - object files and the debug files split from them
 *
 * Threads: the caller locks.
 *
 * Files are read, not mapped: one that is truncated meanwhile gives an error
 * and no SIGBUS.
 */
#ifndef LIB_SYMBOLS_ELF_H
#define LIB_SYMBOLS_ELF_H

#include <gelf.h>
#include <stdbool.h>

struct al_elf {
	int fd;
	Elf *elf; /* NULL: not open */
};

/**
 * al_elf_open() - Open a regular ELF file; others are not touched.
 *
 * Return: 0 or -errno, -ENOEXEC when it is no ELF file; then elf is NULL.
 */
int al_elf_open(struct al_elf *, const char *path);

/* Accepts one that is not open. */
void al_elf_close(struct al_elf *);

/* Whether the section is there; fills @header, which may be NULL. */
bool al_elf_section(Elf *, const char *name, GElf_Shdr *header);

/* Its build id in hex, as far as @size allows; "" when it has none. */
void al_elf_build_id(Elf *, char *id, size_t size);

/**
 * al_elf_open_debug() - Open the file that holds @main's debug information.
 * @path: of @main.
 *
 * Looks where Valgrind looks, without its servers: by build id under
 * /usr/lib/debug/.build-id; by the name in .gnu_debuglink beside the file, in
 * .debug there, and in the file's directory under /usr/lib/debug. A file with
 * another build id, or, where @main has none, another checksum is refused.
 *
 * Return: 0 or -ENOENT.
 */
int al_elf_open_debug(struct al_elf *, const char *path, Elf *main);

#endif
