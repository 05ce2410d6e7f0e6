/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * z_names.h - names of functions that replace or wrap others under Valgrind
 *
 * Programs define such functions by the macros of <valgrind/valgrind.h>, which
 * encode the function's name and its library's: "_vgw00000ZU_NONE_malloc" wraps
 * malloc() in the program itself. Valgrind's tools print the function's name.
 */
#ifndef LIB_SYMBOLS_Z_NAMES_H
#define LIB_SYMBOLS_Z_NAMES_H

/**
 * al_zname_decode() - Decode the name of a replacing or wrapping function.
 *
 * Return: the name of the function that it replaces, for free(); NULL when
 *         @name is no such name, or memory is short.
 */
char *al_zname_decode(const char *name);

#endif
