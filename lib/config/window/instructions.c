/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instructions.c - reads key `instructions` of the functions of a window file
 */
#include <errno.h>
#include <string.h>

#include "lib/config/window/instr_class.h"
#include "lib/config/window/read_state.h"

/* Set @field_bits, enum pt_record_fields, to the fields that key `record` of
   @map lists; without the key, to routine, address and bytes. The field value
   also sets the bit of the address. Return: 0; -EINVAL with a message. */
static int read_record_fields_or_default(struct al_window_reader *r,
					 const struct al_node *map,
					 uint32_t *field_bits)
{
	static const char *const words[] = {"routine",	"timestamp", "address",
					    "value",	"bytes",     "core",
					    "physical", NULL};
	const struct al_node *list = al_yaml_get(map, "record");

	*field_bits =
		list ? 0
		     : PT_RECORD_ROUTINE | PT_RECORD_ADDRESS | PT_RECORD_BYTES;
	if (!list)
		return 0;
	if (list->kind != AL_LIST)
		return al_yaml_error_at_node(list, r->message,
					     "'record' is not a list");
	for (const struct al_node *c = list->child; c; c = c->next) {
		int i = 0;

		if (!al_value_text_or_null(c))
			return al_yaml_error_at_node(c, r->message,
						     "a field is not a word");
		while (words[i] && strcmp(words[i], c->text))
			i++;
		if (!words[i])
			return al_value_report_unknown_word(r, c, "field",
							    words);
		if (*field_bits & 1u << i)
			return al_yaml_error_at_node(
				c, r->message, "'%s' is given twice", words[i]);
		*field_bits |= 1u << i;
	}
	if (*field_bits & PT_RECORD_VALUE)
		*field_bits |= PT_RECORD_ADDRESS;
	return 0;
}

/* Check that the instruction decoder knows the name in @node, and add 1 to
   r->n_decoded. Return: 0; -EINVAL with a message if it does not, or if
   n_decoded exceeds PT_MAX_DECODED. */
static int check_select_name_and_add_to_count(struct al_window_reader *r,
					      const struct al_node *node,
					      uint32_t select_kind)
{
	const char *nearest = NULL;

	if (al_select_is_known_name(select_kind, node->text, &nearest))
		return ++r->n_decoded <= PT_MAX_DECODED
			       ? 0
			       : al_yaml_error_at_node(node, r->message,
						       "more than %d kinds of "
						       "instructions",
						       PT_MAX_DECODED);
	if (!nearest)
		return al_yaml_error_at_node(node, r->message,
					     "no instruction has the %s '%s'",
					     node->key->text, node->text);
	return al_yaml_error_at_node(
		node, r->message,
		"no instruction has the %s '%s'; did you mean '%s'?",
		node->key->text, node->text, nearest);
}

/* Return the enum pt_select_kind of @key, one of the keys that exclude each
   other. */
static uint32_t select_kind_of_key(const char *key)
{
	static const struct {
		const char *key;
		uint32_t kind;
	} kinds[] = {
		{"form", PT_SELECT_FORM},
		{"class", PT_SELECT_CLASS},
		{"isa", PT_SELECT_ISA},
		{"extension", PT_SELECT_EXTENSION},
		{"ext", PT_SELECT_EXTENSION},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].key, key))
			return kinds[i].kind;
	return PT_SELECT_CATEGORY;
}

/* Read the kind and the name of the instructions to select. If @map has no such
   key, @select, which selects all instructions, is not changed. Return: 0;
   -EINVAL with a message. */
static int read_instr_select_kind_and_name(struct al_window_reader *r,
					   const struct al_node *map,
					   struct pt_select *select)
{
	static const char *const keys[] = {
		"form", "class", "isa", "extension", "ext", "category", NULL};
	const struct al_node *node = NULL;
	int rc = al_value_check_exclusive_and_find_node(r, map, keys, &node);

	if (rc || !node)
		return rc;
	select->kind = select_kind_of_key(node->key->text);
	rc = al_value_append_nonempty_string(r, node, &select->name);
	if (rc)
		return rc;
	if (select->kind == PT_SELECT_CATEGORY && !strcmp(node->text, "any"))
		*select = (struct pt_select){.kind = PT_SELECT_ANY};
	else if (select->kind == PT_SELECT_CATEGORY &&
		 !strcmp(node->text, "any_mem"))
		*select = (struct pt_select){.kind = PT_SELECT_ANY_MEM};
	else
		rc = check_select_name_and_add_to_count(r, node, select->kind);
	return rc;
}

int al_instruction_read_select(struct al_window_reader *r,
			       const struct al_node *map, uint32_t select_index)
{
	static const char *const keys[] = {"form",	"class", "isa",
					   "extension", "ext",	 "category",
					   "record",	NULL};
	struct pt_select s = {.kind = PT_SELECT_ANY};
	int rc = al_yaml_check_known_keys(map, keys, "an instruction",
					  r->message);

	if (!rc)
		rc = read_instr_select_kind_and_name(r, map, &s);
	if (!rc)
		rc = read_record_fields_or_default(r, map, &s.record);
	r->windows->select[select_index] = s;
	return rc;
}
