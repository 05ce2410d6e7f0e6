/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.c - prints the measurements of the feeder; see figures.h */

#include "bench/figures.h"

#include <errno.h>
#include <string.h>

#include "base/text/json.h"
#include "lib/report/report.h"

static double divide_or_0(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static void print_daemon_figures(const struct figures *f, FILE *out)
{
	struct al_counts c = al_run_counts(f->run);
	uint64_t accesses = c.reads + c.writes;

	fprintf(out, "units     %14lu %10.2f ns each\n",
		(unsigned long)c.blocks, divide_or_0(f->wall_ns, c.blocks));
	fprintf(out, "accesses  %14lu %10.2f million a second\n",
		(unsigned long)accesses,
		1e3 * divide_or_0(accesses, f->wall_ns));
	fprintf(out, "recovery  %14.3f s %8.2f ns a unit\n",
		(double)c.recovery_ns / 1e9,
		divide_or_0(c.recovery_ns, c.blocks));
	fprintf(out, "analysis  %14.3f s %8.2f ns a unit\n",
		(double)c.analysis_ns / 1e9,
		divide_or_0(c.analysis_ns, c.blocks));
	fprintf(out, "CPU       %14.3f s %8.2f ns a unit\n",
		(double)f->cpu_ns / 1e9, divide_or_0(f->cpu_ns, c.blocks));
	fprintf(out, "workers   %14u, busy %.3f s, idle %.3f s\n", f->workers,
		(double)f->busy_ns / 1e9, (double)f->idle_ns / 1e9);
}

static void print_figures_as_text(const struct figures *f, FILE *out)
{
	fprintf(out, "dump      %14zu buffers of %u KiB, %zu MiB of units\n",
		f->dump->n_chunks, f->dump->head.chunk_bytes >> 10,
		(size_t)(f->dump->bytes >> 20));
	fprintf(out, "played    %14lu buffers, %lu streams\n",
		(unsigned long)f->chunks, (unsigned long)f->streams);
	fprintf(out, "wall      %14.3f s %8.1f MiB a second\n",
		(double)f->wall_ns / 1e9,
		divide_or_0(f->bytes, f->wall_ns) * 1e9 / (1 << 20));
	if (f->run)
		print_daemon_figures(f, out);
}

static void write_figures_as_json_object(const struct figures *f, FILE *file)
{
	struct al_json json;
	struct an_sink *s = &json.sink;

	al_json_init(&json, file);
	s->begin(s, NULL);
	s->number(s, "streams", f->streams);
	s->number(s, "chunks", f->chunks);
	s->number(s, "bytes", f->bytes);
	s->number(s, "wall_ns", f->wall_ns);
	if (f->run) {
		struct al_counts c = al_run_counts(f->run);

		s->number(s, "units", c.blocks);
		s->number(s, "accesses", c.reads + c.writes);
		s->number(s, "workers", f->workers);
		s->number(s, "cpu_ns", f->cpu_ns);
		s->number(s, "busy_ns", f->busy_ns);
		s->number(s, "idle_ns", f->idle_ns);
	}
	s->end(s);
}

static int write_json_file_or_print_error(const struct figures *f,
					  const char *path)
{
	FILE *file = fopen(path, "we");
	int err;

	if (!file) {
		fprintf(stderr, "feeder: cannot write '%s': %s\n", path,
			strerror(errno));
		return -1;
	}
	fputs("{\"feeder\": ", file);
	write_figures_as_json_object(f, file);
	if (f->run) {
		fputs(", \"report\": ", file);
		al_report_write_json(f->run, file);
	}
	fputs("}\n", file);
	err = ferror(file);
	if (fclose(file) || err) {
		fprintf(stderr, "feeder: cannot write '%s'\n", path);
		return -1;
	}
	return 0;
}

int figures_print_and_write_json(const struct figures *f, FILE *out,
				 const char *json)
{
	print_figures_as_text(f, out);
	return json ? write_json_file_or_print_error(f, json) : 0;
}
