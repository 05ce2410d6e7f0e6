/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openmp.c - a sum and a table filled by two OpenMP threads
 */
#include <stdio.h>

enum { N = 3000 };

static double table[N];

int main(void)
{
	double sum = 0;
	int i;

#pragma omp parallel for num_threads(2)
	for (i = 0; i < N; i++)
		table[i] = i * 0.5;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (i = 0; i < N; i++)
		sum += table[(i * 17) % N];
	printf("%.1f\n", sum);
	return 0;
}
