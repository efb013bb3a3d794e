import type { Version } from '#workflow/version'

/** The columns of a version, the most significant first. */
const COLUMNS = ['version_major', 'version_minor', 'version_patch'] as const

/** SQL expression: the version of a release as one comparable value. */
export const versionOf = (alias: string) =>
  `(${COLUMNS.map((column) => `${alias}.${column}`).join(', ')})`

/** SQL expression: a version whose parts are bound as `:major`, `:minor` and `:patch`. */
export const BOUND_VERSION = '(:major, :minor, :patch)'

/** ORDER BY terms that put the newest version first. */
export const newest = (alias: string) =>
  COLUMNS.map((column) => `${alias}.${column} desc`).join(', ')

/** ORDER BY terms that put the lowest version first. */
export const lowest = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ')

/** Returns the end of a SELECT that puts the newest version first. */
export const newestFirst = (alias: string) => `order by ${newest(alias)}`

/** Returns the end of a SELECT that puts the lowest version first. */
export const lowestFirst = (alias: string) => `order by ${lowest(alias)}`

/** SQL condition: a release is on the train (like `isOnTrain`). */
export const onTrain = (alias: string) => `${alias}.create_type = 'release'`

/** SQL condition: a release is not a rollback. The types of other releases ignore rollbacks. */
export const noRollback = (alias: string) => `${alias}.create_type <> 'rollback'`

/** The order of versions for the query builder, the lowest first. */
export const LOWEST_FIRST = [...COLUMNS]

/** Returns the columns of a version with their values, for the query builder. */
export function versionColumns(version: Version) {
  return {
    version_major: version.major,
    version_minor: version.minor,
    version_patch: version.patch,
  }
}
