import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from './record_release_event.js'

/**
 * Records that a release has reached users for the first time. For Google Play, the specification
 * has no webhook event, so it is only recorded in the timeline.
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
