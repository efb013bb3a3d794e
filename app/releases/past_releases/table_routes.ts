import vine from '@vinejs/vine'
import { actions, operation } from '#foundation/api/operation/declaration'
import type { DryRunQuery } from '#foundation/api/operation/dry_run'
import { queryBoolean, describedAs } from '#foundation/api/operation/input'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { twoSteps } from '#foundation/api/operation/steps'
import { clock } from '#foundation/core/services'
import { COLUMNS, MAX_TABLE_BYTES, MAX_TABLE_ROWS } from './columns.js'
import type { ReleaseTable } from './read_table.js'
import { EXAMPLE_TABLE, exampleImport, ReleaseImportEntity } from './table_entities.js'

const table = lazyController(
  async () => new (await import('./table_controller.js')).TableController()
)

export const operations = [
  operation<ReleaseTable, DryRunQuery>({
    id: 'importReleases',
    steps: twoSteps('a whole table becomes releases'),
    method: 'POST',
    path: '/app/{appId}/releases/import',
    tag: 'Release',
    beyond: true,
    summary: 'Import past releases from a table',
    description: `Imports each line as a completed release marked \`imported\`, without steps and events, so that metrics do not begin at zero. Missing data of imported releases is added; other releases stay unchanged, and repeating the import changes nothing. All or nothing: 422 lists every error by line and column. At most ${MAX_TABLE_ROWS} releases.`,
    access: actions('CreateDeleteRelease'),
    query: vine.create({
      dryRun: queryBoolean().use(describedAs('If true, only shows what would happen.')).optional(),
    }),
    body: {
      kind: 'text',
      format: 'csv',
      description: `UTF-8, separated by comma, semicolon or tab, with a header line: ${COLUMNS.map((name) => `\`${name}\``).join(', ')}. \`version\` and \`releasedAt\` are required. A date alone means midnight UTC; a time needs an offset.`,
      example: EXAMPLE_TABLE,
      maxBytes: MAX_TABLE_BYTES,
      read: async ({ bytes }) =>
        (await import('./read_table.js')).readReleaseTable(bytes, clock.now()),
    },
    responses: {
      200: {
        description: 'The result, or expected result.',
        schema: ReleaseImportEntity,
        example: exampleImport,
      },
    },
    handle: (call) => table.import(call),
  }),
]
