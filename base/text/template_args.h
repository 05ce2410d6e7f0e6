/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * template_args.h - C++ names without default template arguments
 */
#ifndef BASE_TEXT_TEMPLATE_ARGS_H
#define BASE_TEXT_TEMPLATE_ARGS_H

/**
 * al_drop_defaults() - Drop template arguments that the standard library's
 * templates have by default.
 * @name: as the demangler writes it; it becomes shorter in place.
 *
 * "std::map<int, char, std::less<int>, std::allocator<std::pair<int const, char>
 * > >" becomes "std::map<int, char>". An argument is dropped only at the end of
 * a list, and only where it is made from the first one of the list.
 *
 * Return: @name.
 */
char *al_drop_defaults(char *name);

#endif
