/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_file.h - finds the object file that contains the code at an address
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_CODE_FILE_H
#define LIB_RECOVER_CODE_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct al_blocks;
struct al_desc;
struct al_mappings;

/* An object file that contains some code. */
struct al_code_file {
	const char *path; /* interned */
	bool is_in_text;  /* the code lies in a mapping (mappings.h), which has
			      only the section .text of the file */
	bool is_bias_known; /* always, if is_in_text */
	uint64_t bias;	    /* address = value in the file's symbols + bias */
};

/**
 * al_code_file_find_path_and_bias() - Find the object file of the code at
 * @addr when the log had @log_offset bytes.
 * @blocks: blocks and mappings of the exec image. Code outside of .text is
 *          found only if a block that contains it had been described.
 *
 * Return: false, with @file undefined, if no file is known.
 */
bool al_code_file_find_path_and_bias(const struct al_blocks *blocks,
				     uint64_t addr, uint64_t log_offset,
				     struct al_code_file *file);

/* Whether the bytes of an instruction of the block include @addr. */
bool al_desc_has_instr_with_byte_at(const struct al_desc *, uint64_t addr);

/* Set @bias to the load bias of a current mapping of the file @interned_path:
   an address = the value in the file's symbols + the bias. Return: false if the
   file is not mapped now. */
bool al_code_file_find_bias(const struct al_mappings *,
			    const char *interned_path, uint64_t *bias);

#endif
