import { as } from '#foundation/core/database/statement'
import { json, optional } from '#foundation/core/database/table'
import type { ContextApp } from '#plugin-kit/context'
import type { IntegrationData } from '../settings.js'

/** Column with the version control data of the app that has the integration `i`. */
export const codeOfApp = as(
  optional(json<IntegrationData>()),
  `(select v.data from integrations v where v.organization_id = i.organization_id
     and v.app_id = i.app_id and v.kind = 'versionControl' order by v.position limit 1)`
)

/** Returns the app of an integration, as plugins see it. */
export function contextApp(row: { appId: string; code: IntegrationData | null }): ContextApp {
  const { repoName } = row.code ?? {}
  return { id: row.appId, repository: typeof repoName === 'string' ? repoName : null }
}
