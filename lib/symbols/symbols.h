/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - finds function, file and line of an address in an object file
 *
 * Threads: any; every function locks what it uses.
 *
 * An object file is opened at the first lookup in it, or ahead, and its tables
 * stay in memory; its source lines are read when they are first looked up.
 * Names are chosen as by Valgrind, so that a report has the names of
 * Cachegrind's: an address outside all symbols is "???", never the nearest
 * symbol, and among aliases the same name is preferred. Split debug files are
 * found by build id under /usr/lib/debug, by .gnu_debuglink, and among the
 * files that debuginfod has fetched.
 */
#ifndef LIB_SYMBOLS_SYMBOLS_H
#define LIB_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text/data_type.h"
#include "base/text/source_location.h"
#include "lib/symbols/cached_names.h"

struct al_file_facts;
struct al_intern;
struct al_symbols;

/* Return a new state without objects, for al_symbols_free(); NULL with errno
   set. */
struct al_symbols *al_symbols_new(void);
void al_symbols_free(struct al_symbols *);

/* Return the only copy of @string; equal strings have equal addresses. It is
   valid until al_symbols_free(). Never NULL: "???" if memory is short. */
const char *al_symbols_intern_or_question_marks(struct al_symbols *,
						const char *string);

/* Return the table that al_symbols_intern_or_question_marks() stores strings
   in. */
struct al_intern *al_symbols_intern_table(struct al_symbols *);

/* Add an object, unless it is known, and wake a background thread, created at
   the first call, that reads the files of all objects in order of addition.
   @interned_path: path of the object's file, interned. */
void al_symbols_read_in_background(struct al_symbols *,
				   const char *interned_path);

/* Acquire all locks before a fork, or release them after it in parent and
   child, so that the child can use the symbols. al_symbols_lock_all() waits
   while an object is read. */
void al_symbols_lock_all(struct al_symbols *);
void al_symbols_unlock_all(struct al_symbols *);

/* Set @out for an instruction of which only the object is known.
   @interned_path: path of the object's file, interned, or NULL. */
void al_symbols_init_symbol_with_object_name(struct al_symbols *,
					     const char *interned_path,
					     struct an_symbol *out);

/**
 * al_symbols_add_name_stored_in_profile() - Add the name of one instruction of
 * an object.
 * @interned_path: the object's file, interned.
 * @name: address, any value, as in the symbol table of the object's file;
 *        function and file, interned, the file with its directory; and line.
 *
 * After the first call, lookups of names in this object use only names added by
 * such calls; its file is read only for types. All other instructions of it
 * have no names. Return: 0; -ENOMEM.
 */
int al_symbols_add_name_stored_in_profile(struct al_symbols *,
					  const char *interned_path,
					  const struct al_cached_name *name);

/**
 * al_symbols_add_cached_inlined_call() - Add the call that one instruction was
 * inlined into.
 * @interned_path: the object's file, interned.
 * @call: address of the instruction, as in the symbol table of the object's
 *        file; file of the call, interned, with its directory; and line. The
 *        function is not used.
 *
 * A lookup uses the call only if the instruction has a name that was added.
 * Return: 0; -ENOMEM.
 */
int al_symbols_add_cached_inlined_call(struct al_symbols *,
				       const char *interned_path,
				       const struct al_cached_name *call);

/* Return the table of build ids of objects and hashes of source files; owned by
   the symbols. */
struct al_file_facts *al_symbols_file_facts(struct al_symbols *);

/* Return the path of the object with an index, from 0, in the order in which
   objects were first passed to a function of this file; NULL: there are not so
   many objects. */
const char *al_symbols_object_path_or_null(struct al_symbols *,
					   size_t object_index);

/**
 * al_symbols_fill_symbol_at_address() - Find function, file and line of an
 * instruction, and the call that it was inlined into; calls only in objects
 * that are not the system's.
 * @interned_path: the object's file, interned; NULL for code that is in no
 * file.
 * @elf_address: address of any byte of the instruction, as in the file's symbol
 *               table (address - bias).
 * @out: all members are set: to "???" and line 0 if they are not known, for the
 * call to NULL and line 0.
 */
void al_symbols_fill_symbol_at_address(struct al_symbols *,
				       const char *interned_path,
				       uint64_t elf_address,
				       struct an_symbol *out);

/**
 * al_symbols_find_variable_type() - Return the type of a variable.
 * @path: the object's file, interned. Its debug information is read at the
 *        first call, which can take seconds.
 * @text_start_in_memory: address at which its section .text lies in the
 *         process.
 * @address_in_memory: address of the variable in the process.
 *
 * Return: its type, by debug information; NULL if it is not known.
 */
const struct an_type *
al_symbols_find_variable_type(struct al_symbols *, const char *path,
			      uint64_t text_start_in_memory,
			      uint64_t address_in_memory);

/* Return the type of the thread-local variable at @offset [bytes] in the
   thread-local segment (PT_TLS) of object @path. NULL if it is not known.
   @path: as in al_symbols_find_variable_type(). */
const struct an_type *al_symbols_find_thread_variable_type(struct al_symbols *,
							   const char *path,
							   uint64_t offset);

/* Return the structure that the instruction at @elf_address, an address as in
   the file, accesses, if the debug information and the function's code say to
   which one a register of its address points; NULL if it is not known. @path:
   the object's file, interned. */
const struct an_type *al_symbols_find_accessed_structure(struct al_symbols *,
							 const char *path,
							 uint64_t elf_address);

#endif
