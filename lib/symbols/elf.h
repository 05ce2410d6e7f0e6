/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - opens object files and their separate debug files
 *
 * Threads: the caller locks.
 *
 * Files are read, not mapped: a file that is truncated while it is in use
 * causes an error and no SIGBUS.
 */
#ifndef LIB_SYMBOLS_ELF_H
#define LIB_SYMBOLS_ELF_H

#include <gelf.h>
#include <stdbool.h>

/* An open ELF file. */
struct al_elf {
	int fd;	  /* -1: the descriptor is closed */
	Elf *elf; /* handle of libelf; NULL: the file is not open */
};

/**
 * al_elf_open_file() - Open a regular ELF file.
 *
 * Return: 0; -errno, -ENOEXEC if it is not regular or not ELF. After an error,
 *         elf is NULL.
 */
int al_elf_open_file(struct al_elf *, const char *path);

/* Close the file, if it is open. */
void al_elf_close_file(struct al_elf *);

/* Close the descriptor of an open file. What was read of the file stays in
   memory; the rest can no longer be read. */
void al_elf_close_descriptor(struct al_elf *);

/* Whether the file has a section named @name. @header_or_null: NULL, or
   receives the header of the first such section. */
bool al_elf_find_section(Elf *, const char *name, GElf_Shdr *header_or_null);

/* Write the build id in hex and a NUL to @id of @size bytes, without the last
   digits if they do not fit; "" if the file has no build id. */
void al_elf_format_build_id(Elf *, char *id, size_t size);

/**
 * al_elf_find_and_open_debug_file() - Open the separate debug file of @main.
 * @main_path: path of @main.
 *
 * Searches the directories that Valgrind searches, but asks no server: by build
 * id under /usr/lib/debug/.build-id; by the name in .gnu_debuglink in the
 * directory of @main_path, in its subdirectory .debug, and in that directory
 * under /usr/lib/debug; if DEBUGINFOD_URLS is set, among the files that
 * Valgrind or another client of debuginfod has fetched. A file whose build id
 * differs is refused; if @main has no build id, a file whose checksum differs
 * from that in .gnu_debuglink.
 *
 * Return: 0 or -ENOENT.
 */
int al_elf_find_and_open_debug_file(struct al_elf *, const char *main_path,
				    Elf *main);

#endif
