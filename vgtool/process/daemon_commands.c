/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon_commands.c - obeys commands of the daemon */

#include "vgtool/process/client_requests.h"

#include "proto/hello.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/pending_requests.h"
#include "vgtool/window/events.h"
#include "vgtool/window/switch.h"
#include "vgtool/window/windows.h"

/* Obey a message of the daemon about an event, a window, a mark or a flush.
   Messages of other types have no effect except that they have woken the
   tool. */
static void execute_event_window_mark_flush_message(const struct pt_message *m,
						    UInt bytes)
{
	const HChar *text = (const HChar *)(m + 1);

	if (m->type == PT_MSG_HAPPENED)
		vt_event_set_happened(m->value);
	else if (m->type == PT_MSG_ORDER)
		vt_windows_request_open_or_close(m->value / 2, m->value & 1);
	else if (m->type == PT_MSG_MARK && bytes > sizeof(*m))
		vt_pending_add_mark(text, bytes - sizeof(*m));
	else if (m->type == PT_MSG_FLUSH)
		vt_pending_set_ring_flush();
}

void vt_commands_register_daemon_callbacks(void)
{
	static const struct vt_connection_callbacks calls = {
		.plan = vt_switch_replace_plan_and_reset,
		.message = execute_event_window_mark_flush_message,
	};

	vt_connection_set_callbacks(&calls);
}
