/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client_states.h - lists the states of a client and the events that change
 * them
 *
 * A client is in one state of each of five regions:
 *
 *   stage   SILENT -HELLO-> WAITING -ADMITTED-> STARTING -WELCOMED-> LIVE
 *           STARTING, LIVE -DRAINED-> ENDED
 *           STARTING, LIVE -EXEC-> EXECED -SUCCEEDED-> ENDED
 *   input   OPEN -BYE, CLOSED-> OVER: the tool sends nothing more
 *           OPEN -STOP-> STOPPED: later input is ignored
 *           any -FAULT-> FAULTY: the tool contradicted the protocol, or the
 *           daemon could not serve it
 *   tool    RUNS -ASK-> ASKS -ROOM, HUNG_UP-> RUNS: the tool waits for space
 *           in its ring
 *           RUNS, ASKS -BYE-> LEAVING -REPORT-> ANSWERED
 *   feeding FEEDS -WAIT-> WAITS -FEED-> FEEDS: the ring reader waits until a
 *           chunk is analysed
 *           FEEDS, WAITS -DRAIN-> ALONE: chunk workers execute no more jobs
 *   socket  CLEAR -FULL-> BLOCKED -SENT, HUNG_UP-> CLEAR
 *
 * The table in client_states.c lists for each event the stages in which it is
 * allowed and its effect in each region. An event changes all of its regions
 * or none.
 *
 * Threads: the caller locks; dm_daemon.lock guards the states of a client.
 */
#ifndef DAEMON_CLIENT_CLIENT_STATES_H
#define DAEMON_CLIENT_CLIENT_STATES_H

#include <stdbool.h>

enum dm_stage {
	DM_SILENT,
	DM_WAITING,
	DM_STARTING,
	DM_LIVE,
	DM_EXECED,
	DM_ENDED,
};

enum dm_input { DM_OPEN, DM_OVER, DM_STOPPED, DM_FAULTY };
enum dm_tool { DM_RUNS, DM_ASKS, DM_LEAVING, DM_ANSWERED };
enum dm_feeding { DM_FEEDS, DM_WAITS, DM_ALONE };
enum dm_socket { DM_CLEAR, DM_BLOCKED };

enum dm_region {
	DM_STAGE,
	DM_INPUT,
	DM_TOOL,
	DM_FEEDING,
	DM_SOCKET,
	DM_REGIONS,
};

enum dm_event {
	DM_EV_HELLO,	 /* a valid hello (first message) arrived */
	DM_EV_ADMITTED,	 /* the client has got a ring */
	DM_EV_WELCOMED,	 /* the client has got a stream, and a welcome */
	DM_EV_EXEC,	 /* the recording ended, by an exec that the tool
			    reported; another image of the process may follow */
	DM_EV_DRAINED,	 /* the recording ended otherwise, also by a fault or a
			    stop of the daemon */
	DM_EV_SUCCEEDED, /* after DM_EV_EXEC: the next image of the process
			    has a ring, or none will follow */
	DM_EV_BYE,	 /* the tool's first PT_MSG_BYE arrived */
	DM_EV_CLOSED,	 /* the tool closed its end of the connection, or sent
			    a second PT_MSG_BYE */
	DM_EV_STOP,	 /* the daemon stops its clients */
	DM_EV_FAULT,
	DM_EV_ASK,    /* the tool requested space in its ring and waits for
			 it */
	DM_EV_ROOM,   /* PT_MSG_ROOM is sent to the tool */
	DM_EV_REPORT, /* a report, or a message that there is none, was
			 queued */
	DM_EV_WAIT,   /* the ring reader can read nothing before a chunk is
			 analysed */
	DM_EV_FEED,   /* the ring reader can read again */
	DM_EV_DRAIN,  /* the ring reader does the remaining work alone */
	DM_EV_FULL,   /* a packet waits for space in the socket */
	DM_EV_SENT,   /* no packet waits for space in the socket */
	DM_EV_HUNG_UP,
	DM_EVENTS,
};

/* The state of a client in each region; zeroed: just connected. */
struct dm_machine {
	enum dm_stage stage;
	enum dm_input input;
	enum dm_tool tool;
	enum dm_feeding feeding;
	enum dm_socket socket;
};

/* Return the state of a region as the value of its enumerator. */
unsigned dm_machine_get_state_of_client_region(const struct dm_machine *,
					       enum dm_region);

/* Apply an event: change the state of each region that the event affects.
   Return: false if the event is not allowed in the present states; none is
   changed then. */
bool dm_machine_try_apply_event(struct dm_machine *, enum dm_event);

#endif
