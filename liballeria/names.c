/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - finds function, file and line of an address
 */
#include "liballeria/names.h"

#include <errno.h>
#include <string.h>

#include "lib/recover/code_file.h"
#include "liballeria/descriptors.h"
#include "liballeria/place.h"

/* ---- lookup ---- */

/* Whether @n is at or before the position of (@path, @elf_address) in the order
   of names: by path of object, then value. */
static bool is_name_sorted_at_or_before(const struct ap_name *n,
					const char *path, uint64_t elf_address)
{
	int order = n->object == path ? 0 : strcmp(n->object, path);

	return order ? order < 0 : n->value <= elf_address;
}

const struct ap_name *ap_names_find_at_or_before(const struct ap_names *names,
						 const char *interned_path,
						 uint64_t elf_address)
{
	size_t low = 0, high = names->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_name_sorted_at_or_before(&names->name[middle],
						interned_path, elf_address))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && names->name[low - 1].object == interned_path
		       ? &names->name[low - 1]
		       : NULL;
}

const struct ap_name *ap_names_find_instr(const struct ap_names *names,
					  const char *interned_path,
					  uint64_t elf_address)
{
	const struct ap_name *n =
		ap_names_find_at_or_before(names, interned_path, elf_address);

	return n && elf_address - n->value < AL_MAX_INSTR_BYTES ? n : NULL;
}

const char *ap_names_build_id_or_empty(const struct ap_names *names,
				       const char *interned_path)
{
	for (size_t i = 0; i < names->n_objects; i++)
		if (names->path[i] == interned_path)
			return names->build_id[i];
	return "";
}

/* Set function, file and line of @out to the recorded name of the instruction
   at @out->value of file @interned_path; unchanged if there is none. */
static void fill_recorded_function_and_line(struct alleria_profile *p,
					    const char *interned_path,
					    struct alleria_name *out)
{
	const struct ap_name *n =
		ap_names_find_instr(&p->names, interned_path, out->value);

	if (!n)
		return;
	out->function = n->function;
	out->file = n->file;
	out->line = n->line;
}

/* Set @out to the name of the code at @address. If the object mapped by
   @mapping_or_null has no name for it, function and file are "???", and the
   line is 0. If @mapping_or_null is NULL or does not contain @address, the
   object is "???" too, and @out->value is @address, else the address in the
   object file. */
static void
fill_name_of_address_in_mapping(struct alleria_profile *p,
				const struct al_mapping *mapping_or_null,
				uint64_t address, struct alleria_name *out)
{
	const char *unknown = ap_intern_or_question_marks(p, "???");

	*out = (struct alleria_name){
		.function = unknown,
		.file = unknown,
		.object = unknown,
		.value = address,
		.number = ALLERIA_NONE,
	};
	if (!mapping_or_null ||
	    address - mapping_or_null->start >= mapping_or_null->size)
		return;
	out->object = mapping_or_null->path;
	out->value = address - mapping_or_null->bias;
	out->number = mapping_or_null->number;
	fill_recorded_function_and_line(p, mapping_or_null->path, out);
}

uint64_t ap_log_offset_after_desc(const struct ap_stream *s,
				  const struct al_desc *d)
{
	bool is_inherited = d->first_route < s->fork_routes;

	return is_inherited ? 0 : d->log_end;
}

/* Set the object of @out to @interned_object_path, and value and name, if the
   file's bias is known: code outside of .text has a name if a call stack of an
   allocation contains it. */
static void
fill_name_of_code_outside_text_section(struct ap_stream *s, uint64_t address,
				       const char *interned_object_path,
				       struct alleria_name *out)
{
	uint64_t bias;

	out->object = interned_object_path;
	if (!al_code_file_find_bias(&s->blocks.mappings, interned_object_path,
				    &bias))
		return;
	out->value = address - bias;
	fill_recorded_function_and_line(s->profile, interned_object_path, out);
}

/* Find the name of @address in the objects that are mapped when the first
   @log_offset bytes of the stream's log of blocks and mappings have taken
   effect. Return: 0; -errno. */
static int fill_name_of_address_at_log_offset(struct ap_stream *s,
					      uint64_t address,
					      uint64_t log_offset,
					      struct alleria_name *out)
{
	const struct al_mapping *m = al_mappings_find_at_log_offset(
		&s->blocks.mappings, address, log_offset);
	const char *path = NULL;
	int err = m ? 0
		    : ap_find_path_of_code_outside_mappings(s, address,
							    log_offset, &path);

	fill_name_of_address_in_mapping(s->profile, m, address, out);
	if (path)
		fill_name_of_code_outside_text_section(s, address, path, out);
	return err;
}

/* Find the name of the instruction at @instr_address, one of those of block
   descriptor @d. The instruction may lie outside d->mapping, because a block
   may begin in one object and continue in another. Return: 0; -errno. */
static int find_name_of_instr_or_question_marks(struct ap_stream *s,
						const struct al_desc *d,
						uint64_t instr_address,
						struct alleria_name *out)
{
	const struct al_mapping *m = d->mapping;

	if (m && instr_address - m->start < m->size) {
		fill_name_of_address_in_mapping(s->profile, m, instr_address,
						out);
		return 0;
	}
	return fill_name_of_address_at_log_offset(
		s, instr_address, ap_log_offset_after_desc(s, d), out);
}

int ap_find_name_at_log_offset_or_unknown(struct ap_stream *s, uint64_t address,
					  uint64_t log_offset,
					  struct alleria_name *out)
{
	int err = ap_names_read_with_object_files_once(s->profile);

	return err ? err
		   : fill_name_of_address_at_log_offset(s, address, log_offset,
							out);
}

int ap_find_name_of_desc_instr_or_unknown(struct ap_stream *s,
					  const struct al_desc *d,
					  unsigned instr_index,
					  struct alleria_name *out)
{
	int err = ap_names_read_with_object_files_once(s->profile);

	return err ? err
		   : find_name_of_instr_or_question_marks(
			     s, d, d->instr[instr_index].addr, out);
}

int alleria_name_block(struct alleria_profile *p,
		       const struct alleria_block *block, uint32_t index,
		       struct alleria_name *out)
{
	const struct ap_block *b = (const struct ap_block *)block;
	int err;

	if (index >= block->n_code)
		return ALLERIA_E_RANGE;
	pthread_mutex_lock(&p->lock);
	err = ap_find_name_of_desc_instr_or_unknown(b->stream, b->desc, index,
						    out);
	pthread_mutex_unlock(&p->lock);
	return ap_alleria_error_of_negative_errno(err);
}

/* ---- by address and time ---- */

/* Find the image of a process that executed instruction @instr_number, counted
   over the profile, and the file block that holds this execution.
   @instr_number: ALLERIA_NOT: the last image, after all blocks. Return: 0;
   ALLERIA_E_RANGE: also if another process executed it. */
static int find_image_and_entry_of_instr(const struct alleria_profile *p,
					 uint32_t process_index,
					 uint64_t instr_number,
					 struct ap_stream **s,
					 uint32_t *entry_index)
{
	const struct ap_process *a = ap_find_process(p, process_index);
	struct ap_chunk_position place;

	if (!a)
		return ALLERIA_E_RANGE;
	if (instr_number == ALLERIA_NOT) {
		*s = a->image[a->pub.images - 1];
		*entry_index = UINT32_MAX;
		return 0;
	}
	if (!ap_find_chunk_by_instr(p, instr_number, &place) || !place.stream ||
	    place.chunk >= place.stream->units.n || place.stream->process != a)
		return ALLERIA_E_RANGE;
	*s = place.stream;
	*entry_index = place.stream->units.entry[place.chunk];
	return 0;
}

int alleria_name(struct alleria_profile *p, uint32_t process, uint64_t address,
		 uint64_t instruction, struct alleria_name *out)
{
	struct ap_stream *s;
	uint32_t entry;
	int err;

	err = find_image_and_entry_of_instr(p, process, instruction, &s,
					    &entry);
	if (err)
		return err;
	pthread_mutex_lock(&p->lock);
	err = ap_stream_read_log_before_entry(s, entry);
	if (!err)
		err = ap_find_name_at_log_offset_or_unknown(
			s, address, ap_stream_log_bytes_before_entry(s, entry),
			out);
	pthread_mutex_unlock(&p->lock);
	return ap_alleria_error_of_negative_errno(err);
}

/* ---- lists ---- */

long alleria_functions(struct alleria_profile *p,
		       const struct alleria_function **out)
{
	int err;

	pthread_mutex_lock(&p->lock);
	err = ap_names_read_with_object_files_once(p);
	pthread_mutex_unlock(&p->lock);
	*out = p->names.function;
	return err ? ap_alleria_error_of_negative_errno(err)
		   : (long)p->names.n_functions;
}

long alleria_lines(struct alleria_profile *p, const struct alleria_line **out)
{
	int err;

	pthread_mutex_lock(&p->lock);
	err = ap_names_read_with_object_files_once(p);
	pthread_mutex_unlock(&p->lock);
	*out = p->names.line;
	return err ? ap_alleria_error_of_negative_errno(err)
		   : (long)p->names.n_lines;
}
