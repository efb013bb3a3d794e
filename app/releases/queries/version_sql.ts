import type { Version } from '#workflow/version'

/** The columns of a version, the first deciding most. */
const COLUMNS = ['version_major', 'version_minor', 'version_patch'] as const

/** The version of a release as one value that compares as versions do. */
export const versionOf = (alias: string) =>
  `(${COLUMNS.map((column) => `${alias}.${column}`).join(', ')})`

/** A version that is bound as `:major`, `:minor` and `:patch`. */
export const BOUND_VERSION = '(:major, :minor, :patch)'

/** The ORDER BY terms that put the newest version first, after other criteria. */
export const newest = (alias: string) =>
  COLUMNS.map((column) => `${alias}.${column} desc`).join(', ')

/** The same for the lowest version. */
export const lowest = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ')

/** The end of a SELECT that puts the newest version first. */
export const newestFirst = (alias: string) => `order by ${newest(alias)}`

/** The end of a SELECT that puts the lowest version first. */
export const lowestFirst = (alias: string) => `order by ${lowest(alias)}`

/** SQL for a release on the train, as `isOnTrain` for one that was read. */
export const onTrain = (alias: string) => `${alias}.create_type = 'release'`

/** SQL for a release that another may follow: a rollback ships what was there before it. */
export const noRollback = (alias: string) => `${alias}.create_type <> 'rollback'`

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
