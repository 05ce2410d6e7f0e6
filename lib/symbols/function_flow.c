/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_flow.c - decodes the code of functions; see function_flow.h */

#include "lib/symbols/function_flow.h"

#include <stdlib.h>
#include <unistd.h>

enum { MAX_FUNCTION = 256 << 10 /* [bytes] of code */ };

/* Return the offset in the file of the byte at @address, as in the file; 0 if
   no loaded section of type SHT_PROGBITS has it. */
static uint64_t file_offset_of_address_or_0(Elf *elf, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL &&
		    header.sh_type == SHT_PROGBITS &&
		    (header.sh_flags & SHF_ALLOC) &&
		    address - header.sh_addr < header.sh_size)
			return header.sh_offset + (address - header.sh_addr);
	return 0;
}

/* Return the code from @start to @end (addresses as in the file), for free();
   NULL if it cannot be read, is longer than MAX_FUNCTION, or memory is
   short. */
static uint8_t *read_code_or_null(const struct al_elf *file, uint64_t start,
				  uint64_t end)
{
	uint64_t offset = file_offset_of_address_or_0(file->elf, start);
	size_t bytes = end - start;
	uint8_t *code;

	if (offset == 0 || bytes == 0 || bytes > MAX_FUNCTION)
		return NULL;
	code = malloc(bytes);
	if (code != NULL &&
	    pread(file->fd, code, bytes, (off_t)offset) != (ssize_t)bytes) {
		free(code);
		return NULL;
	}
	return code;
}

static void release_flow(struct al_function_flow *f)
{
	free(f->code);
	free(f->instr);
	free(f->jump);
	al_local_variables_release(&f->variables);
	*f = (struct al_function_flow){0};
}

/* Decode the instructions of @f from its code of @bytes bytes. Return: false if
   memory is short. Decoding ends at the first invalid instruction. */
static bool decode_function_instrs(struct al_function_flow *f, size_t bytes)
{
	struct al_flow_instr *shrunk;
	size_t offset = 0;

	f->instr = reallocarray(NULL, bytes, sizeof(*f->instr));
	if (f->instr == NULL)
		return false;
	while (offset < bytes) {
		struct al_flow_instr *in = &f->instr[f->n];

		if (!al_instr_decode_step(f->code + offset, bytes - offset,
					  &in->step))
			break;
		in->offset = (uint32_t)offset;
		in->jump = AL_NO_INSTR;
		f->n_jumps += in->step.transfer == AL_TRANSFER_BRANCH ||
			      in->step.transfer == AL_TRANSFER_JUMP;
		f->n++;
		offset += in->step.len;
	}
	shrunk = f->n ? reallocarray(f->instr, f->n, sizeof(*f->instr)) : NULL;
	if (shrunk != NULL)
		f->instr = shrunk;
	return true;
}

/* Add the jump of instruction @from to the list of its target, if that is in
   the function. */
static void add_jump_if_inside(struct al_function_flow *f, uint32_t from)
{
	const struct al_flow_instr *in = &f->instr[from];
	uint32_t to = al_function_flow_find_instr(
		f, f->start + in->offset + in->step.len +
			   (uint64_t)(int64_t)in->step.displacement);

	if (to == AL_NO_INSTR)
		return;
	f->jump[f->n_jumps] =
		(struct al_flow_jump){from, to, f->instr[to].jump};
	f->instr[to].jump = f->n_jumps++;
}

/* List the jumps inside @f, of which there are at most f->n_jumps. Return:
   false if memory is short. */
static bool list_jumps(struct al_function_flow *f)
{
	f->jump = reallocarray(NULL, f->n_jumps + 1u, sizeof(*f->jump));
	if (f->jump == NULL)
		return false;
	f->n_jumps = 0;
	for (uint32_t i = 0; i < f->n; i++)
		if (f->instr[i].step.has_target &&
		    f->instr[i].step.transfer != AL_TRANSFER_CALL)
			add_jump_if_inside(f, i);
	return true;
}

const struct al_function_flow *
al_function_flows_find_or_read(struct al_function_flows *s,
			       const struct al_elf *file,
			       const struct al_code_range *function)
{
	uint64_t start = function->start, end = function->end;
	unsigned set = (start >> 4 ^ start >> 10) % AL_FLOW_SETS;
	struct al_function_flow *f = s->flow[set];

	for (unsigned way = 0; way < AL_FLOW_WAYS; way++)
		if (f[way].n > 0 && f[way].start == start)
			return &f[way];
	f += s->oldest[set];
	s->oldest[set] = (s->oldest[set] + 1) % AL_FLOW_WAYS;
	release_flow(f);
	f->start = start;
	f->code = read_code_or_null(file, start, end);
	if (f->code == NULL || !decode_function_instrs(f, end - start) ||
	    f->n == 0 || !list_jumps(f) ||
	    al_local_variables_list(&f->variables, &function->entry) != 0) {
		release_flow(f);
		return NULL;
	}
	return f;
}

uint32_t al_function_flow_find_instr(const struct al_function_flow *f,
				     uint64_t address)
{
	uint32_t low = 0, high = f->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (f->start + f->instr[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->n && f->start + f->instr[low].offset == address
		       ? low
		       : AL_NO_INSTR;
}

void al_function_flows_release(struct al_function_flows *s)
{
	for (unsigned i = 0; i < AL_FLOW_SETS * AL_FLOW_WAYS; i++)
		release_flow(&s->flow[i / AL_FLOW_WAYS][i % AL_FLOW_WAYS]);
}
