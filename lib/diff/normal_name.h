/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * normal_name.h - names of functions and objects without what a build adds,
 *                 and identifiers in names of functions
 *
 * Compilers number clones, lambdas and unnamed types, and add a hash to names
 * of Rust. Numbers and hashes change between builds of one source.
 *
 * Threads: any.
 */
#ifndef LIB_DIFF_NORMAL_NAME_H
#define LIB_DIFF_NORMAL_NAME_H

#include <stddef.h>

/* Remove from the name of a function, in place: the suffixes .constprop[.N],
   .isra[.N], .part[.N], .cold[.N], .lto_priv[.N] and .llvm.HASH; each " [clone
   ...]"; Rust's "::h" and 16 hex digits; the numbers of "{lambda(...)#N}" and
   "{unnamed type#N}"; ABI tags such as "[abi:cxx11]". Return @name. */
char *al_diff_normalize_function_name(char *name);

/* Return the identifier that the source declares the function by: "find" of
   "a::find<int>(int)"; set @length to its length. That is 0 if @name has no
   identifier. */
const char *al_diff_identifier_in_function_name(const char *name,
						size_t *length);

/* Remove from the name of an object, in place, the version after ".so".
   Return @name. */
char *al_diff_drop_library_version(char *name);

#endif
