import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '#integrations/tables'
import { observedBy } from '../policy/observed.js'

const OF_APP = select(
  of(integrations, 'i', ['kind', 'type']),
  'from integrations i where i.organization_id = :org and i.app_id = :appId'
)

/** What a guard of an app could look at. */
export const observedOf = async (scope: Scope, appId: string) =>
  observedBy(await scope.rows(OF_APP, { appId }))
