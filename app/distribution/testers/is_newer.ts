/** The identity of a build; null for what is unknown. */
interface BuildName {
  version: string | null
  buildNumber: string | null
}

/**
 * Returns whether the newest build is newer than the requester's own: by version, then by build
 * number, as the stores order them. Without a version, the build number alone decides. Texts that
 * are not numbers have no order: a different one counts as newer.
 */
export function isNewer(newest: BuildName, own: BuildName): boolean {
  if (own.version !== null && newest.version !== null) {
    const order = compare(newest.version, own.version)
    if (order !== 0) return order === null || order > 0
  }
  if (own.buildNumber === null) return own.version === null
  if (newest.buildNumber === null) return false
  const order = compare(newest.buildNumber, own.buildNumber)
  return order === null || order > 0
}

/**
 * Compares dotted numbers part by part: `1.10` is after `1.9`, and `1.0` equals `1`.
 * @returns null if the texts differ and one of them is not a dotted number
 */
function compare(one: string, other: string): number | null {
  if (one === other) return 0
  const [left, right] = [partsOf(one), partsOf(other)]
  if (left === null || right === null) return null
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index] ?? 0n, right[index] ?? 0n]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

function partsOf(text: string): bigint[] | null {
  return /^\d+(\.\d+)*$/.test(text) ? text.split('.').map(BigInt) : null
}
