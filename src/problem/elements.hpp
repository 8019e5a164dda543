// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one list of element types: which combinations of A, x, y and sum have kernels.
#pragma once

#include <array>
#include <iterator>

#include "numbers/double_length.hpp"
#include "numbers/scalar.hpp"
#include "problem/combinations.hpp"

namespace onepass {

// A: the matrix. X: the vector x. Y: the vector y, unless the caller gives it in the type of the scalars (wide_y).
// Scalar: in which alpha and beta are given. Factor: in which elements are multiplied. Sum: in which products are
// summed. XFactor: an element of x as it is multiplied with a Factor.
template <class A_, class X_, class Y_, class Scalar_, class Factor_ = Scalar_, class Sum_ = Factor_,
          class XFactor_ = Factor_>
struct Elements {
  using A = A_;
  using X = X_;
  using Y = Y_;
  using Scalar = Scalar_;
  using Factor = Factor_;
  using Sum = Sum_;
  using XFactor = XFactor_;
};

using ElementsS = Elements<float, float, float, float>;
using ElementsD = Elements<double, double, double, double>;
using ElementsC = Elements<Complex<float>, Complex<float>, Complex<float>, Complex<float>>;
using ElementsZ = Elements<Complex<double>, Complex<double>, Complex<double>, Complex<double>>;
using ElementsH = Elements<Half, Half, Half, float>;
using ElementsB = Elements<Bfloat16, Bfloat16, Bfloat16, float>;
using ElementsW = Elements<DoubleDouble, DoubleDouble, DoubleDouble, DoubleDouble>;
using ElementsSWider = Elements<float, float, float, float, double>;
using ElementsCWider = Elements<Complex<float>, Complex<float>, Complex<float>, Complex<float>, Complex<double>>;
using ElementsHWider = Elements<Half, Half, Half, float, double>;
using ElementsBWider = Elements<Bfloat16, Bfloat16, Bfloat16, float, double>;
using ElementsDTwice = Elements<double, double, double, double, double, Twice<double>>;
using ElementsZTwice = Elements<Complex<double>, Complex<double>, Complex<double>, Complex<double>, Complex<double>,
                                Complex<Twice<double>>>;

// x as head and tail, and y if the caller gives it so.
template <class T, class Factor, class Sum>
using ElementsTails = Elements<T, HeadTail<T>, T, T, Factor, Sum, Sum>;
using ElementsSTails = ElementsTails<float, double, double>;
using ElementsDTails = ElementsTails<double, double, Twice<double>>;
using ElementsCTails = ElementsTails<Complex<float>, Complex<double>, Complex<double>>;
using ElementsZTails = ElementsTails<Complex<double>, Complex<double>, Complex<Twice<double>>>;

// The row of `combinations` that a list of Elements is for.
template <ElementsId id_, class E>
struct ElementsOfId {
  static constexpr ElementsId id = id_;
  using Elements = E;
};
template <class... Combinations>
struct ElementsList {};

inline constexpr ElementsList<
    ElementsOfId<ElementsId::s, ElementsS>, ElementsOfId<ElementsId::d, ElementsD>,
    ElementsOfId<ElementsId::c, ElementsC>, ElementsOfId<ElementsId::z, ElementsZ>,
    ElementsOfId<ElementsId::h, ElementsH>, ElementsOfId<ElementsId::b, ElementsB>,
    ElementsOfId<ElementsId::w, ElementsW>, ElementsOfId<ElementsId::s_wider, ElementsSWider>,
    ElementsOfId<ElementsId::c_wider, ElementsCWider>, ElementsOfId<ElementsId::h_wider, ElementsHWider>,
    ElementsOfId<ElementsId::b_wider, ElementsBWider>, ElementsOfId<ElementsId::d_twice, ElementsDTwice>,
    ElementsOfId<ElementsId::z_twice, ElementsZTwice>, ElementsOfId<ElementsId::s_tails, ElementsSTails>,
    ElementsOfId<ElementsId::d_tails, ElementsDTails>, ElementsOfId<ElementsId::c_tails, ElementsCTails>,
    ElementsOfId<ElementsId::z_tails, ElementsZTails>>
    all_elements;

// The other way round.
template <class E, class... Combinations>
constexpr ElementsId find_id(ElementsList<Combinations...>) {
  ElementsId found{};
  ((std::is_same_v<E, typename Combinations::Elements> ? void(found = Combinations::id) : void()), ...);
  return found;
}
template <class E>
inline constexpr ElementsId id_of = find_id<E>(all_elements);

// Bytes of a sum.
inline constexpr auto sizes_of_sums = []<class... Combinations>(ElementsList<Combinations...>) {
  std::array<std::int64_t, std::size(all_ids)> sizes = {};
  ((sizes[static_cast<std::size_t>(Combinations::id)] = sizeof(typename Combinations::Elements::Sum)), ...);
  return sizes;
}(all_elements);
constexpr std::int64_t size_of_sum(ElementsId id) { return sizes_of_sums[static_cast<std::size_t>(id)]; }
constexpr std::int64_t size_of_sum(const Problem& p) { return size_of_sum(elements_of(p)); }

}  // namespace onepass
