/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type_entries.c - follows and names entries of types; see type_entries.h */

#include "lib/symbols/types/type_entries.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "lib/symbols/types/type_definitions.h"

enum {
	MAX_DEPTH = 16, /* pointers to pointers, arrays of arrays, or structures
			   in structures, that are followed */
	MAX_PART_ENTRIES = 1 << 16, /* number of entries after which the search
				       for the part at an offset ends, and
				       finds none */
	MAX_TYPEDEF_DISTANCE = 64,  /* number of entries behind a structure
				      without a name that may be its typedef */
};

Dwarf_Die *al_type_unpeeled_type_of_entry(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attribute;

	return dwarf_formref_die(
		dwarf_attr_integrate(die, DW_AT_type, &attribute), out);
}

Dwarf_Die *al_type_peeled_type_of_entry(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Die named;

	return al_type_unpeeled_type_of_entry(die, &named) &&
			       dwarf_peel_type(&named, out) == 0
		       ? out
		       : NULL;
}

bool al_type_is_structure_or_union(Dwarf_Die *peeled_type)
{
	int tag = dwarf_tag(peeled_type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

bool al_type_has_pointer_or_reference_tag(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* ---- parts ---- */

/* Set @offset_out to the offset [bytes] of a member or base class in its
   structure; 0 if it has none, as members of a union. Return: false if the
   offset is computed at run time, as that of a virtual base class, the member
   is static, or only its offset in bits is given, as that of a bit-field. */
static bool read_member_offset(Dwarf_Die *member, Dwarf_Word *offset_out)
{
	Dwarf_Attribute attribute;

	*offset_out = 0;
	if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
		return dwarf_formudata(&attribute, offset_out) == 0;
	return !dwarf_hasattr(member, DW_AT_external) &&
	       !dwarf_hasattr(member, DW_AT_declaration) &&
	       !dwarf_hasattr(member, DW_AT_data_bit_offset);
}

/* A search for a part of a structure. */
struct part_search {
	struct al_type_definitions *definitions;
	unsigned n_left; /* entries that may still be visited */
};

static bool find_innermost_part_type(struct part_search *s, Dwarf_Die *type,
				     uint64_t offset, int depth,
				     Dwarf_Die *out);

/* Set @out to the part at @offset of one entry below a structure: a member, a
   base class, or a variant, whose members have offsets in the structure.
   Return: whether there is one. */
static bool find_innermost_type_in_member_entry(struct part_search *s,
						Dwarf_Die *entry,
						uint64_t offset, int depth,
						Dwarf_Die *out)
{
	Dwarf_Die type;
	Dwarf_Word start, size;

	switch (dwarf_tag(entry)) {
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return find_innermost_part_type(s, entry, offset, depth + 1,
						out);
	case DW_TAG_member:
	case DW_TAG_inheritance:
		return read_member_offset(entry, &start) &&
		       al_type_definitions_find_type_of_entry(s->definitions,
							      entry, &type) &&
		       dwarf_aggregate_size(&type, &size) == 0 &&
		       offset - start < size &&
		       find_innermost_part_type(s, &type, offset - start,
						depth + 1, out);
	default:
		return false;
	}
}

/* As al_type_find_innermost_type_at_offset(), for a structure or a part of its
   entry that has members. Damaged debug information can have structures that
   contain themselves, several times. */
static bool find_innermost_type_in_structure(struct part_search *s,
					     Dwarf_Die *structure,
					     uint64_t offset, int depth,
					     Dwarf_Die *out)
{
	Dwarf_Die entry, part;
	bool is_found = false, is_pointer = false;
	int more = dwarf_child(structure, &entry);

	for (; !more && s->n_left > 0; more = dwarf_siblingof(&entry, &entry)) {
		s->n_left--;
		if (!find_innermost_type_in_member_entry(s, &entry, offset,
							 depth, &part))
			continue;
		is_found = true;
		if (!al_type_has_pointer_or_reference_tag(&part)) {
			if (!is_pointer)
				*out = part;
			continue;
		}
		if (is_pointer &&
		    dwarf_dieoffset(&part) != dwarf_dieoffset(out))
			return false;
		is_pointer = true;
		*out = part;
	}
	return is_found && s->n_left > 0;
}

/* As al_type_find_innermost_type_at_offset(). @depth: number of calls of this
   function around this one; at MAX_DEPTH nothing is found. */
static bool find_innermost_part_type(struct part_search *s, Dwarf_Die *type,
				     uint64_t offset, int depth, Dwarf_Die *out)
{
	int tag = dwarf_tag(type);
	Dwarf_Die element;
	Dwarf_Word size;

	if (depth == MAX_DEPTH)
		return false;
	if (al_type_is_structure_or_union(type) || tag == DW_TAG_variant ||
	    tag == DW_TAG_variant_part)
		return find_innermost_type_in_structure(s, type, offset, depth,
							out);
	if (tag == DW_TAG_array_type)
		return al_type_definitions_find_type_of_entry(s->definitions,
							      type, &element) &&
		       dwarf_aggregate_size(&element, &size) == 0 && size > 0 &&
		       find_innermost_part_type(s, &element, offset % size,
						depth + 1, out);
	*out = *type;
	return offset == 0;
}

bool al_type_find_innermost_type_at_offset(
	struct al_type_definitions *definitions, Dwarf_Die *type,
	uint64_t offset, Dwarf_Die *out)
{
	struct part_search s = {definitions, MAX_PART_ENTRIES};

	return find_innermost_part_type(&s, type, offset, 0, out);
}

/* ---- namespaces ---- */

/* Return the declaration of @type inside its scope, if its definition stands
   outside of it, as for "struct outer::inner {...}"; else @type. */
static Dwarf_Die declaration_in_scope_or_same(Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die declaration;

	return dwarf_formref_die(
		       dwarf_attr(type, DW_AT_specification, &attribute),
		       &declaration)
		       ? declaration
		       : *type;
}

/* Set *@scope to the entry directly below it that is, or contains, the entry at
   @offset. Return: whether there is one. Entries follow each other by offset,
   each before those below it. */
static bool descend_towards_offset(Dwarf_Die *scope, Dwarf_Off offset)
{
	Dwarf_Die next;
	int more = dwarf_child(scope, &next);
	bool is_found = false;

	for (; !more && dwarf_dieoffset(&next) <= offset;
	     more = dwarf_siblingof(scope, &next)) {
		*scope = next;
		is_found = true;
	}
	return is_found;
}

/* Return the name of @scope as a part of the names of types inside; NULL: it is
   no part of them. */
static const char *scope_name_or_null(Dwarf_Die *scope)
{
	const char *name = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		return name ? name : "(anonymous namespace)";
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return name;
	default:
		return NULL;
	}
}

/* Write the names of the namespaces and structures around the declaration of
   @type, each followed by "::", the outermost first, to @text of @text_bytes
   bytes with its NUL: "std::chrono::". A namespace without a name is written as
   "(anonymous namespace)"; a structure without one, and a function, are left
   out. A scope that does not fit is left out with all inside it. "": there are
   no scopes. Return: false if a scope has no name, is a function or the like,
   or does not fit. */
static bool write_scope_names(Dwarf_Die *type, char *text, size_t text_bytes)
{
	Dwarf_Die declaration = declaration_in_scope_or_same(type), scope;
	Dwarf_Off offset = dwarf_dieoffset(&declaration);
	size_t length = 0;
	bool is_whole = true;

	*text = 0;
	if (!dwarf_diecu(&declaration, &scope, NULL, NULL))
		return false;
	while (descend_towards_offset(&scope, offset) &&
	       dwarf_dieoffset(&scope) != offset) {
		const char *name = scope_name_or_null(&scope);

		is_whole = is_whole && dwarf_diename(&scope) && name;
		if (name == NULL)
			continue;
		if (length + strlen(name) + sizeof("::") > text_bytes)
			return false;
		length += (size_t)snprintf(text + length, text_bytes - length,
					   "%s::", name);
	}
	return is_whole;
}

void al_type_write_global_name_or_empty(Dwarf_Die *type, char *text)
{
	const char *own = dwarf_diename(type);
	size_t length;

	if (own == NULL || !write_scope_names(type, text, AL_MAX_TYPE_NAME)) {
		*text = 0;
		return;
	}
	length = strlen(text);
	if (length + strlen(own) < AL_MAX_TYPE_NAME)
		strcpy(text + length, own);
	else
		*text = 0;
}

/* ---- names ---- */

/* Return "struct ", "union " or "enum " for the DWARF tag of such a type
   ("struct " for a class, too); "" for other tags. */
static const char *type_keyword_struct_for_class_or_empty(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

void al_type_format_declaration_place(Dwarf_Die *type, char *text)
{
	const char *file = dwarf_decl_file(type), *slash;
	int line;

	*text = 0;
	if (file == NULL || dwarf_decl_line(type, &line) != 0)
		return;
	slash = strrchr(file, '/');
	snprintf(text, AL_MAX_TYPE_NAME, "%s:%d", slash ? slash + 1 : file,
		 line);
}

/* Write "struct {...}" or the like to @name of AL_MAX_TYPE_NAME bytes, with the
   file and line of the type's declaration, which distinguish types without
   names. */
static void format_name_by_source_line(Dwarf_Die *type, char *name)
{
	char declaration[AL_MAX_TYPE_NAME];

	al_type_format_declaration_place(type, declaration);
	snprintf(name, AL_MAX_TYPE_NAME, "%s{...}%s%.480s",
		 type_keyword_struct_for_class_or_empty(dwarf_tag(type)),
		 *declaration ? " " : "", declaration);
}

/* Write the name of a type, as in C or C++, with its namespaces and classes, to
   @name of AL_MAX_TYPE_NAME bytes. @depth: number of calls of this function
   around this one; at MAX_DEPTH a nameless type has the name "...". */
static void format_type_name(Dwarf_Die *type, char *name, int depth)
{
	const char *own = dwarf_diename(type);
	int tag = dwarf_tag(type);
	char inner[AL_MAX_TYPE_NAME] = "void", scopes[AL_MAX_TYPE_NAME / 2];
	Dwarf_Die target;

	if (own || depth == MAX_DEPTH) {
		write_scope_names(type, scopes, sizeof(scopes));
		snprintf(name, AL_MAX_TYPE_NAME, "%s%s%s",
			 type_keyword_struct_for_class_or_empty(tag), scopes,
			 own ? own : "...");
		return;
	}
	if (*type_keyword_struct_for_class_or_empty(tag)) {
		format_name_by_source_line(type, name);
		return;
	}
	if (al_type_unpeeled_type_of_entry(type, &target))
		format_type_name(&target, inner, depth + 1);
	snprintf(name, AL_MAX_TYPE_NAME, "%.*s%s", AL_MAX_TYPE_NAME - 8, inner,
		 tag == DW_TAG_pointer_type	? " *"
		 : tag == DW_TAG_reference_type ? " &"
		 : tag == DW_TAG_array_type	? "[]"
						: "");
}

/* Return the type of the elements of an array, or of an array of arrays, with
   its typedefs and qualifiers; another type unchanged. */
static Dwarf_Die array_element_type_or_same(Dwarf_Die *type)
{
	Dwarf_Die peeled, result = *type;

	for (int i = 0; i < MAX_DEPTH; i++) {
		if (dwarf_peel_type(&result, &peeled) != 0 ||
		    dwarf_tag(&peeled) != DW_TAG_array_type ||
		    !al_type_unpeeled_type_of_entry(&peeled, &result))
			break;
	}
	return result;
}

/* Set @named to the first typedef of @structure itself among the next
   MAX_TYPEDEF_DISTANCE entries; if there is none, @named is undefined. g++
   writes one there for "using X = struct {...}", and lets variables that are
   declared with `auto` refer to the structure. Return: whether there is one. */
static bool find_typedef_behind_structure(Dwarf_Die *structure,
					  Dwarf_Die *named)
{
	Dwarf_Die type;

	*named = *structure;
	for (int i = 0; i < MAX_TYPEDEF_DISTANCE; i++) {
		if (dwarf_siblingof(named, named) != 0)
			return false;
		if (dwarf_tag(named) == DW_TAG_typedef &&
		    al_type_unpeeled_type_of_entry(named, &type) &&
		    dwarf_dieoffset(&type) == dwarf_dieoffset(structure))
			return true;
	}
	return false;
}

/* Return the entry with the name of @type: of a structure its own entry or, if
   that has no name, the typedef that names it; of another type @type. */
static Dwarf_Die find_structure_or_typedef_that_names_it(Dwarf_Die type)
{
	Dwarf_Die peeled, named, behind, inner;

	if (dwarf_peel_type(&type, &peeled) != 0 ||
	    !al_type_is_structure_or_union(&peeled))
		return type;
	named = peeled;
	if (dwarf_diename(&peeled) != NULL)
		return named;
	while (dwarf_dieoffset(&type) != dwarf_dieoffset(&peeled)) {
		if (dwarf_tag(&type) == DW_TAG_typedef)
			named = type;
		if (!al_type_unpeeled_type_of_entry(&type, &inner))
			break;
		type = inner;
	}
	return dwarf_tag(&named) != DW_TAG_typedef &&
			       find_typedef_behind_structure(&peeled, &behind)
		       ? behind
		       : named;
}

const char *al_type_intern_name(Dwarf_Die *type, struct al_intern *strings)
{
	Dwarf_Die element = find_structure_or_typedef_that_names_it(
		array_element_type_or_same(type));
	Dwarf_Die peeled;
	char name[AL_MAX_TYPE_NAME];
	int tag = dwarf_tag(&element);

	if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type)
		if (dwarf_peel_type(&element, &peeled) == 0)
			element = peeled;
	format_type_name(&element, name, 0);
	return al_intern_question_marks_if_no_memory(strings, name);
}
