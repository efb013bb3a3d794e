import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { integrationsOfConnection } from '#integrations/queries/app_integrations'
import { requestStoreVersions } from '../backfill/read_past_versions.js'
import { planLane } from '../decisions/plan_lanes.js'
import { storeMembers } from '../tables.js'
import { versionsKind } from '../work_kinds.js'

const STORES = of(storeMembers, 'm', ['storeId', 'integrationId'])
const MEMBERS = `from store_members m
  join integrations i on i.organization_id = m.organization_id and i.id = m.integration_id
  where m.organization_id = :org`
const SELECT_BY_CONNECTION = select(STORES, `${MEMBERS} and i.connection_id = :connectionId`)
const SELECT_BY_APP = select(STORES, `${MEMBERS} and i.app_id = :appId`)

/** Reconciles stores at once after new credentials, so that refused calls are repeated. */
export const observer: IntegrationObserver = {
  async renewed(scope, connectionId) {
    await wake(scope, await scope.rows(SELECT_BY_CONNECTION, { connectionId }))
    for (const { appId, kind } of await integrationsOfConnection(scope, connectionId)) {
      if (kind === 'appStore') await requestStoreVersions(scope, appId, scope.now)
    }
  },
}

/** Plans to reconcile the stores of an app now: it may reach them by other connections. */
export const wakeStores = async (scope: Scope, appId: string) =>
  wake(scope, await scope.rows(SELECT_BY_APP, { appId }))

async function wake(
  scope: Scope,
  members: readonly { storeId: string; integrationId: string }[]
): Promise<void> {
  for (const storeId of new Set(members.map((member) => member.storeId))) {
    for (const lane of ['stop', 'usual'] as const) await planLane(scope, storeId, lane, scope.now)
  }
  await scope.jobs.hasten(
    versionsKind,
    members.map(({ integrationId }) => integrationId)
  )
}
