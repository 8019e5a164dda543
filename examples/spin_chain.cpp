// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Does a disordered spin chain thermalise? The spectrum says so. All eigenvalues of the Heisenberg chain in random
// fields,
//   H = sum_i S_i . S_(i+1) + h_i S_i^z,   h_i uniform in [-W, W],
// with no total magnetisation, many realisations in one call; then the mean ratio r of adjacent gaps in the middle of
// the spectrum: 0.53 where levels repel each other, as those of random matrices do, 0.39 where they do not, in a
// localised phase.
//   spin_chain [backend [sites [realisations]]]     cpu or reference; for cuda `hamiltonians` would have to live on the
//   GPU
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <onepass/lapack.hpp>
#include <random>
#include <vector>

// Spins as bits, up is 1; as many up as down.
std::vector<unsigned> states_without_magnetisation(int sites) {
  std::vector<unsigned> states;
  for (unsigned state = 0; state < 1U << sites; ++state)
    if (2 * std::popcount(state) == sites) states.push_back(state);
  return states;
}

// H of one realisation, column by column; its lower triangle suffices.
void add_hamiltonian(const std::vector<unsigned>& states, const std::vector<double>& field, double* h) {
  const int sites = static_cast<int>(field.size());
  for (std::size_t column = 0; column < states.size(); ++column) {
    const unsigned state = states[column];
    double diagonal = 0;
    for (int i = 0; i < sites; ++i) {
      const unsigned here = 1U << i, next = 1U << (i + 1) % sites;
      const bool up = (state & here) != 0, next_up = (state & next) != 0;
      diagonal += (up == next_up ? 0.25 : -0.25) + (up ? 0.5 : -0.5) * field[static_cast<std::size_t>(i)];
      if (up == next_up) continue;
      const auto row = std::lower_bound(states.begin(), states.end(), state ^ here ^ next) - states.begin();
      h[column * states.size() + static_cast<std::size_t>(row)] += 0.5;  // S+ S- / 2 and its adjoint
    }
    h[column * states.size() + column] += diagonal;
  }
}

// The mean of min / max of adjacent gaps in the middle half of ascending energies.
double mean_ratio(const double* energies, std::size_t n) {
  double sum = 0;
  const std::size_t first = n / 4, last = 3 * n / 4;
  for (std::size_t i = first; i < last; ++i) {
    const double below = energies[i] - energies[i - 1], above = energies[i + 1] - energies[i];
    sum += std::min(below, above) / std::max({below, above, 1e-300});
  }
  return sum / static_cast<double>(last - first);
}

double ratio_in_disorder(const onepass::lapack::Handle& handle, double strength, int sites, int realisations) {
  const std::vector<unsigned> states = states_without_magnetisation(sites);
  const std::size_t n = states.size(), count = static_cast<std::size_t>(realisations);
  std::vector<double> hamiltonians(n * n * count), energies(n * count), field(static_cast<std::size_t>(sites));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-strength, strength);
  for (std::size_t i = 0; i < count; ++i) {
    for (double& h : field) h = uniform(random);
    add_hamiltonian(states, field, &hamiltonians[i * n * n]);
  }

  const auto order = static_cast<std::int64_t>(n);
  std::vector<int> info(count);
  onepass::lapack::eigh_strided_batched(handle, onepass::lapack::Job::values, onepass::Uplo::lower, order,
                                        hamiltonians.data(), order, order * order, energies.data(), order, info.data(),
                                        static_cast<std::int64_t>(count));
  if (std::any_of(info.begin(), info.end(), [](int i) { return i != 0; })) return NAN;

  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += mean_ratio(&energies[i * n], n);
  return sum / realisations;
}

int main(int argc, char** argv) try {
  const onepass::lapack::Handle handle(argc > 1 ? argv[1] : "cpu");
  const int sites = argc > 2 ? std::atoi(argv[2]) : 10, realisations = argc > 3 ? std::atoi(argv[3]) : 20;
  const double weak = ratio_in_disorder(handle, 1, sites, realisations);
  const double strong = ratio_in_disorder(handle, 10, sites, realisations);
  std::printf(
      "%d sites, %d realisations: r = %.3f in weak disorder (random matrices: 0.531), %.3f in strong (none: 0.386)\n",
      sites, realisations, weak, strong);
  return weak > 0.48 && weak < 0.56 && strong > 0.36 && strong < 0.43 ? 0 : 1;
} catch (const onepass::lapack::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
