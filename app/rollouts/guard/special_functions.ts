/*
 * The two special functions that the guard needs, for counts up to 1e9.
 */

/** Stirling's series is exact to 1e-15 from here on. */
const FAR = 12

/**
 * Returns the logarithm of the gamma function of a positive number (Abramowitz and Stegun 6.1.41).
 */
export function logGamma(of: number): number {
  let [at, product] = [of, 1]
  for (; at < FAR; at++) product *= at
  const square = 1 / (at * at)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / at
  const stirling = (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series
  return stirling - Math.log(product)
}

export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** The most terms of the fraction; it needs about the square root of the greater parameter. */
const MAX_TERMS = 200_000

/**
 * Returns the regularized incomplete beta function I_x(a, b), by its continued fraction (Abramowitz
 * and Stegun 26.5.8, evaluated by the method of Lentz).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a
  return front * fraction(x, a, b)
}

function fraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  const step = (term: number) => {
    d = 1 / nonZero(1 + term * d)
    c = nonZero(1 + term / c)
    result *= c * d
    return c * d
  }
  for (let m = 1; m <= MAX_TERMS; m++) {
    step((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)))
    const change = step(-((a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)))
    if (Math.abs(change - 1) < 1e-13) break
  }
  return result
}

const nonZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)
