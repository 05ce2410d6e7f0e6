/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_states.c - changes the states of a client; see client_states.h */

#include "daemon/client/client_states.h"

#include <stddef.h>

#define BIT(state) (1u << (state))

enum {
	SILENT = BIT(DM_SILENT),
	WAITING = BIT(DM_WAITING),
	STARTING = BIT(DM_STARTING),
	LIVE = BIT(DM_LIVE),
	EXECED = BIT(DM_EXECED),
	ENDED = BIT(DM_ENDED),
	RECORDED = STARTING | LIVE,
	KNOWN = RECORDED | EXECED | ENDED,
	ANY = SILENT | WAITING | KNOWN,

	OPEN = BIT(DM_OPEN),
	SHUT = BIT(DM_OVER) | BIT(DM_STOPPED) | BIT(DM_FAULTY),
};

/* Effect of an event on one region (stage, input, tool, feeding or socket) of a
   client's state, for one or several stages and states in which the event is
   allowed. */
struct transition {
	enum dm_event event;
	unsigned stages; /* bit set of the client's stages that allow the
			    event */
	enum dm_region region;
	unsigned from; /* bit set of the region's states that allow the
			  event */
	unsigned to;   /* next state of the region, or SAME */
};

enum {
	SAME = 15
}; /* value of transition.to: the event is allowed, but does
		       not change the region's state */

static const struct transition table[] = {
	{DM_EV_HELLO, ANY, DM_STAGE, SILENT, DM_WAITING},
	{DM_EV_ADMITTED, ANY, DM_STAGE, WAITING, DM_STARTING},
	{DM_EV_WELCOMED, ANY, DM_STAGE, STARTING, DM_LIVE},
	{DM_EV_EXEC, ANY, DM_STAGE, RECORDED, DM_EXECED},
	{DM_EV_DRAINED, ANY, DM_STAGE, RECORDED, DM_ENDED},
	{DM_EV_SUCCEEDED, ANY, DM_STAGE, EXECED, DM_ENDED},

	{DM_EV_BYE, RECORDED, DM_INPUT, OPEN, DM_OVER},
	{DM_EV_BYE, RECORDED, DM_INPUT, SHUT, SAME},
	{DM_EV_BYE, RECORDED, DM_TOOL, BIT(DM_RUNS) | BIT(DM_ASKS), DM_LEAVING},
	{DM_EV_CLOSED, KNOWN, DM_INPUT, OPEN, DM_OVER},
	{DM_EV_CLOSED, KNOWN, DM_INPUT, SHUT, SAME},
	{DM_EV_STOP, RECORDED, DM_INPUT, OPEN, DM_STOPPED},
	{DM_EV_STOP, RECORDED, DM_INPUT, SHUT, SAME},
	{DM_EV_FAULT, RECORDED, DM_INPUT, OPEN | SHUT, DM_FAULTY},

	{DM_EV_ASK, RECORDED, DM_TOOL, BIT(DM_RUNS) | BIT(DM_ASKS), DM_ASKS},
	{DM_EV_ROOM, KNOWN, DM_TOOL, BIT(DM_ASKS), DM_RUNS},
	{DM_EV_REPORT, KNOWN, DM_TOOL, BIT(DM_LEAVING), DM_ANSWERED},

	{DM_EV_WAIT, RECORDED, DM_FEEDING, BIT(DM_FEEDS) | BIT(DM_WAITS),
	 DM_WAITS},
	{DM_EV_FEED, RECORDED, DM_FEEDING, BIT(DM_FEEDS) | BIT(DM_WAITS),
	 DM_FEEDS},
	{DM_EV_FEED, RECORDED, DM_FEEDING, BIT(DM_ALONE), SAME},
	{DM_EV_DRAIN, RECORDED, DM_FEEDING, BIT(DM_FEEDS) | BIT(DM_WAITS),
	 DM_ALONE},

	{DM_EV_FULL, KNOWN, DM_SOCKET, BIT(DM_CLEAR) | BIT(DM_BLOCKED),
	 DM_BLOCKED},
	{DM_EV_SENT, KNOWN, DM_SOCKET, BIT(DM_CLEAR) | BIT(DM_BLOCKED),
	 DM_CLEAR},

	{DM_EV_HUNG_UP, ANY, DM_TOOL, BIT(DM_ASKS), DM_RUNS},
	{DM_EV_HUNG_UP, ANY, DM_TOOL,
	 BIT(DM_RUNS) | BIT(DM_LEAVING) | BIT(DM_ANSWERED), SAME},
	{DM_EV_HUNG_UP, ANY, DM_SOCKET, BIT(DM_CLEAR) | BIT(DM_BLOCKED),
	 DM_CLEAR},
};

enum { N_TRANSITIONS = sizeof(table) / sizeof(*table) };

unsigned dm_machine_get_state_of_client_region(const struct dm_machine *m,
					       enum dm_region region)
{
	const unsigned state[DM_REGIONS] = {m->stage, m->input, m->tool,
					    m->feeding, m->socket};

	return state[region];
}

static void set_region_state(struct dm_machine *m, enum dm_region region,
			     unsigned new_state)
{
	switch (region) {
	case DM_STAGE:
		m->stage = (enum dm_stage)new_state;
		break;
	case DM_INPUT:
		m->input = (enum dm_input)new_state;
		break;
	case DM_TOOL:
		m->tool = (enum dm_tool)new_state;
		break;
	case DM_FEEDING:
		m->feeding = (enum dm_feeding)new_state;
		break;
	case DM_SOCKET:
		m->socket = (enum dm_socket)new_state;
		break;
	case DM_REGIONS:
		break;
	}
}

/* Return the table entry for event @e in the client's present stage and the
   present state of @region, a part of the client's state such as its input or
   its socket (see client_states.h); NULL: none. *@is_event_listed_in_any_state:
   receives whether the table has an entry for @e and @region in any stage and
   state. */
static const struct transition *
find_transition(const struct dm_machine *m, enum dm_event e,
		enum dm_region region, bool *is_event_listed_in_any_state)
{
	*is_event_listed_in_any_state = false;
	for (size_t i = 0; i < N_TRANSITIONS; i++) {
		const struct transition *r = &table[i];

		if (r->event != e || r->region != region)
			continue;
		*is_event_listed_in_any_state = true;
		if ((r->stages & BIT(m->stage)) &&
		    (r->from &
		     BIT(dm_machine_get_state_of_client_region(m, region))))
			return r;
	}
	return NULL;
}

bool dm_machine_try_apply_event(struct dm_machine *m, enum dm_event event)
{
	const struct transition *found[DM_REGIONS];

	for (unsigned i = 0; i < DM_REGIONS; i++) {
		bool affected;

		found[i] =
			find_transition(m, event, (enum dm_region)i, &affected);
		if (affected && !found[i])
			return false;
	}
	for (unsigned i = 0; i < DM_REGIONS; i++)
		if (found[i] && (unsigned)found[i]->to != SAME)
			set_region_state(m, (enum dm_region)i, found[i]->to);
	return true;
}
