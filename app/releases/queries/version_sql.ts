import type { Version } from '#workflow/version'

/** The columns of a version, the first deciding most. */
const COLUMNS = ['version_major', 'version_minor', 'version_patch'] as const

/** The version of a release as one value that compares as versions do. */
export const versionOf = (alias: string) =>
  `(${COLUMNS.map((column) => `${alias}.${column}`).join(', ')})`

/** A version that is bound as `:major`, `:minor` and `:patch`. */
export const BOUND_VERSION = '(:major, :minor, :patch)'

/** The end of a SELECT that puts the newest version first. */
export const newestFirst = (alias: string) =>
  `order by ${COLUMNS.map((column) => `${alias}.${column} desc`).join(', ')}`

/** The end of a SELECT that puts the lowest version first. */
export const lowestFirst = (alias: string) =>
  `order by ${COLUMNS.map((column) => `${alias}.${column}`).join(', ')}`

/** The order of versions for the query builder, the lowest first. */
export const LOWEST_FIRST = [...COLUMNS]

/** The columns of a version with their values, for the query builder. */
export function versionColumns(version: Version) {
  return {
    version_major: version.major,
    version_minor: version.minor,
    version_patch: version.patch,
  }
}
