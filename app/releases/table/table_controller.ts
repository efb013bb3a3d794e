import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { recordAudit } from '#organizations/audit'
import { IMPORT_OUTCOMES, ImportReleases } from '../actions/import_releases.js'
import { MAX_TABLE_ROWS } from './columns.js'
import type { ReleaseTable } from './read_table.js'

export class TableController {
  async import({ scope, params, body, query }: Call<ReleaseTable, { dryRun?: boolean }>) {
    const { appId } = params
    const { dryRun = false } = query
    const options = { most: MAX_TABLE_ROWS, dryRun }
    const releases = await new ImportReleases(scope).handle(appId, body.releases, options)
    const [made, merged, unchanged] = IMPORT_OUTCOMES.map(
      (outcome) => releases.filter((each) => each.outcome === outcome).length
    )
    if (!dryRun && made + merged > 0) {
      const data = { made, merged }
      await recordAudit(scope, { action: 'releases.imported', subject: appId, data })
    }
    // Drafts are derived anew: their kind follows from the version before.
    return async () =>
      ok({ made, merged, unchanged, releases, ignoredColumns: body.ignoredColumns })
  }
}
