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
 *   input   OPEN -BYE, CLOSED-> OVER: the tool sends no more
 *           OPEN -STOP-> STOPPED: later input is ignored
 *           any -FAULT-> FAULTY: it contradicted the protocol, or was not
 *           served
 *   tool    RUNS -ASK-> ASKS -ROOM, HUNG_UP-> RUNS: the tool waits for room in
 *           its ring
 *           RUNS, ASKS -BYE-> LEAVING -REPORT-> ANSWERED
 *   feeding FEEDS -WAIT-> WAITS -FEED-> FEEDS: the intake waits until a chunk
 *   is
 *           analysed
 *           FEEDS, WAITS -DRAIN-> ALONE: hands execute no more jobs
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
	DM_EV_HELLO,	 /* a valid hello */
	DM_EV_ADMITTED,	 /* the client has a ring */
	DM_EV_WELCOMED,	 /* the client has a stream */
	DM_EV_EXEC,	 /* the record is complete; another image may follow */
	DM_EV_DRAINED,	 /* the record is complete */
	DM_EV_SUCCEEDED, /* another image followed, or none will */
	DM_EV_BYE,	 /* the tool's first PT_MSG_BYE */
	DM_EV_CLOSED,	 /* the tool's end of the connection is closed */
	DM_EV_STOP,	 /* the daemon stops its clients */
	DM_EV_FAULT,
	DM_EV_ASK,    /* the tool waits for room in its ring */
	DM_EV_ROOM,   /* the tool has been sent PT_MSG_ROOM */
	DM_EV_REPORT, /* a report, or the fact that there is none, is queued */
	DM_EV_WAIT,   /* the intake can read nothing before a chunk is
			 analysed */
	DM_EV_FEED,   /* the intake can read again */
	DM_EV_DRAIN,  /* the intake does the remaining work alone */
	DM_EV_FULL,   /* a packet waits for room in the socket */
	DM_EV_SENT,   /* no packet waits */
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

/* Return the state of a region as the number of its enumerator. */
unsigned dm_machine_state(const struct dm_machine *, enum dm_region);

/* Apply an event. Return: false if it is not allowed in the present states,
   which are then unchanged. */
bool dm_machine_step(struct dm_machine *, enum dm_event);

#endif
