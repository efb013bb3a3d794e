import type { Call } from '#foundation/api/operation/declaration'
import { applyOrRehearse, type DryRunQuery } from '#foundation/api/operation/dry_run'
import { recordAudit } from '#organizations/audit'
import { IMPORT_OUTCOMES, ImportReleases } from '../actions/import_releases.js'
import { MAX_TABLE_ROWS } from './columns.js'
import type { ReleaseTable } from './read_table.js'

export class TableController {
  import({ scope, params: { appId }, body, query }: Call<ReleaseTable, DryRunQuery>) {
    return applyOrRehearse(scope, query, async (within) => {
      const releases = await new ImportReleases(within).handle(appId, body.releases, MAX_TABLE_ROWS)
      const [made, merged, unchanged] = IMPORT_OUTCOMES.map(
        (outcome) => releases.filter((each) => each.outcome === outcome).length
      )
      if (made + merged > 0) {
        const data = { made, merged }
        await recordAudit(within, { action: 'releases.imported', subject: appId, data })
      }
      // The answer is built after drafts are derived, whose type may depend on the new releases.
      return async () => ({
        ...{ made, merged, unchanged, releases },
        ignoredColumns: body.ignoredColumns,
      })
    })
  }
}
