/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix.c - multiplies dense matrices: loads with constant strides, few stores
 *
 * matrix N: multiplies two N x N matrices of doubles, row by column.
 */
#include <stdio.h>
#include <stdlib.h>

static double *create_random_matrix(size_t n, unsigned seed)
{
	double *m = malloc(n * n * sizeof(*m));
	size_t i;

	for (i = 0; m && i < n * n; i++) {
		seed = seed * 1664525u + 1013904223u;
		m[i] = (double)(seed >> 24) / 256;
	}
	return m;
}

static void multiply_square_matrices(double *c, const double *a,
				     const double *b, size_t n)
{
	size_t i, j, k;
	double sum;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			sum = 0;
			for (k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, i;
	double *a = create_random_matrix(n, 1), *b = create_random_matrix(n, 2),
	       *c = create_random_matrix(n, 3), trace = 0;

	if (!n || !a || !b || !c)
		return 2;
	multiply_square_matrices(c, a, b, n);
	for (i = 0; i < n; i++)
		trace += c[i * n + i];
	printf("%.6f\n", trace);
	free(a);
	free(b);
	free(c);
	return 0;
}
