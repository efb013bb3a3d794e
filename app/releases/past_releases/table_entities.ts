import { Type, type Static } from '@sinclair/typebox'
import { count, entity, list, nonEmpty, object, enumOf } from '#foundation/core/schemas'
import { IMPORT_OUTCOMES } from '../actions/import_releases.js'
import { versionText } from '../entities.js'
import { MAX_TABLE_ROWS } from './columns.js'

export const ReleaseImportEntity = entity('ReleaseImport', 'Result of importing past releases.', {
  made: count('Number of new releases.'),
  merged: count('Number of imported releases with new data.'),
  unchanged: count('Number of unchanged releases; those not imported always stay unchanged.'),
  releases: list(
    'The releases, highest version first.',
    object('A past release.', {
      version: versionText('Version of the release.'),
      outcome: enumOf(IMPORT_OUTCOMES, 'Outcome for the release.'),
    }),
    MAX_TABLE_ROWS
  ),
  ignoredColumns: Type.Array(nonEmpty('Name of a column.', 100), {
    description: 'Columns with unknown names, which are ignored.',
    maxItems: 100,
  }),
})
export type ReleaseImportEntity = Static<typeof ReleaseImportEntity>

export const EXAMPLE_TABLE = `version,releaseName,kickedOffAt,submittedAt,releasedAt
4.1.0,Autumn,2026-10-19,2026-10-22T08:30:00+02:00,2026-10-27T09:00:00+01:00
4.0.0,,2026-09-21,2026-09-24,2026-09-29
`

export const exampleImport: ReleaseImportEntity = {
  made: 1,
  merged: 1,
  unchanged: 0,
  releases: [
    { version: '4.1.0', outcome: 'merged' },
    { version: '4.0.0', outcome: 'made' },
  ],
  ignoredColumns: [],
}
