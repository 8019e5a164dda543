! SPDX-FileCopyrightText: 2026 The Onepass authors
! SPDX-License-Identifier: BSD-3-Clause
! A program that calls BLAS and knows nothing of Onepass. It gets it by the order of libraries alone:
!   gfortran relink.f90 -lonepass_blas -lblas
! or, already linked, by LD_PRELOAD=libonepass_blas.so. With ONEPASS_INTERPOSE=log it says so at its end.
program relink
  implicit none
  integer, parameter :: n = 300
  double precision :: a(n, n), x(n), y(n), z(n)
  double precision, external :: ddot
  integer :: i, j
  external :: dgemv, dsymv

  do j = 1, n
    do i = 1, n
      a(i, j) = 1d0 / (i + j - 1)
    end do
    x(j) = j
  end do
  ! The matrix is symmetric: both calls compute A x.
  call dgemv('N', n, n, 1d0, a, n, x, 1, 0d0, y, 1)
  call dsymv('U', n, 1d0, a, n, x, 1, 0d0, z, 1)
  print '(a, es12.4)', 'x^T A x              ', ddot(n, x, 1, y, 1)
  print '(a, es12.4)', 'largest difference   ', maxval(abs(y - z))
  if (maxval(abs(y - z)) > 1d-9 * maxval(abs(y))) stop 1
end program relink
