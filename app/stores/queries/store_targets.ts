import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import { installed } from '#integrations/queries/app_integrations'
import type { StoreType } from '../vocabulary.js'

/** A store of an app, as it is asked. */
export interface StoreTarget {
  appId: string
  integrationId: string
  connectionId: string
  kind: 'appStore' | 'betaTesting'
  /** Null for the first store of the app. */
  destinationId: string | null
  storeType: StoreType
}

/** The stores of an app and where it is tested in beta, in order; none of an app over the air. */
export async function storesAndBeta(scope: Scope, appId: string): Promise<StoreTarget[]> {
  const storeType = await storeKindOfApp(scope, appId)
  if (storeType === 'ota') return []
  const rows = await installed(scope, appId)
  return rows.flatMap(({ id: integrationId, connectionId, kind, destinationId }) =>
    kind === 'appStore' || kind === 'betaTesting'
      ? [{ appId, integrationId, connectionId, kind, destinationId, storeType }]
      : []
  )
}

/** The stores alone that versions of an app go to. */
export async function storesOf(scope: Scope, appId: string): Promise<StoreTarget[]> {
  return (await storesAndBeta(scope, appId)).filter(({ kind }) => kind === 'appStore')
}

/**
 * The stores that a step is done in: that of its destination, or else those which no other step
 * of its type is for.
 */
export function targetsOfStep<Target extends { destinationId: string | null }>(
  targets: readonly Target[],
  step: { type: string; destinationId: string | null },
  steps: readonly { type: string; destinationId: string | null }[]
): Target[] {
  const own = new Set(
    steps.filter(({ type }) => type === step.type).map(({ destinationId }) => destinationId)
  )
  if (step.destinationId !== null) {
    const named = targets.filter(({ destinationId }) => destinationId === step.destinationId)
    if (named.length > 0) return named
    // The first store belongs to the first destination, which its integration does not name.
    return targets.filter(({ destinationId }) => destinationId === null)
  }
  const left = targets.filter(
    ({ destinationId }) => destinationId === null || !own.has(destinationId)
  )
  return left.length > 0 ? left : [...targets]
}
