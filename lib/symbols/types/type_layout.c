/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type_layout.c - builds the layout of a type; see type_layout.h */

#include "lib/symbols/types/type_layout.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/types/type_entries.h"

enum {
	MAX_DEPTH = 16, /* levels of nested structures that are split into their
			   members; a deeper structure is one member */
};

/* Members of a type that have been found so far. */
struct members {
	struct an_type_member *member; /* [n], room for AL_MAX_TYPE_MEMBERS */
	uint32_t n;
	struct al_intern *strings;
	struct al_type_definitions *definitions;
	const char *flexible_member; /* as in struct an_type */
	uint32_t flexible_offset;
	size_t variable_length; /* [bytes] of the variable's name, with which
				   the names of all members begin */
	uint64_t hash;		/* as members_hash of struct an_type */
};

/* ---- members ---- */

/* Include a member in the hash, its name without that of the variable. */
static void extend_hash_with_member(struct members *m, uint64_t offset,
				    uint64_t size, const char *name)
{
	const uint64_t prime = UINT64_C(0x100000001b3);

	name += strnlen(name, m->variable_length);
	if (m->variable_length > 0 && *name == '.')
		name++;
	m->hash = ((m->hash ^ offset) * prime ^ size) * prime;
	for (; *name; name++)
		m->hash = (m->hash ^ (unsigned char)*name) * prime;
	m->hash = (m->hash ^ m->hash >> 32) * prime;
}

static void append_member_unless_full_or_empty(struct members *m,
					       uint64_t offset, uint64_t size,
					       const char *name)
{
	if (m->n == AL_MAX_TYPE_MEMBERS || size == 0 ||
	    offset + size > UINT32_MAX)
		return;
	extend_hash_with_member(m, offset, size, name);
	m->member[m->n++] = (struct an_type_member){
		(uint32_t)offset, (uint32_t)size,
		al_intern_question_marks_if_no_memory(m->strings, name)};
}

/* Set @out to the unsigned value of attribute @attribute_name (DW_AT_...) of an
   entry. Return: false if the entry has no such attribute, or its value is no
   number. */
static bool read_attribute_number(Dwarf_Die *die, unsigned attribute_name,
				  uint64_t *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(
		    dwarf_attr_integrate(die, attribute_name, &attribute),
		    &value))
		return false;
	*out = value;
	return true;
}

/* Set @offset and @size to the whole bytes that bit field @member touches;
   unchanged if its size or its offset in bits is not known. */
static void set_bytes_touched_by_bit_field(Dwarf_Die *member, uint64_t *offset,
					   uint64_t *size)
{
	uint64_t bits, first;

	if (!read_attribute_number(member, DW_AT_bit_size, &bits) ||
	    !read_attribute_number(member, DW_AT_data_bit_offset, &first))
		return;
	*offset = first / 8;
	*size = (first % 8 + bits + 7) / 8;
}

static void append_members_of_structure(struct members *, Dwarf_Die *structure,
					uint64_t offset, const char *prefix,
					int depth);

/* Append the members of a value of type @type at byte @offset: of a structure
   all members, named @name.MEMBER; of another type, or of a structure at
   MAX_DEPTH, one member @name; of an array one member @name with "[]", or if it
   has no length, the flexible member. @depth: number of structures around the
   value. */
static void append_members_of_value(struct members *m, Dwarf_Die *type,
				    uint64_t offset, const char *name,
				    int depth)
{
	char text[AL_MAX_TYPE_NAME];
	Dwarf_Word size;

	if (al_type_is_structure_or_union(type) && depth < MAX_DEPTH) {
		snprintf(text, sizeof(text), *name ? "%s." : "%s", name);
		append_members_of_structure(m, type, offset, text, depth + 1);
		return;
	}
	snprintf(text, sizeof(text), "%s%s", name,
		 dwarf_tag(type) == DW_TAG_array_type ? "[]" : "");
	if (dwarf_aggregate_size(type, &size))
		size = 0;
	if (size == 0 && dwarf_tag(type) == DW_TAG_array_type && depth > 0 &&
	    offset <= UINT32_MAX) {
		m->flexible_member =
			al_intern_question_marks_if_no_memory(m->strings, text);
		m->flexible_offset = (uint32_t)offset;
		extend_hash_with_member(m, offset, 0, text);
	}
	append_member_unless_full_or_empty(m, offset, size, text);
}

/* Whether the offset of member @die is computed at run time, as that of a
   virtual base class. */
static bool has_computed_offset(Dwarf_Die *die)
{
	uint64_t offset;

	return dwarf_hasattr(die, DW_AT_data_member_location) &&
	       !read_attribute_number(die, DW_AT_data_member_location, &offset);
}

/* Append the members of member @die of a structure, which begins at byte
   @structure_offset; nothing if @die is a static member, its offset is computed
   at run time, or its type is not found. */
static void append_members_of_member_entry(struct members *m, Dwarf_Die *die,
					   uint64_t structure_offset,
					   const char *prefix, int depth)
{
	uint64_t offset = 0, size = 0, bits;
	const char *own = dwarf_diename(die);
	char name[AL_MAX_TYPE_NAME];
	Dwarf_Die type;

	if (dwarf_hasattr(die, DW_AT_external) ||
	    dwarf_hasattr(die, DW_AT_declaration) || has_computed_offset(die) ||
	    !al_type_definitions_find_type_of_entry(m->definitions, die, &type))
		return;
	read_attribute_number(die, DW_AT_data_member_location, &offset);
	snprintf(name, sizeof(name), "%s%s", prefix, own ? own : "");
	/* A member without a name, such as a nameless union, has the prefix
	   without its last dot as its name. */
	if (!own || dwarf_tag(die) == DW_TAG_inheritance)
		name[*name ? strlen(name) - (own == NULL) : 0] = 0;
	if (read_attribute_number(die, DW_AT_bit_size, &bits)) {
		set_bytes_touched_by_bit_field(die, &offset, &size);
		append_member_unless_full_or_empty(m, structure_offset + offset,
						   size, name);
	} else {
		append_members_of_value(m, &type, structure_offset + offset,
					name, depth);
	}
}

/* Whether a member shares bytes with one of those from number @first on. */
static bool overlaps_members(const struct members *m, uint32_t first,
			     uint64_t offset, uint64_t size)
{
	for (uint32_t i = first; i < m->n; i++)
		if (offset <
			    (uint64_t)m->member[i].offset + m->member[i].size &&
		    m->member[i].offset < offset + size)
			return true;
	return false;
}

/* Append the number that selects the variant, named "(tag)", unless it shares
   bytes with one of the members from number @first on, those of the variants.
   */
static void append_variant_tag(struct members *m, Dwarf_Die *variant_part,
			       uint32_t first, uint64_t structure_offset,
			       const char *prefix)
{
	Dwarf_Attribute attribute;
	Dwarf_Die tag, type;
	uint64_t offset;
	Dwarf_Word size;
	char name[AL_MAX_TYPE_NAME];

	if (!dwarf_formref_die(
		    dwarf_attr(variant_part, DW_AT_discr, &attribute), &tag) ||
	    !read_attribute_number(&tag, DW_AT_data_member_location, &offset) ||
	    !al_type_peeled_type_of_entry(&tag, &type) ||
	    dwarf_aggregate_size(&type, &size) != 0)
		return;
	offset += structure_offset;
	snprintf(name, sizeof(name), "%s(tag)", prefix);
	if (!overlaps_members(m, first, offset, size))
		append_member_unless_full_or_empty(m, offset, size, name);
}

/* Append the members of all variants of an enum of Rust, of which a value has
   one, and its tag. */
static void append_members_of_variants(struct members *m,
				       Dwarf_Die *variant_part, uint64_t offset,
				       const char *prefix, int depth)
{
	Dwarf_Die die;
	uint32_t first = m->n;

	if (dwarf_child(variant_part, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variant)
			append_members_of_structure(m, &die, offset, prefix,
						    depth);
	} while (m->n < AL_MAX_TYPE_MEMBERS && !dwarf_siblingof(&die, &die));
	append_variant_tag(m, variant_part, first, offset, prefix);
}

static void append_members_of_structure(struct members *m, Dwarf_Die *structure,
					uint64_t offset, const char *prefix,
					int depth)
{
	Dwarf_Die die;

	if (dwarf_child(structure, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			append_members_of_member_entry(m, &die, offset, prefix,
						       depth);
		else if (tag == DW_TAG_variant_part && depth < MAX_DEPTH)
			append_members_of_variants(m, &die, offset, prefix,
						   depth + 1);
	} while (m->n < AL_MAX_TYPE_MEMBERS && !dwarf_siblingof(&die, &die));
}

/* ---- order ---- */

static int compare_members_by_offset(const void *va, const void *vb)
{
	const struct an_type_member *a = va, *b = vb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Extend @to to the end of @other, which shares bytes with it, and append ", "
   and the name of @other to its name. */
static void extend_member_and_append_name(struct members *m,
					  struct an_type_member *to,
					  const struct an_type_member *other)
{
	uint32_t end = other->offset + other->size;
	char name[AL_MAX_TYPE_NAME];

	snprintf(name, sizeof(name), "%s, %s", to->name, other->name);
	to->name = al_intern_question_marks_if_no_memory(m->strings, name);
	if (end > to->offset + to->size)
		to->size = end - to->offset;
}

/* Sort the members by offset, join those that overlap, and drop those that end
   after @type_size, the size of the type in bytes. */
static void sort_join_members_drop_beyond_size(struct members *m,
					       uint64_t type_size)
{
	uint32_t n = 0;

	if (m->n > 0)
		qsort(m->member, m->n, sizeof(*m->member),
		      compare_members_by_offset);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct an_type_member *next = &m->member[i];
		struct an_type_member *last = n > 0 ? &m->member[n - 1] : NULL;

		if ((uint64_t)next->offset + next->size > type_size)
			continue;
		if (last && next->offset < last->offset + last->size)
			extend_member_and_append_name(m, last, next);
		else
			m->member[n++] = *next;
	}
	m->n = n;
}

/* ---- a type ---- */

/* While *@type is an array, replace it by the type of its elements, and append
   "[]" to @name_to_extend of AL_MAX_TYPE_NAME bytes, unless that is "". Another
   type is unchanged. Return: false if an array has no type of elements, or
   arrays are nested more than MAX_DEPTH deep. */
static bool replace_arrays_unless_elements_untyped(Dwarf_Die *type,
						   char *name_to_extend)
{
	Dwarf_Die element;

	for (int depth = 0; dwarf_tag(type) == DW_TAG_array_type; depth++) {
		if (depth == MAX_DEPTH ||
		    !al_type_peeled_type_of_entry(type, &element))
			return false;
		*type = element;
		if (*name_to_extend &&
		    strlen(name_to_extend) < AL_MAX_TYPE_NAME - 3)
			strcat(name_to_extend, "[]");
	}
	return true;
}

/* Return a new type with a copy of the members, in one allocation for free();
   NULL: memory is short. */
static struct an_type *copy_members_to_new_type(const struct members *m,
						const char *name, uint64_t size)
{
	struct an_type *t =
		malloc(sizeof(*t) + m->n * sizeof(struct an_type_member));

	if (t == NULL)
		return NULL;
	*t = (struct an_type){
		.name = name,
		.size = size,
		.n_members = m->n,
		.member = (void *)(t + 1),
		.flexible_member = m->flexible_member,
		.flexible_offset = m->flexible_offset,
		.members_hash = m->hash,
	};
	if (m->n > 0)
		memcpy(t + 1, m->member, m->n * sizeof(*m->member));
	return t;
}

struct an_type *al_type_layout_new(Dwarf_Die *type, const char *prefix,
				   struct al_intern *strings,
				   struct al_type_definitions *definitions)
{
	struct members m = {.strings = strings, .definitions = definitions};
	struct an_type *result = NULL;
	char name[AL_MAX_TYPE_NAME], declaration[AL_MAX_TYPE_NAME] = "";
	Dwarf_Die element;
	Dwarf_Word size;

	snprintf(name, sizeof(name), "%s", prefix);
	if (dwarf_peel_type(type, &element) != 0 ||
	    !replace_arrays_unless_elements_untyped(&element, name))
		return NULL;
	al_type_definitions_replace_declaration(definitions, &element);
	if (dwarf_aggregate_size(&element, &size) || size == 0)
		return NULL;
	m.member = malloc(AL_MAX_TYPE_MEMBERS * sizeof(*m.member));
	if (m.member == NULL)
		return NULL;
	m.variable_length = strlen(name);
	append_members_of_value(&m, &element, 0, name, 0);
	sort_join_members_drop_beyond_size(&m, size);
	result = copy_members_to_new_type(
		&m, al_type_intern_name(type, strings), size);
	free(m.member);
	if (al_type_is_structure_or_union(&element))
		al_type_format_declaration_place(&element, declaration);
	if (result != NULL)
		result->declaration = al_intern_question_marks_if_no_memory(
			strings, declaration);
	return result;
}
