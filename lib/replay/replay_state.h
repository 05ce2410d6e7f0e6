/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_state.h - what a replay consists of
 */
#ifndef LIB_REPLAY_REPLAY_STATE_H
#define LIB_REPLAY_REPLAY_STATE_H

#include <pthread.h>

#include "lib/replay/replay.h"
#include "lib/run/state.h"
#include "lib/symbols/symbols.h"
#include "profile/codec/codec.h"
#include "profile/format/reader.h"
#include "profile/format/records.h"

/* What loads a block. */
struct al_loader {
	struct al_loader *next; /* idle, too */
	struct pf_unpacker *unpacker;
	struct pf_coder *coder;
};

/* A chunk that is on its way. */
struct al_lane {
	struct al_replay *replay;
	const struct pf_entry *entry;
	uint64_t *words;
	size_t size; /* [bytes] */
};

/* A stream of the profile. */
struct al_replayed {
	struct al_process *process;
	struct al_stream *stream; /* NULL: it has ended, and has no heirs */
	struct al_lane lane[AL_PIECES];
	uint64_t begun;	   /* chunks */
	uint64_t analysed; /* of them */
	uint64_t log;	   /* [bytes] taken */
	bool over;	   /* nothing more is taken */
	bool ended;
};

struct al_replay {
	/* Constant once it has started. */
	const struct al_settings *settings;
	struct pf_reader *reader;
	const struct pf_entry *entry;
	size_t n_entries;
	struct al_symbols *symbols;
	struct al_run *run;
	unsigned n_workers;
	pthread_t *worker;
	uint64_t start_ns;

	/* Of who feeds. */
	struct al_loader feeder;

	pthread_mutex_t lock; /* guards the rest, and the streams' stages */
	pthread_cond_t changed;
	size_t next; /* entry to feed */
	bool feeding;
	struct al_replayed **stream; /* by number */
	uint32_t n_streams;
	uint32_t *heirs; /* [n_entries] by number: streams yet to be forked */
	struct al_loader *idle;
	unsigned running; /* workers */
	uint64_t busy_ns; /* theirs */
	uint64_t idle_ns;
	int error;	 /* -ENOMEM */
	const char *why; /* what PF_DONE says is wrong, or NULL */
};

int al_loader_start(struct al_loader *); /* 0 or -ENOMEM */
void al_loader_stop(struct al_loader *);

/* Whether the next block can be fed now. Context: lock held. */
bool al_replay_can_feed(const struct al_replay *);

/* Feeds a block, who has said that he is feeding. 0; -ENOMEM. */
int al_replay_feed(struct al_replay *, const struct pf_entry *);

/* Nothing more of a stream is taken: @why, a literal. Context: lock held. */
void al_replayed_stop(struct al_replayed *, const char *why);

/* A block's payload, of records or log. 0; -EBADMSG; -ENOMEM; -errno. */
int al_replay_load(struct al_replay *, const struct pf_entry *,
		   const void **payload);

/* Has the profile's names used instead of those in the objects. 0; -ENOMEM;
   damaged ones are left out. */
int al_replay_names(struct al_replay *);

/* Finds out which streams others are forked from. 0; -ENOMEM. */
int al_replay_heirs(struct al_replay *);

/* Whether windows with reports of their own can have their outputs. 0; -EINVAL
   with @message. */
int al_replay_outputs(struct al_replay *, char *message);

/* Begins a stream. 0; -EBADMSG when it cannot be; -ENOMEM. */
int al_replayed_image(struct al_replay *, const struct pf_entry *);

/* A stream is over, and nothing of it is on its way: how it ended. */
void al_replayed_end(struct al_replay *, struct al_replayed *,
		     const struct pf_entry *);

/* The same where nothing is said: @why, a literal or interned. */
void al_replayed_cut(struct al_replayed *, const char *why);

/* What is said at the end of the run. */
void al_replayed_done(struct al_replay *, const struct pf_entry *);

#endif
