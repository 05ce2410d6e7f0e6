/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * processor.h - names the processor and the features that programs test for
 *
 * A library chooses a variant of a function such as memcpy() by these features,
 * so counts of two machines differ where their features do.
 */
#ifndef BASE_SYSTEM_PROCESSOR_H
#define BASE_SYSTEM_PROCESSOR_H

enum {
	AL_PROCESSOR_NAME = 128,     /* [bytes] with the NUL */
	AL_PROCESSOR_FEATURES = 256, /* [bytes] with the NUL */
};

struct al_processor {
	char name[AL_PROCESSOR_NAME]; /* "": not known */
	/* Names as in /proc/cpuinfo, separated by blanks, in a fixed order:
	   those that Valgrind may show to programs. "": not known. */
	char features[AL_PROCESSOR_FEATURES];
};

/* Read the name and the features of the first processor from /proc/cpuinfo. A
   member that cannot be read becomes "". */
void al_processor_read_name_and_features(struct al_processor *);

#endif
