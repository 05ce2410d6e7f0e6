/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - declares the state that the threads of a daemon share
 *
 * A client is one connection, that is, one process image. client_states.h lists
 * its states and the events that change them. Its stages:
 *
 *   SILENT    connected; no hello has arrived
 *   WAITING   waits for memory, or until the previous image is analysed
 *   STARTING  has a ring; a worker creates its stream and welcomes the tool
 *   LIVE      is recorded
 *   EXECED    analysed; the image ended by exec; until the deadline the
 *             daemon waits for the next image
 *   ENDED     analysed
 *
 * The server thread owns every client. It may free a client up to WAITING, and
 * in ENDED if the connection is closed and no worker uses the client. Until the
 * connection is closed a child may be forked from the client's stream; such a
 * child prevents the client from being freed (`joining_children`) until the
 * child has its own stream. Only the server thread adds to and removes from
 * `clients`; other threads walk the list with the lock held.
 *
 * The work for a client is divided into tasks: one ring reader and
 * DM_MAX_CHUNK_WORKERS chunk workers. The ring reader reads log and chunks and
 * creates jobs from them; a chunk worker executes one job a turn (see
 * lib/pipeline/stages.h). Any number of chunk workers may run on worker threads
 * at once. The chunk worker that finishes the analysis of a chunk releases the
 * chunk to the tool. The ring reader does everything else; it ends the image
 * when no chunk is left to analyse. Results do not depend on which worker
 * executed which job.
 *
 * Lock order: dm_daemon.lock, then either dm_workers.lock or the locks of a
 * profile (al_stream_writer.lock, al_recording.lock, then that of pf_writer).
 * Holding a task (see dm_workers_pause_task()) comes
 * before all of them.
 *
 * A profile's file may be on a file system that hangs, so it is created,
 * written and closed with none of these locks held. Under dm_daemon.lock a
 * worker only adds an image's first and last blocks to the profile's queue, in
 * the order of the images; after dm_unlock() the same worker writes them
 * (al_process_write_profile_queue()). A file that hangs blocks
 * only the worker that writes it. Others only add their blocks to the queue,
 * and wait only if the queue is full (profile/format/writer.h).
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
struct dm_tool_command;
struct dm_report;

struct dm_chunk_worker {
	struct dm_task task;
	struct dm_client *client;
	struct dm_chunk_worker
		*next; /* next idle chunk worker; guarded by dm_daemon.lock */
};

enum {
	DM_MAX_CHUNK_WORKERS = 32
}; /* jobs of a client that can run at once; more do not make the analysis
      faster */

struct dm_client {
	struct dm_task
		ring_reader; /* task that creates the stream, reads log and
				chunks, and ends the image */

	/* The next members are constant. */
	struct dm_daemon *daemon;
	pid_t pid; /* from the kernel, not from the tool */
	unsigned long long
		start_time; /* start time, see dm_process_start_ticks_or_0() */
	pid_t parent_pid;   /* parent at connection time, from the kernel */
	unsigned long long parent_start_time; /* start time of the process
						 parent_pid */
	struct pt_token token; /* secret by which a child proves that it was
				  forked from this client */

	/* The next members are written by the server until STARTING, then
	   constant, except that the ring reader frees the strings of hello when
	   its tool was welcomed or refused. */
	struct dm_hello hello;
	uint32_t number; /* index in dm_daemon.streams */

	/* The next members are used by the server until STARTING, then by the
	   worker that runs the ring reader, except ring.released and
	   ring.n_commands: any thread changes these with dm_daemon.lock
	   held. */
	struct dm_ring ring;
	uint64_t chunk_limit; /* number of chunks that will be read; valid if
				 has_chunk_limit */
	bool has_chunk_limit; /* the input is over, and chunk_limit is set */
	bool drained;	      /* the log and all units in the ring, also the
				 unpublished ones, have been read */

	/* The next members are guarded by dm_daemon.lock. */
	struct dm_client *next; /* next client in dm_daemon.clients */
	union {
		struct dm_machine
			machine; /* changed by dm_client_try_apply_event()
					      only */
		const enum dm_stage stage; /* the machine's stage, for reading
					      only */
	};
	int fd;			   /* the connection, -1 when closed */
	uint64_t deadline_ns;	   /* [ns] monotonic time until which the client
				      may stay in SILENT, WAITING or EXECED */
	unsigned joining_children; /* number of forked children whose ring
				      readers point to this client */
	const char *fault;	   /* reason for DM_FAULTY, a literal; else
				     NULL */
	uint64_t wait_value;	   /* value of the last PT_MSG_WAIT: number of
				      analysed chunks that is not enough;
				      UINT64_MAX: space in the log is needed */
	bool allocators_sent;	   /* PT_MSG_ALLOCATORS was sent */
	uint32_t plan_sent;	   /* [bytes] of the plan sent so far */
	bool welcome_due;	   /* the welcome, with the ring's descriptor,
				      is queued and not sent yet */
	bool lacks_send_memory;	   /* the kernel had no memory for a packet; the
				      queued packets are sent later */
	struct dm_report *report;  /* the report being sent, or NULL; see
				     report_sender.h */
	struct dm_tool_command
		*first_command; /* first queued command, see outbox.h */
	struct dm_tool_command *last_command;
	uint32_t n_commands; /* number of queued commands */
	unsigned n_lost;     /* number of PT_MSG_LOST of this client for which a
				child was marked as lossy; at most
				DM_MAX_LOST */
	uint8_t reported_events[PT_MAX_EVENTS /
				8]; /* a bit for each event whose
					    PT_MSG_HAPPENED is queued */
	uint64_t published; /* number of chunks that the tool had published when
			       the ring reader last read it */
	uint64_t analysed;  /* number of chunks whose analysis is finished */
	struct dm_chunk_worker *idle_chunk_workers; /* list of the idle chunk
						       workers of the client */
	unsigned chunks;	/* number of chunks of the ring, including those
				   of a growth that the tool has not reached
				   yet */
	unsigned target_chunks; /* number of chunks that the ring shall grow to;
				   no effect if not more than `chunks` */
	bool has_waited_ns;	/* `waited_ns` is valid */
	uint64_t waited_ns;	/* [ns] that the tool has waited for the daemon,
			       when the tuner last read it */

	/* The next members are written once, at STARTING, under the lock. */
	struct al_process *process;
	struct al_stream *stream;

	struct dm_chunk_worker chunk_worker[DM_MAX_CHUNK_WORKERS];
};

struct dm_daemon {
	/* The next members are constant after the start. */
	const struct al_settings *settings;
	struct dm_options options;
	char directory[DM_PATH]; /* the runtime directory */
	char socket[DM_PATH];
	uint64_t started_ns;
	int epoll;
	int wake; /* eventfd: wakes the server thread */
	pthread_t server;
	pthread_t tuner;
	bool tuner_started;  /* the tuner thread was started */
	bool server_started; /* the server thread was started */
	struct al_symbols *symbols;

	/* The next members are used by the server thread only. */
	struct dm_listener listener;
	bool accepting;	     /* epoll watches the listening socket for
				connections */
	uint64_t accept_ns;  /* [ns] monotonic time before which no connection
				is accepted */
	bool memory_trimmed; /* free memory was returned to the kernel since the
			       last event */

	struct dm_workers workers;

	struct {
		struct dm_task task;
		struct al_document *first; /* oldest document that is not yet
					      saved; guarded by the lock */
	} documents;			   /* see document_queue.h */

	/* Guards all members below, and the members of dm_client and
	   dm_chunk_worker whose comments name the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* signalled when the recording of an image or
				   the wait for a next image ends, a client is
				   freed, the first chunk of a client is read, a
				   tool's connection or a live report ends, a
				   document is saved, or the tuner shall end */
	struct al_run *run;
	struct dm_client *clients;
	struct dm_client **streams; /* [n_streams] clients by number; NULL: the
				       client was freed */
	uint32_t n_streams;	    /* number of streams that were assigned a
				       number */
	size_t ring_bytes;	    /* [bytes] memory of all rings, including
				       that reserved for their growth */
	bool has_pending_clients; /* a client has a deadline, is to be freed, or
				     a send is to be retried */
	bool stopping;		  /* the daemon is ending its recordings */
	bool drop_rings;	  /* the unread contents of rings whose input is
				     over are not analysed */
	bool quit;		  /* server and tuner thread shall end */
	struct {
		pthread_t thread;
		pid_t pid;    /* process id of the child that makes the report,
				 or 0 */
		bool started; /* the thread of a live report must be joined */
		bool ended;   /* the thread of the live report is about to
				 return */
		bool stopped; /* no more live reports are made */
	} snapshot;	      /* see daemon/control/live_report.h */
	bool had_client;      /* a client has connected */
	bool reporting;	      /* `run` is reserved for the reporting thread once
				 no client is being recorded: the server admits
				 no client and frees no stream */
	bool report_queued;   /* daemon/private_daemon.c has queued the report
				for a tool */
	bool report_was_cut;  /* a tool ended before it had read all of its
			  report */
	bool report_was_abandoned; /* a tool has printed that it does not wait
				      for the report */
};

/* Whether the tool sends nothing more, or what it sends is ignored because the
   client was stopped or is faulty. */
static inline bool dm_is_no_more_input_accepted(const struct dm_client *c)
{
	return c->machine.input != DM_OPEN;
}

/* Whether the client's tool has sent PT_MSG_BYE. */
static inline bool dm_has_tool_sent_bye(const struct dm_client *c)
{
	return c->machine.tool >= DM_LEAVING;
}

/* Lock dm_daemon.lock. Until it calls dm_unlock() the thread must not call
   functions that may block; debug checks detect that, see
   base/system/lock_check.h. */
static inline void dm_lock(struct dm_daemon *daemon)
{
	pthread_mutex_lock(&daemon->lock);
	al_lock_check_begin_blocking_ban();
}

static inline void dm_unlock(struct dm_daemon *daemon)
{
	al_lock_check_end_blocking_ban();
	pthread_mutex_unlock(&daemon->lock);
}

/* Wake the server thread, so that it handles deadlines and pending clients.
   Context: any. */
void dm_wake_server(struct dm_daemon *);

/* Run the server thread; defined in daemon/server.c. */
void *dm_server_main(void *daemon);

/* Create the stream (struct al_stream) that analyses and records the client's
   exec image, then send the tool a welcome or a refusal. @parent_log_buffer:
   [DM_LOG_BYTES]. Return: 0; -errno: the tool was refused. Context: a turn of
   the client's ring reader, lock not held. Defined in stream_creation.c. */
int dm_client_create_stream_and_welcome(struct dm_client *,
					void *parent_log_buffer);

/**
 * dm_client_finish_image_free_ring() - Find out how an image ended, store that
 * in its process, free the ring, and move the client to EXECED or ENDED.
 *
 * Call it when everything that the client sent has been analysed or dropped.
 * The client itself is not freed.
 *
 * Context: the worker that runs the ring reader; lock not held. Sleeps at most
 *          200 ms if the process is still exiting.
 */
void dm_client_finish_image_free_ring(struct dm_client *);

/* Move a client from EXECED to ENDED, because no next image of its process will
   connect, and report the end of the process. Context: lock held. */
void dm_client_set_ended_without_next_image(struct dm_client *);

/* Reserve dm_daemon.run for the calling thread: the server admits no client
   until dm_reporting_clear_flag_wake_server(). Then wait until no client is
   being recorded. Context: lock held, released while this waits. The caller may
   release the lock between the two calls. */
void dm_reporting_begin_wait_recordings_end(struct dm_daemon *);
void dm_reporting_clear_flag_wake_server(struct dm_daemon *);

/* Whether the client has ended, or is in EXECED past its deadline. Context:
   lock held. */
bool dm_client_has_ended_or_exec_timed_out(const struct dm_client *);

/* Store the elapsed time and the workers' busy and idle times in dm_daemon.run.
   Context: lock held. */
void dm_daemon_store_times_in_run(struct dm_daemon *);

/* Wait until dm_daemon.changed is signalled, at most @timeout_ms; the caller
   checks what has changed. Context: lock held, released during the wait. */
void dm_wait_for_changed_signal_or_timeout(struct dm_daemon *,
					   unsigned timeout_ms);

#endif
