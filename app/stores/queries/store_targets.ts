import { appSummary } from '#apps/queries/app_summary'
import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfApp } from '#integrations/queries/app_integrations'
import type { StoreType } from '../vocabulary.js'

/** A store of an app, with the integration through which it is called. */
export interface StoreTarget {
  appId: string
  integrationId: string
  connectionId: string
  kind: 'appStore' | 'betaTesting'
  /** Null for the first store of the app. */
  destinationId: string | null
  storeType: StoreType
  pluginId: string
  /** Package or bundle of the app in that store; the integration's id if its data names none. */
  bundleId: string
  /** Platform of the store: Google Play has one store for all form factors of a package. */
  platform: AppPlatform
  /** The track on Google Play that the app is on; null at Apple. */
  track: string | null
}

/** Production tracks on Google Play of form factors that have their own. */
const FORM_FACTORS: Partial<Record<AppPlatform, string>> = {
  wearos: 'wear:production',
  androidtv: 'tv:production',
}

/** Returns the track on Google Play of an app's platform; null at Apple. */
export const trackOf = (platform: AppPlatform): string | null =>
  storeKindOf(platform) === 'google' ? (FORM_FACTORS[platform] ?? 'production') : null

/** Returns the stores and beta services of an app, in order; none for an app over the air. */
export async function storesAndBeta(scope: Scope, appId: string): Promise<StoreTarget[]> {
  const { platform: own } = await appSummary(scope, appId)
  const storeType = storeKindOf(own)
  if (storeType === 'ota') return []
  const platform = storeType === 'google' ? 'android' : own
  const track = trackOf(own)
  const rows = await integrationsOfApp(scope, appId)
  return rows.flatMap(
    ({ id: integrationId, connectionId, kind, destinationId, pluginId, data }) => {
      if (kind !== 'appStore' && kind !== 'betaTesting') return []
      const bundleId = typeof data.bundleId === 'string' ? data.bundleId : integrationId
      const place = { appId, integrationId, connectionId, kind, destinationId }
      return [{ ...place, storeType, pluginId, bundleId, platform, track }]
    }
  )
}

/** Returns the stores of an app, without beta services. */
export async function storesOf(scope: Scope, appId: string): Promise<StoreTarget[]> {
  return (await storesAndBeta(scope, appId)).filter(({ kind }) => kind === 'appStore')
}

/**
 * Returns the stores that a step is about: the one of its destination, or else those without their
 * own step of the same type.
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
  const remaining = targets.filter(
    ({ destinationId }) => destinationId === null || !own.has(destinationId)
  )
  return remaining.length > 0 ? remaining : [...targets]
}
