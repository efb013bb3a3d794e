import type { RowOf } from '#foundation/core/database/table'
import type { Version } from '#workflow/version'
import type { releases } from '../tables.js'

type VersionColumns = Pick<RowOf<typeof releases>, 'versionMajor' | 'versionMinor' | 'versionPatch'>

/** The version of a release, by its columns. */
export const versionParts = (row: VersionColumns): Version => ({
  major: row.versionMajor,
  minor: row.versionMinor,
  patch: row.versionPatch,
})
