// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where do signals come from? MUSIC (Schmidt 1986) with a line of antennas and many frequencies: the eigenvectors of
// the smallest eigenvalues of each covariance matrix are orthogonal to the steering vectors of the sources,
//   P(angle) = 1 / sum_f |E_f^H a_f(angle)|^2,   a_f(angle)_m = exp(2 pi i f m sin(angle) d / c).
// All covariance matrices are one call. Two of the three sources are closer than the width of the beam.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <onepass/lapack.hpp>
#include <random>
#include <vector>

using Complex = std::complex<double>;

constexpr int antennas = 16, snapshots = 200, frequencies = 32;
constexpr double noise = 0.3;
const std::vector<double> sources = {-20, 10, 14};  // degrees

// Half a wavelength between antennas at the highest frequency, a quarter at the lowest.
Complex steering(int antenna, int frequency, double degrees) {
  const double cycles = 0.25 * (1 + (frequency + 1.0) / frequencies);
  const double phase = 2 * std::numbers::pi * cycles * antenna * std::sin(degrees * std::numbers::pi / 180);
  return std::polar(1.0, phase);
}

// The mean of x x^H over snapshots x of all sources and noise, column by column.
void add_covariance(int frequency, std::mt19937& random, Complex* covariance) {
  std::normal_distribution<double> normal(0, std::sqrt(0.5));
  const auto number = [&] { return Complex{normal(random), normal(random)}; };
  std::vector<Complex> x(antennas);
  for (int snapshot = 0; snapshot < snapshots; ++snapshot) {
    for (Complex& value : x) value = noise * number();
    for (const double angle : sources) {
      const Complex signal = number();
      for (int m = 0; m < antennas; ++m) x[m] += signal * steering(m, frequency, angle);
    }
    for (int column = 0; column < antennas; ++column)
      for (int row = 0; row < antennas; ++row)
        covariance[row + column * antennas] += x[row] * std::conj(x[column]) / double{snapshots};
  }
}

// sum_f |E_f^H a_f|^2, small where a source is.
double outside_of_signals(const std::vector<Complex>& eigenvectors, double angle) {
  double sum = 0;
  const int of_noise = antennas - static_cast<int>(sources.size());
  for (int frequency = 0; frequency < frequencies; ++frequency)
    for (int column = 0; column < of_noise; ++column) {
      Complex product = 0;
      for (int m = 0; m < antennas; ++m)
        product +=
            std::conj(eigenvectors[m + (column + frequency * antennas) * antennas]) * steering(m, frequency, angle);
      sum += std::norm(product);
    }
  return sum;
}

int main(int argc, char** argv) try {
  constexpr int n = antennas;
  std::mt19937 random(1);
  std::vector<Complex> covariances(n * n * frequencies);
  for (int f = 0; f < frequencies; ++f) add_covariance(f, random, &covariances[f * n * n]);

  // On a GPU, "cuda", all three arrays would have to live there.
  const onepass::lapack::Handle handle(argc > 1 ? argv[1] : "cpu");
  std::vector<double> powers(n * frequencies);
  std::vector<int> info(frequencies);
  onepass::lapack::eigh_strided_batched(handle, onepass::lapack::Job::vectors, onepass::Uplo::lower, n,
                                        covariances.data(), n, n * n, powers.data(), n, info.data(), frequencies);
  if (std::any_of(info.begin(), info.end(), [](int i) { return i != 0; })) return 1;

  // The deepest minima on a grid of a tenth of a degree.
  struct Minimum {
    double depth, angle;
  };
  std::vector<Minimum> minima;
  const auto at = [&](int step) { return outside_of_signals(covariances, step / 10.0); };
  double before = at(-900), here = at(-899);
  for (int step = -898; step <= 900; ++step) {
    const double next = at(step);
    if (here < before && here < next) minima.push_back({here, (step - 1) / 10.0});
    before = here;
    here = next;
  }
  std::ranges::sort(minima, {}, &Minimum::depth);
  minima.resize(std::min(minima.size(), sources.size()));
  std::ranges::sort(minima, {}, &Minimum::angle);
  bool found = minima.size() == sources.size();
  for (std::size_t i = 0; i < minima.size(); ++i) {
    std::printf("source at %5.1f degrees, found at %5.1f\n", sources[i], minima[i].angle);
    found = found && std::abs(minima[i].angle - sources[i]) <= 0.3;
  }
  return found ? 0 : 1;
} catch (const onepass::lapack::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
