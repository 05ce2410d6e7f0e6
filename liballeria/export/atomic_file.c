/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic_file.c - writes an output file under a temporary name, and renames it
 *                 when it is complete
 */
#include "liballeria/export/atomic_file.h"

#include <errno.h>

#include "base/system/progress.h"

int ex_file_open_for_atomic_write(struct ex_file *f, struct ex_export_job *job,
				  const char *path)
{
	int err = al_file_open_for_atomic_write(&f->file, path);

	f->job = job;
	return err ? ex_set_write_error_return_minus_1(job, path, err) : 0;
}

int ex_file_write(struct ex_file *f, const void *data, size_t len)
{
	errno = 0;
	if (fwrite(data, 1, len, f->file.stream) == len)
		return 0;
	return ex_set_write_error_return_minus_1(f->job, f->file.path,
						 errno ? errno : EIO);
}

int ex_file_seek_to_start(struct ex_file *f)
{
	if (fseek(f->file.stream, 0, SEEK_SET) == 0)
		return 0;
	return ex_set_write_error_return_minus_1(f->job, f->file.path, errno);
}

int ex_file_commit_or_discard(struct ex_file *f, int earlier_error)
{
	char path[sizeof(f->job->message)];
	int late;

	snprintf(path, sizeof(path), "%s", f->file.path ? f->file.path : "");
	if (!earlier_error && !al_progress_report_0_done_may_continue())
		earlier_error = ex_set_write_error_return_minus_1(f->job, path,
								  ECANCELED);
	late = al_file_close_commit_or_remove(&f->file, earlier_error);
	return late && !earlier_error
		       ? ex_set_write_error_return_minus_1(f->job, path, late)
		       : earlier_error;
}
