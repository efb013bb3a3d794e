import { appSummary } from '#apps/queries/app_summary'
import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
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
  pluginId: string
  /** Package or bundle of the app in that store; its integration's id where the file names none. */
  bundleId: string
  /** Platform of the store: Google Play has one store for all form factors of a package. */
  platform: AppPlatform
  /** The track on Google Play that the app is on; null at Apple. */
  track: string | null
}

/** Form factors on Google Play whose production track is their own. */
const FORM_FACTORS: Partial<Record<AppPlatform, string>> = {
  wearos: 'wear:production',
  androidtv: 'tv:production',
}

/** The track on Google Play that an app of a platform is on; null at Apple. */
export const trackOf = (platform: AppPlatform): string | null =>
  storeKindOf(platform) === 'google' ? (FORM_FACTORS[platform] ?? 'production') : null

/** The stores of an app and where it is tested in beta, in order; none of an app over the air. */
export async function storesAndBeta(scope: Scope, appId: string): Promise<StoreTarget[]> {
  const { platform: own } = await appSummary(scope, appId)
  const storeType = storeKindOf(own)
  if (storeType === 'ota') return []
  const platform = storeType === 'google' ? 'android' : own
  const track = trackOf(own)
  const rows = await installed(scope, appId)
  return rows.flatMap(
    ({ id: integrationId, connectionId, kind, destinationId, pluginId, data }) => {
      if (kind !== 'appStore' && kind !== 'betaTesting') return []
      const bundleId = typeof data.bundleId === 'string' ? data.bundleId : integrationId
      const place = { appId, integrationId, connectionId, kind, destinationId }
      return [{ ...place, storeType, pluginId, bundleId, platform, track }]
    }
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
