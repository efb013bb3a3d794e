import { Type, type Static } from '@sinclair/typebox'
import { count, entity, list, nonEmpty, object, words } from '#foundation/core/schemas'
import { IMPORT_OUTCOMES } from '../actions/import_releases.js'
import { versionText } from '../entities.js'
import { MAX_TABLE_ROWS } from './columns.js'

export const ReleaseImportEntity = entity(
  'ReleaseImport',
  'What becomes of the past releases of a table.',
  {
    made: count('Releases that are new.'),
    merged: count('Imported releases that something new is known of.'),
    unchanged: count('Releases that stay as they are; those that were not imported always do.'),
    releases: list(
      'Each of them, the highest version first.',
      object('A past release.', {
        version: versionText('Its version.'),
        outcome: words(IMPORT_OUTCOMES, 'What becomes of it.'),
      }),
      MAX_TABLE_ROWS
    ),
    ignoredColumns: Type.Array(nonEmpty('Name of a column.', 100), {
      description: 'Columns of other names, which are left alone.',
      maxItems: 100,
    }),
  }
)
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
