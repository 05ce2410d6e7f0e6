/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_title.c - writes the title that the program gives its process into
   the tool's page of the ring, where the daemon reads it; see process_title.h
   */

#include "vgtool/process/process_title.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_clientstate.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>

#include "proto/ring.h"
#include "proto/shared/atomic.h"
#include "vgtool/transport/ring.h"

enum { TASK_NAME = 16 /* [bytes] of PR_SET_NAME with the NUL */ };

static Addr argv0;	    /* address of the program's argv[0]; 0: not
			       known */
static UInt readable_bytes; /* [bytes] that can be read at argv0 */
/* [bytes] at argv0 that vt_title_update_from_argv0() compares: the text and its
   NUL */
static UInt compared_bytes;
static HChar last_text[PT_TITLE]; /* content of argv0 when copied last */
static HChar title[PT_TITLE];	  /* the title, padded with NULs */

/* Copy @bytes bytes of the program's memory at @from to @to, if all of them are
   readable. Return: whether they are. */
static Bool copy_program_memory_if_readable(HChar *to, Addr from, UInt bytes)
{
	if (!VG_(am_is_valid_for_client)(from, bytes, VKI_PROT_READ))
		return False;
	VG_(memcpy)(to, (const void *)from, bytes);
	return True;
}

/* Return the address of the string argv[0]; 0 if there is none. On the initial
   stack, argc is followed by the words of argv, a NULL and the environment; so
   the words before the environment are counted backwards until one equals their
   number. */
static Addr find_argv0_string_address_or_0(void)
{
	const UWord *p = (const UWord *)VG_(client_envp);
	UWord n = 0;

	if (p == NULL)
		return 0;
	for (p -= 2; p[0] != n; p--)
		n++;
	return n > 0 ? p[1] : 0;
}

static UInt bounded_length(const HChar *text, UInt max_bytes)
{
	UInt n = 0;

	while (n < max_bytes && text[n])
		n++;
	return n;
}

static void set_compared_byte_count_of_title(void)
{
	compared_bytes = bounded_length(last_text, readable_bytes - 1) + 1;
}

void vt_title_copy_argv0_to_detect_change(void)
{
	argv0 = find_argv0_string_address_or_0();
	readable_bytes = PT_TITLE;
	while (readable_bytes > 0 && !copy_program_memory_if_readable(
					     last_text, argv0, readable_bytes))
		readable_bytes /= 2;
	if (readable_bytes == 0)
		argv0 = 0;
	else
		set_compared_byte_count_of_title();
}

void vt_title_copy_to_tool_page(void)
{
	struct pt_tool_page *page = vt_ring_tool_or_sink_page();
	ULong word;
	UInt i;

	if (!vt_ring_is_attached())
		return;
	for (i = 0; i < PT_TITLE / 8; i++) {
		VG_(memcpy)(&word, title + 8 * i, 8);
		/* Relaxed: nothing else is read because of it. */
		pt_store_relaxed(&page->title[i], word);
	}
}

/* Set the title to @text, up to its NUL but at most @max_bytes bytes (less than
   PT_TITLE), without trailing blanks, and copy it to the tool's page. */
static void store_process_title_and_publish(const HChar *text, UInt max_bytes)
{
	UInt n = bounded_length(text, max_bytes);

	while (n > 0 && text[n - 1] == ' ')
		n--;
	VG_(memset)(title, 0, sizeof(title));
	VG_(memcpy)(title, text, n);
	vt_title_copy_to_tool_page();
}

void vt_title_update_from_argv0(void)
{
	HChar current[PT_TITLE];

	if (argv0 == 0 ||
	    !copy_program_memory_if_readable(current, argv0, compared_bytes) ||
	    VG_(memcmp)(current, last_text, compared_bytes) == 0 ||
	    !copy_program_memory_if_readable(last_text, argv0, readable_bytes))
		return;
	set_compared_byte_count_of_title();
	store_process_title_and_publish(last_text, readable_bytes - 1);
}

void vt_title_record_from_program_string(Addr name_addr)
{
	HChar text[TASK_NAME];
	UInt n = 0;

	while (n < sizeof(text) - 1 &&
	       copy_program_memory_if_readable(text + n, name_addr + n, 1) &&
	       text[n])
		n++;
	store_process_title_and_publish(text, n);
}
