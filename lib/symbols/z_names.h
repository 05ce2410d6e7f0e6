/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * z_names.h - decodes names of functions that replace or wrap others under
 *             Valgrind
 *
 * Programs define such functions by macros of <valgrind/valgrind.h>, which
 * encode the names of the function and its library: "_vgw00000ZU_NONE_malloc"
 * wraps malloc() of the program itself. Valgrind's tools print the name of the
 * replaced or wrapped function.
 */
#ifndef LIB_SYMBOLS_Z_NAMES_H
#define LIB_SYMBOLS_Z_NAMES_H

/**
 * al_zname_decode() - Decode the name of a replacing or wrapping function.
 *
 * Return: the name of the replaced or wrapped function, to be freed with
 *         free(); NULL if @name is not encoded, or memory is short.
 */
char *al_zname_decode(const char *name);

#endif
