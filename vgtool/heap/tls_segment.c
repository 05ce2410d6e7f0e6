/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tls_segment.c - reads thread-local variables of a file; see tls_segment.h */

#include "vgtool/heap/tls_segment.h"

#include <elf.h>
#include <pub_tool_libcfile.h>

#include "vgtool/core/valgrind_core.h"

enum {
	MAX_NAME = 960, /* [bytes] of a name; the rest is not read */
	MAX_VARIABLES =
		4096, /* thread-local variables of an object file; further
				 ones are not read */
	SYMBOLS_AT_ONCE = 64,
};

/* Read @bytes at @offset of file @fd. Return: whether the file has them. */
static Bool read_file_bytes(Int fd, ULong offset, void *to, UInt bytes)
{
	return VG_(lseek)(fd, offset, VKI_SEEK_SET) == (Off64T)offset &&
	       VG_(read)(fd, to, bytes) == (Int)bytes;
}

/* Read the header of file @fd. Return: False if it is no ELF file of x86-64
   with program and section headers of the usual sizes. */
static Bool read_elf_header(Int fd, Elf64_Ehdr *h)
{
	return read_file_bytes(fd, 0, h, sizeof(*h)) &&
	       VG_(memcmp)(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_machine == EM_X86_64 &&
	       h->e_phentsize == sizeof(Elf64_Phdr) &&
	       (h->e_shnum == 0 || h->e_shentsize == sizeof(Elf64_Shdr));
}

/* Set size and alignment of @s from the file's program headers. Return: False
   if there is no segment of thread-local variables, the headers cannot be read,
   or the alignment is no power of 2. */
static Bool read_segment_header(struct vt_tls_segment *s, Int fd,
				const Elf64_Ehdr *h)
{
	Elf64_Phdr p;
	UInt i;

	for (i = 0; i < h->e_phnum; i++) {
		if (!read_file_bytes(fd, h->e_phoff + i * sizeof(p), &p,
				     sizeof(p)))
			return False;
		if (p.p_type != PT_TLS)
			continue;
		s->bytes = p.p_memsz;
		s->align = p.p_align ? p.p_align : 1;
		s->address_remainder = p.p_vaddr & (s->align - 1);
		return (s->align & (s->align - 1)) == 0;
	}
	return False;
}

/* Read into @table the header of the first section of type @type. Return: False
   if there is none. */
static Bool find_section_by_type(Int fd, const Elf64_Ehdr *h, UInt type,
				 Elf64_Shdr *table)
{
	UInt i;

	for (i = 0; i < h->e_shnum; i++)
		if (read_file_bytes(fd, h->e_shoff + i * sizeof(*table), table,
				    sizeof(*table)) &&
		    table->sh_type == type)
			return True;
	return False;
}

/* Return a copy, demangled and allocated, of the name at @offset of the string
   table @strings. */
static HChar *alloc_demangled_symbol_name_or_empty(Int fd,
						   const Elf64_Shdr *strings,
						   ULong offset)
{
	HChar name[MAX_NAME + 1] = "";
	const HChar *demangled;

	if (offset < strings->sh_size &&
	    VG_(lseek)(fd, strings->sh_offset + offset, VKI_SEEK_SET) >= 0)
		VG_(read)(fd, name, MAX_NAME);
	name[MAX_NAME] = 0;
	VG_(demangle)(True, False, name, &demangled);
	return VG_(strdup)("vt.heap.tls", demangled);
}

/* Whether, of two names of one variable, @a is shown: the shorter one, else the
   first by alphabet. */
static Bool is_name_shorter_or_first_by_alphabet(const HChar *a, const HChar *b)
{
	SizeT length_a = VG_(strlen)(a), length_b = VG_(strlen)(b);

	return length_a != length_b ? length_a < length_b
				    : VG_(strcmp)(a, b) < 0;
}

/* Return the variable at @offset of the segment; NULL: there is none. */
static struct vt_tls_variable *
find_variable_starting_at_segment_offset(const struct vt_tls_segment *s,
					 ULong offset)
{
	UInt i;

	for (i = 0; i < s->n; i++)
		if (s->variable[i].offset == offset)
			return &s->variable[i];
	return NULL;
}

/* Give variable @v, whose address another symbol has too, the preferred of both
   names and the greater of both sizes. @name: allocated; freed if not used. */
static void merge_alias_into_variable(struct vt_tls_variable *v, ULong bytes,
				      HChar *name)
{
	HChar *unused = name;

	if (is_name_shorter_or_first_by_alphabet(name, v->name)) {
		unused = v->name;
		v->name = name;
	}
	VG_(free)(unused);
	if (bytes > v->bytes)
		v->bytes = bytes;
}

/* Append the variable of symbol @symbol if it is a thread-local one that lies
   in the segment; if another symbol has its address, merge both. At most
   MAX_VARIABLES are appended. */
static void append_symbol_if_thread_local(struct vt_tls_segment *s, Int fd,
					  const Elf64_Shdr *strings,
					  const Elf64_Sym *symbol)
{
	struct vt_tls_variable *same;
	HChar *name;

	if (ELF64_ST_TYPE(symbol->st_info) != STT_TLS ||
	    symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0 ||
	    symbol->st_value >= s->bytes ||
	    symbol->st_size > s->bytes - symbol->st_value ||
	    s->n == MAX_VARIABLES)
		return;
	name = alloc_demangled_symbol_name_or_empty(fd, strings,
						    symbol->st_name);
	same = find_variable_starting_at_segment_offset(s, symbol->st_value);
	if (same != NULL) {
		merge_alias_into_variable(same, symbol->st_size, name);
		return;
	}
	if (s->n == s->variables_size) {
		s->variables_size =
			s->variables_size ? 2 * s->variables_size : 16;
		s->variable =
			VG_(realloc)("vt.heap.tls", s->variable,
				     s->variables_size * sizeof(*s->variable));
	}
	s->variable[s->n++] = (struct vt_tls_variable){
		.offset = symbol->st_value,
		.bytes = symbol->st_size,
		.name = name,
	};
}

/* Append the thread-local variables in the symbol table @table. */
static void append_variables_of_table(struct vt_tls_segment *s, Int fd,
				      const Elf64_Ehdr *h,
				      const Elf64_Shdr *table)
{
	Elf64_Sym symbol[SYMBOLS_AT_ONCE];
	ULong n = table->sh_size / sizeof(*symbol), first, i;
	Elf64_Shdr strings;

	if (table->sh_link >= h->e_shnum ||
	    !read_file_bytes(fd, h->e_shoff + table->sh_link * sizeof(strings),
			     &strings, sizeof(strings)))
		return;
	for (first = 0; first < n; first += SYMBOLS_AT_ONCE) {
		ULong count = n - first < SYMBOLS_AT_ONCE ? n - first
							  : SYMBOLS_AT_ONCE;

		if (!read_file_bytes(fd,
				     table->sh_offset + first * sizeof(*symbol),
				     symbol, count * sizeof(*symbol)))
			return;
		for (i = 0; i < count; i++)
			append_symbol_if_thread_local(s, fd, &strings,
						      &symbol[i]);
	}
}

Bool vt_tls_segment_read_with_variables(struct vt_tls_segment *s,
					const HChar *path)
{
	SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
	Elf64_Ehdr h;
	Elf64_Shdr table;
	Bool has_segment;
	Int fd;

	*s = (struct vt_tls_segment){0};
	if (sr_isError(opened))
		return False;
	fd = sr_Res(opened);
	has_segment = read_elf_header(fd, &h) && read_segment_header(s, fd, &h);
	if (has_segment && (find_section_by_type(fd, &h, SHT_SYMTAB, &table) ||
			    find_section_by_type(fd, &h, SHT_DYNSYM, &table)))
		append_variables_of_table(s, fd, &h, &table);
	VG_(close)(fd);
	return has_segment;
}

void vt_tls_segment_release(struct vt_tls_segment *s)
{
	UInt i;

	for (i = 0; i < s->n; i++)
		VG_(free)(s->variable[i].name);
	VG_(free)(s->variable);
	*s = (struct vt_tls_segment){0};
}
