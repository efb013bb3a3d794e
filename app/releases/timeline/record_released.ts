import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from './record_release_event.js'

/**
 * Records that a release is live to users for the first time. The specification sends no event of
 * it for Google's stores: there it is in the timeline alone.
 */
export async function recordReleased(scope: Scope, release: Release): Promise<void> {
  const isSent = (await storeKindOfApp(scope, release.appId)) !== 'google'
  const entry = {
    type: 'release.released' as const,
    title: `${release.version} was released to users`,
    data: { releasedAt: release.releasedAt },
  }
  if (isSent) recordReleaseEvent(scope, release, { ...entry, payload: {} })
  else recordReleaseEvent(scope, release, { ...entry, payload: null })
}
