/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitor.c - obeys commands from vgdb; see
   client_requests.h */

#include <pub_tool_gdbserver.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/process/client_requests.h"
#include "vgtool/core/threads.h"
#include "vgtool/transport/named_marks.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/windows.h"

static const HChar help[] =
	"Alleria's monitor commands:\n"
	"  status              what is recorded, and the state of each window\n"
	"  window begin NAME   the event 'client_request: NAME' happens, and "
	"the\n"
	"                      window NAME opens\n"
	"  window end NAME     the window NAME closes, and those that wait "
	"for\n"
	"                      that event\n"
	"  mark NAME           leaves a mark in the profile\n"
	"  flush               sends what was recorded so far to the daemon\n";

static void print_window_states_to_gdb(void)
{
	const HChar *state;
	ULong openings;
	UInt i;

	for (i = 0; i < vt_recording_plan->windows.n; i++) {
		state = vt_windows_state_word(i, &openings);
		VG_(gdb_printf)
		("window '%s': %s, opened %llu times\n",
		 vt_plan_string_at_offset_in_strings(vt_plan_window(i)->name),
		 state, openings);
	}
}

static void print_recording_status_to_gdb(void)
{
	if (!vt_ring_is_attached())
		VG_(gdb_printf)("not recorded: there is no daemon\n");
	else if (vt_windows_is_recording_paused())
		VG_(gdb_printf)("not recorded: the program has stopped it\n");
	else
		VG_(gdb_printf)
	("recorded%s\n", vt_recording_plan ? " as the windows specify" : "");
	VG_(gdb_printf)("threads alive: %u\n", vt_thread_n_alive());
	if (vt_recording_plan != NULL)
		print_window_states_to_gdb();
}

/* Return the rest of a command without leading blanks, truncated in place to
   PT_MAX_NAME bytes; NULL if it is empty. */
static const HChar *parse_rest_as_truncated_name(HChar **strtok_state)
{
	HChar *name = VG_(strtok_r)(NULL, "", strtok_state);

	while (name != NULL && *name == ' ')
		name++;
	if (name == NULL || *name == 0)
		return NULL;
	if (VG_(strlen)(name) > PT_MAX_NAME)
		name[PT_MAX_NAME] = 0;
	return name;
}

static void obey_window_command(HChar **strtok_state)
{
	HChar *verb = VG_(strtok_r)(NULL, " ", strtok_state);
	Bool open = verb != NULL && VG_(strcmp)(verb, "begin") == 0;
	const HChar *name = verb != NULL
				    ? parse_rest_as_truncated_name(strtok_state)
				    : NULL;

	if (name == NULL || (!open && VG_(strcmp)(verb, "end") != 0)) {
		VG_(gdb_printf)("usage: window begin NAME, window end NAME\n");
		return;
	}
	if (vt_requests_switch_windows(name, open, 0) > 0)
		VG_(gdb_printf)("%s '%s'\n", open ? "opens" : "closes", name);
	else
		VG_(gdb_printf)("no window has to do with '%s'\n", name);
}

static void parse_and_write_mark_print_result(HChar **strtok_state)
{
	const HChar *name = parse_rest_as_truncated_name(strtok_state);

	if (name == NULL) {
		VG_(gdb_printf)("usage: mark NAME\n");
		return;
	}
	vt_mark_write_or_skip(PT_NAMED_MARK, name, 0, 0);
	VG_(gdb_printf)("mark '%s' is set\n", name);
}

static void obey_gdb_flush_by_publishing_chunk(void)
{
	vt_ring_publish_chunk_if_room_and_notify();
	VG_(gdb_printf)("flushed\n");
}

/* Obey the monitor command in @line, which is modified, and print the result to
   gdb. Return: False if the command is none of Alleria's. */
static Bool obey_monitor_line_if_known_command(HChar *line)
{
	HChar *state, *word = VG_(strtok_r)(line, " ", &state);

	switch (VG_(keyword_id)("help status window mark flush",
				word ? word : "",
				kwd_report_duplicated_matches)) {
	case -2:
		return True;
	case 0:
		VG_(gdb_printf)("%s", help);
		return True;
	case 1:
		print_recording_status_to_gdb();
		return True;
	case 2:
		obey_window_command(&state);
		return True;
	case 3:
		parse_and_write_mark_print_result(&state);
		return True;
	case 4:
		obey_gdb_flush_by_publishing_chunk();
		return True;
	default:
		return False;
	}
}

Bool vt_monitor_execute_if_ours(const HChar *command)
{
	HChar *line = VG_(strdup)("vt.monitor", command);
	Bool is_ours = obey_monitor_line_if_known_command(line);

	VG_(free)(line);
	return is_ours;
}
