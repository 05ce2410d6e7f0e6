/* SPDX-License-Identifier: GPL-2.0-or-later */
/* document_queue.c - queues the JSON documents of ended processes and saves
   them; see document_queue.h */

#include "daemon/client/document_queue.h"

#include <stddef.h>

void dm_documents_queue_process_json(struct dm_daemon *d, struct al_process *p)
{
	struct al_document **end = &d->documents.first, *new;

	if (!d->settings->json_each || !p)
		return;
	dm_daemon_store_times_in_run(d);
	new = al_document_new_process_json_report(p);
	if (!new)
		return;
	while (*end)
		end = &(*end)->next;
	*end = new;
	dm_workers_post_task_unless_queued(&d->workers, &d->documents.task);
}

bool dm_documents_is_queue_empty(const struct dm_daemon *d)
{
	return !d->documents.first;
}

bool dm_save_oldest_document_are_more_queued(struct dm_task *task,
					     struct dm_worker *unused_worker)
{
	struct dm_daemon *d =
		(struct dm_daemon *)((char *)task - offsetof(struct dm_daemon,
							     documents.task));
	struct al_document *doc;
	bool more_documents;

	(void)unused_worker;
	dm_lock(d);
	doc = d->documents.first;
	dm_unlock(d);
	if (!doc)
		return false;
	al_document_save_and_store_error(doc);
	dm_lock(d);
	d->documents.first = doc->next;
	al_document_count_error_and_free(d->run, doc);
	more_documents = d->documents.first;
	pthread_cond_broadcast(&d->changed);
	dm_unlock(d);
	return more_documents;
}
