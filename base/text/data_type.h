/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_type.h - layout of a type of data, from debug information
 */
#ifndef BASE_TEXT_DATA_TYPE_H
#define BASE_TEXT_DATA_TYPE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A member of a structure, or a whole value that is no structure. Nested
   structures are resolved into their members. Members that share bytes (of a
   union, bit fields) are one member, whose name lists them. */
struct an_type_member {
	uint32_t offset; /* [bytes] from the start of the type to the member */
	uint32_t size;	 /* [bytes] size of the member */
	const char *name;
};

/* A data type of the program. Lives as long as the symbol table that returned
   it. */
struct an_type {
	const char *name; /* "struct node", "int *", ... */
	uint64_t size;	  /* [bytes]; of an array: of one element; not 0 */
	uint32_t n_members;
	const struct an_type_member *member; /* [n_members] sorted by offset;
						they do not overlap and lie in
						`size` */
	/* name of the array without a length at the end of the structure (a
	   flexible array member); NULL: it has none, so that data can be an
	   array of such structures */
	const char *flexible_member;
	uint32_t flexible_offset; /* [bytes] of that array */
	const char *declaration;  /* of a structure or union: file and line,
				     "list.c:12"; "" or NULL: not known, or
				     another type */
	uint64_t members_hash;	  /* hash of the members' offsets, sizes and
				     names; the name of a variable, with which
				     they begin, is not part of it */
};

/* Whether two types have the same name, size and members. Programs can have
   several structures of one name. */
static inline bool
an_type_has_same_name_size_and_members(const struct an_type *a,
				       const struct an_type *b)
{
	return a == b ||
	       (a->size == b->size && a->members_hash == b->members_hash &&
		strcmp(a->name, b->name) == 0);
}

static inline const char *
an_type_declaration_or_empty(const struct an_type *type)
{
	return type->declaration ? type->declaration : "";
}

#endif
