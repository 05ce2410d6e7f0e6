# SPDX-License-Identifier: GPL-2.0-or-later
#
# page-guest.sh - builds page-guest, a product of matrices, in the current folder

cat >page-guest.c <<-END
	#include <stdio.h>
	enum { N = 64 };
	static double a[N][N], b[N][N], c[N][N];
	static void multiply(void)
	{
	        for (int i = 0; i < N; i++)
	                for (int j = 0; j < N; j++) {
	                        double sum = 0;
	                        for (int k = 0; k < N; k++)
	                                sum += a[i][k] * b[k][j];
	                        c[i][j] = sum;
	                }
	}
	int main(void)
	{
	        for (int i = 0; i < N; i++)
	                for (int j = 0; j < N; j++)
	                        b[i][j] = a[i][j] = i + j;
	        multiply();
	        printf("%f\n", c[1][2]);
	        return 0;
	}
END
${CC:-cc} -g -O1 -o page-guest page-guest.c
