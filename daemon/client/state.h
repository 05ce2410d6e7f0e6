/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - what the threads of a daemon share
 *
 * A client is one connection: one process image. Its states and what leads from
 * one to another are in client_states.h. Its stages:
 *
 *   SILENT    connected, no hello yet
 *   WAITING   for memory, or for the image before it to be drained
 *   STARTING  it has a ring; a worker makes its stream and welcomes it
 *   LIVE      it is recorded
 *   EXECED    drained; ended by exec, and the next image may come; until
 *             its deadline it is waited for
 *   ENDED     drained
 *
 * A client belongs to the server thread, which may free it up to WAITING, and
 * again when it has ENDED, its connection has, too, and no worker has to do
 * with it. Until the connection ends a child may be forked from its stream: a
 * forked child holds on to it until it has joined. Only the server thread adds
 * to and removes from `clients`; others walk it under the lock.
 *
 * A client's work is an intake, which turns what the tool says into jobs, and
 * hands, any number of which may be on workers at once and do the jobs; see
 * lib/pipeline/stages.h. The hand that has analysed a chunk releases it to the
 * tool. Everything else, the end too, is done by the intake, the end when
 * nothing is left to analyse. Results do not depend on who did what, see
 * lib/pipeline/stages.h.
 *
 * Lock order: dm_daemon.lock, then dm_workers.lock, or those of a profile:
 * al_track.lock, al_recording.lock, that of pf_writer. Holding a task (see
 * dm_workers_hold()) comes before all of them.
 *
 * A profile's file may be on a file system that hangs, so it is created, written
 * and closed with none of these locks held: under dm_daemon.lock an image's
 * first and last blocks are added to the profile's queue, in the order of the
 * images, and the worker that has added them writes them behind dm_unlock()
 * (al_process_write()). A file that hangs holds one worker, the one that writes
 * it; others leave their blocks in the queue, and wait only where the queue is
 * full (profile/format/writer.h).
 */
#ifndef DAEMON_CLIENT_STATE_H
#define DAEMON_CLIENT_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/system/lock_check.h"
#include "daemon/client/client_states.h"
#include "daemon/client/hello.h"
#include "daemon/client/ring.h"
#include "daemon/core/runtime_dir.h"
#include "daemon/core/workers.h"
#include "daemon/core/options.h"
#include "lib/config/settings.h"
#include "lib/report/process_json.h"
#include "lib/run/run.h"
#include "lib/symbols/symbols.h"

struct dm_client;
struct dm_order;
struct dm_report;

struct dm_hand {
	struct dm_task task;
	struct dm_client *client;
	struct dm_hand *next; /* idle, too; by dm_daemon.lock */
};

enum { DM_HANDS = 32 }; /* that a client has, at most; more are of no use */

struct dm_client {
	struct dm_task intake; /* start, log, chunks to jobs, end */

	/* Constant. */
	struct dm_daemon *daemon;
	pid_t pid; /* as the kernel says, not the tool */
	unsigned long long born;
	pid_t parent_pid; /* parent according to the kernel, at connecting */
	unsigned long long parent_born;
	struct pt_token token; /* proves that a child was forked from it */

	/* Written by the server until STARTING, then constant. */
	struct dm_hello hello;
	uint32_t number; /* index in dm_daemon.streams */

	/* Used by the server until STARTING, then by whoever has the
	   intake; of the ring, `released` by whoever joins. */
	struct dm_ring ring;
	uint64_t limit; /* chunks to take, once it is over */
	bool limited;
	bool drained;

	/* Guarded by dm_daemon.lock. */
	struct dm_client *next; /* in dm_daemon.clients */
	union {
		struct dm_machine machine; /* changed by dm_client_step()
					      only */
		const enum dm_stage stage; /* the machine's stage, for
					      reading */
	};
	int fd;			  /* the connection, -1 when closed */
	uint64_t deadline_ns;	  /* of SILENT, WAITING, EXECED */
	unsigned joining;	  /* forked children whose intakes point to
				     it */
	const char *fault;	  /* reason for DM_FAULTY, a literal; else
				     NULL */
	uint64_t asked_value;	  /* value of the last PT_MSG_WAIT */
	uint32_t plan_sent;	  /* [bytes] of the plan sent so far */
	bool welcome_due;	  /* the welcome and the ring's descriptor are
				     still to be sent */
	bool starved;		  /* the kernel had no memory to send with */
	struct dm_report *report; /* the report being sent, or NULL; see
				     report_sender.h */
	struct dm_order *order;	  /* first order that waits, see outbox.h */
	struct dm_order *last_order;
	uint32_t n_orders;
	unsigned n_lost;		 /* PT_MSG_LOST of this client that were
					    counted */
	uint8_t told[PT_MAX_EVENTS / 8]; /* events that wait among them */
	uint64_t published;		 /* chunks, by the tool; as last seen */
	uint64_t analysed;		 /* of them */
	struct dm_hand *idle;
	unsigned chunks;    /* of its ring, those to come soon too */
	unsigned wanted;    /* of them */
	bool watched;	    /* by the tuner */
	uint64_t waited_ns; /* by the tool, as the tuner last saw */

	/* Written once, at STARTING, under the lock. */
	struct al_process *process;
	struct al_stream *stream;

	struct dm_hand hand[DM_HANDS];
};

struct dm_daemon {
	/* Constant after the start. */
	const struct al_settings *settings;
	struct dm_options options;
	char directory[DM_PATH]; /* the runtime directory */
	char socket[DM_PATH];
	uint64_t started_ns;
	int epoll;
	int wake; /* eventfd: the server has something to do */
	pthread_t server;
	pthread_t tuner;
	bool tuning;  /* there is a tuner thread */
	bool serving; /* there is a server thread */
	struct al_symbols *symbols;

	/* Server thread. */
	struct dm_listener listener;
	bool accepting;
	uint64_t accept_ns; /* not before this time */
	bool rested;	    /* memory has gone back since somebody was here */

	struct dm_workers workers;

	struct {
		struct dm_task task;
		struct al_document *first; /* oldest document not yet saved;
					      guarded by the lock */
	} documents;			   /* see document_queue.h */

	/* Guards everything below, and what it guards in the clients. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a client's stage, or its end */
	struct al_run *run;
	struct dm_client *clients;
	struct dm_client **streams; /* by number; NULL: gone */
	uint32_t n_streams;	    /* ever */
	size_t memory;		    /* [bytes] of all rings */
	bool pending; /* some stage has a deadline, or is to be removed */
	bool stopping;
	uint64_t stop_ns; /* when to hurry */
	bool hurry;	  /* drop what is in the rings */
	bool quit;	  /* the server ends */
	struct {
		pthread_t thread;
		pid_t pid;    /* the child's, or 0 */
		bool started; /* there is a thread to be joined */
		bool ended;   /* the thread ends at once */
		bool stopped; /* no more reports are made */
	} snapshot;	      /* see daemon/control/live_report.h */
	bool seen;	      /* a client has connected */
	bool reporting;	      /* `run` belongs to the reporting thread alone:
				 the server admits no client, frees no stream
				 and reads no message */
	bool reported; /* daemon/private_daemon.c has queued the report */
	bool cut;      /* a tool ended before it had read all of its
				 report */
	bool left;     /* a tool has told its user that it does not wait for the
		      report */
};

/* Whether a client's input has ended, or is ignored from now on. */
static inline bool dm_input_is_over(const struct dm_client *c)
{
	return c->machine.input != DM_OPEN;
}

/* Whether a tool has sent PT_MSG_BYE. */
static inline bool dm_has_sent_bye(const struct dm_client *c)
{
	return c->machine.tool >= DM_LEAVING;
}

/* Lock dm_daemon.lock. Until dm_unlock() the thread must not block; see
   base/system/lock_check.h. */
static inline void dm_lock(struct dm_daemon *daemon)
{
	pthread_mutex_lock(&daemon->lock);
	al_blocking_forbid();
}

static inline void dm_unlock(struct dm_daemon *daemon)
{
	al_blocking_allow();
	pthread_mutex_unlock(&daemon->lock);
}

/* Tells the server to look at its clients. Context: any. */
void dm_wake(struct dm_daemon *);

/* daemon/server.c */
void *dm_server_main(void *daemon);

/* pump.c: one turn of a client's work, see dm_turn_fn. */
bool dm_intake_turn(struct dm_task *, struct dm_worker *);
bool dm_hand_turn(struct dm_task *, struct dm_worker *);

/* Analyse everything that a live client's ring holds, in a forked copy of the
   daemon. @scratch: [DM_LOG_BYTES]. Return: 0; -errno, after which the part
   before the error counts. */
int dm_image_drain(struct dm_client *, void *scratch);

/* exit_status.c */

/**
 * dm_ending_decide() - The client's record is complete: find out how it ended.
 *
 * Context: the worker that has it; lock not held. Sleeps a little when the
 *          program is just dying.
 */
void dm_ending_decide(struct dm_client *);

/* The process is gone, and no image came after the exec. Context: lock
   held. */
void dm_ending_execed(struct dm_client *);

/* daemon/daemon.c */

/* Reserve `run` for the calling thread, once no client is being recorded;
   dm_reporting_end() releases it. The lock may be released in between. Context:
   lock held. */
void dm_reporting_begin(struct dm_daemon *);
void dm_reporting_end(struct dm_daemon *);

/* Whether nothing more is expected of the client. Context: lock held. */
bool dm_is_over(const struct dm_client *);

/* Figures for a report. Context: lock held. */
void dm_daemon_sum_up(struct dm_daemon *);

/* Wait for dm_daemon.changed, @timeout_ms at most. Context: lock held, released
   meanwhile. */
void dm_wait_changed(struct dm_daemon *, unsigned timeout_ms);

#endif
