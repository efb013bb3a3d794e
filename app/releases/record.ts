import type { AppPlatform, StoreKind } from '#apps/vocabulary'
import { storeKindOf } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import Release from './models/release.js'
import { oneReleaseEntity } from './queries/release_entities.js'

interface AppPart {
  id: string
  name: string
  platform: AppPlatform
  appGroup: string | null
}

/** What is told of an event of a release beyond its type. */
export interface ReleaseEventInput {
  type: string
  title: string
  stepConfigId?: string
  /** For the timeline. */
  data?: Record<string, unknown>
  /** Members of the webhook payload beside app and release; null keeps it to the timeline. */
  payload: Record<string, unknown> | (() => Promise<Record<string, unknown>>) | null
}

/** App and release parts of payloads, read once when the transaction ends. */
const shared = new WeakMap<Scope, Map<string, Promise<{ app: AppPart; release: unknown }>>>()

/** The app as webhook payloads show it. */
export async function appPart(scope: Scope, appId: string): Promise<AppPart> {
  const row = await scope
    .table('apps')
    .where('id', appId)
    .select('id', 'name', 'platform', 'app_group')
    .firstOrFail()
  return { id: row.id, name: row.name, platform: row.platform, appGroup: row.app_group }
}

/** The kind of store an app ships through. */
export async function storeKindOfApp(scope: Scope, appId: string): Promise<StoreKind> {
  return storeKindOf((await appPart(scope, appId)).platform)
}

/**
 * Records an event of a release: in its timeline, and unless `payload` is null as a
 * webhook event with the app and the release as the transaction leaves them.
 */
export function recordReleaseEvent(scope: Scope, release: Release, input: ReleaseEventInput): void {
  const { payload } = input
  scope.events.record({
    type: input.type,
    title: input.title,
    entityKey: `release:${release.id}`,
    appId: release.appId,
    releaseId: release.id,
    stepConfigId: input.stepConfigId,
    data: input.data,
    url: `/v2/app/${release.appId}/releases/${release.publicId}`,
    payload:
      payload === null
        ? undefined
        : async () => ({
            ...(await sharedParts(scope, release)),
            ...(typeof payload === 'function' ? await payload() : payload),
          }),
  })
}

function sharedParts(scope: Scope, release: Release) {
  let parts = shared.get(scope)
  if (!parts) shared.set(scope, (parts = new Map()))
  let found = parts.get(release.id)
  if (!found) {
    found = (async () => {
      const present = await scope.query(Release).where('id', release.id).first()
      return {
        app: await appPart(scope, release.appId),
        release: await oneReleaseEntity(scope, present ?? release),
      }
    })()
    parts.set(release.id, found)
  }
  return found
}
