/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * template_args.h - removes default template arguments from C++ names
 */
#ifndef BASE_TEXT_TEMPLATE_ARGS_H
#define BASE_TEXT_TEMPLATE_ARGS_H

/**
 * al_template_drop_defaults() - Remove template arguments that are defaults of the
 * standard library's templates.
 * @name: as the demangler writes it; is shortened in place.
 *
 * "std::map<int, char, std::less<int>, std::allocator<std::pair<int const,
 * char> > >" becomes "std::map<int, char>". An argument is removed only at the
 * end of a list, and only if it is made from the first argument of the list.
 *
 * Return: @name; unchanged if memory is short.
 */
char *al_template_drop_defaults(char *name);

#endif
