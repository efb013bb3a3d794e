import type { RowOf } from '#foundation/core/database/table'
import type { Version } from '#workflow/version'
import type { releases } from '../tables.js'

type VersionColumns = Pick<RowOf<typeof releases>, 'versionMajor' | 'versionMinor' | 'versionPatch'>

/** Returns the version of a release from its columns. */
export const versionParts = (row: VersionColumns): Version => ({
  major: row.versionMajor,
  minor: row.versionMinor,
  patch: row.versionPatch,
})
