/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_states_test.c - every event in every state of a client */

#include "tests/tap.h"

#include "daemon/client/client_states.h"

/* Effect of an event in each region: for each state, the digit of the next
   state; '-': the event is forbidden. NULL: the event does not concern the
   region. */
struct expected {
	const char *name;
	const char *stages; /* for each stage, '+' if the event is allowed in
			       it, else '-' */
	const char *to[DM_REGIONS];
};

static const struct expected expected[DM_EVENTS] = {
	/* columns: stage, input, tool, feeding, socket */
	[DM_EV_HELLO] = {"hello", "+-----", {"1-----"}},
	[DM_EV_ADMITTED] = {"admitted", "-+----", {"-2----"}},
	[DM_EV_WELCOMED] = {"welcomed", "--+---", {"--3---"}},
	[DM_EV_EXEC] = {"exec", "--++--", {"--44--"}},
	[DM_EV_DRAINED] = {"drained", "--++--", {"--55--"}},
	[DM_EV_SUCCEEDED] = {"succeeded", "----+-", {"----5-"}},
	[DM_EV_BYE] = {"bye", "--++--", {NULL, "1123", "22--"}},
	[DM_EV_CLOSED] = {"closed", "--++++", {NULL, "1123"}},
	[DM_EV_STOP] = {"stop", "--++--", {NULL, "2123"}},
	[DM_EV_FAULT] = {"fault", "--++--", {NULL, "3333"}},
	[DM_EV_ASK] = {"ask", "--++--", {NULL, NULL, "11--"}},
	[DM_EV_ROOM] = {"room", "--++++", {NULL, NULL, "-0--"}},
	[DM_EV_REPORT] = {"report", "--++++", {NULL, NULL, "--3-"}},
	[DM_EV_WAIT] = {"wait", "--++--", {NULL, NULL, NULL, "11-"}},
	[DM_EV_FEED] = {"feed", "--++--", {NULL, NULL, NULL, "002"}},
	[DM_EV_DRAIN] = {"drain", "--++--", {NULL, NULL, NULL, "22-"}},
	[DM_EV_FULL] = {"full", "--++++", {NULL, NULL, NULL, NULL, "11"}},
	[DM_EV_SENT] = {"sent", "--++++", {NULL, NULL, NULL, NULL, "00"}},
	[DM_EV_HUNG_UP] = {"hung up",
			   "++++++",
			   {NULL, NULL, "0023", NULL, "00"}},
};

static const unsigned states[DM_REGIONS] = {
	DM_ENDED + 1, DM_FAULTY + 1,  DM_ANSWERED + 1,
	DM_ALONE + 1, DM_BLOCKED + 1,
};

enum { ALL = 6 * 4 * 4 * 3 * 2 };

/* Return the machine in combination @n of all states. */
static struct dm_machine machine_of(unsigned n, unsigned state[DM_REGIONS])
{
	for (int i = 0; i < DM_REGIONS; i++) {
		state[i] = n % states[i];
		n /= states[i];
	}
	return (struct dm_machine){
		(enum dm_stage)state[0],  (enum dm_input)state[1],
		(enum dm_tool)state[2],	  (enum dm_feeding)state[3],
		(enum dm_socket)state[4],
	};
}

/* Apply the event to @state. Return: false if it is forbidden. */
static bool follow(const struct expected *e, unsigned state[DM_REGIONS])
{
	unsigned next[DM_REGIONS];

	if (e->stages[state[DM_STAGE]] != '+')
		return false;
	for (int i = 0; i < DM_REGIONS; i++) {
		next[i] = state[i];
		if (e->to[i] && e->to[i][state[i]] == '-')
			return false;
		if (e->to[i])
			next[i] = (unsigned)(e->to[i][state[i]] - '0');
	}
	memcpy(state, next, sizeof(next));
	return true;
}

static bool is_right(enum dm_event event, unsigned n)
{
	unsigned state[DM_REGIONS];
	struct dm_machine m = machine_of(n, state);
	bool may = follow(&expected[event], state);
	bool right = dm_machine_try_apply_event(&m, event) == may;

	for (int i = 0; i < DM_REGIONS; i++)
		right &= dm_machine_get_state_of_client_region(
				 &m, (enum dm_region)i) == state[i];
	return right;
}

int main(void)
{
	char fact[80];

	for (int event = 0; event < DM_EVENTS; event++) {
		unsigned right = 0, allowed = 0;

		for (unsigned n = 0; n < ALL; n++) {
			unsigned state[DM_REGIONS];

			machine_of(n, state);
			allowed += follow(&expected[event], state);
			right += is_right((enum dm_event)event, n);
		}
		snprintf(fact, sizeof(fact),
			 "%s: %u states allow it, %d do not",
			 expected[event].name, allowed, ALL - (int)allowed);
		is_u64(right, ALL, fact);
	}
	return done_testing();
}
