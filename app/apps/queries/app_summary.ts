import { as, of, select } from '#foundation/core/database/statement'
import { flag } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { apps } from '../tables.js'
import { storeKindOf, type AppPlatform, type StoreKind } from '../vocabulary.js'

/** An app as event payloads show it. */
interface AppSummary {
  id: string
  name: string
  platform: AppPlatform
  appGroup: string | null
}

const SUMMARY = select(
  of(apps, 'a', ['id', 'name', 'platform', 'appGroup']),
  'from apps a where a.organization_id = :org and a.id = :appId'
)

/** Returns the app as payloads show it. Reads it once per request. @throws when there is none */
export function appSummary(scope: Scope, appId: string): Promise<AppSummary> {
  return scope.once(`app summary ${appId}`, async () => {
    const [app] = await scope.rows(SUMMARY, { appId })
    if (!app) throw new Error(`There is no app ${appId}`)
    return app
  })
}

/** Caches an app that was read along with something else, so that it is not read again. */
export function cacheApp(scope: Scope, app: AppSummary): void {
  void scope.once(`app summary ${app.id}`, async () => app)
}

/** SQL condition: the app of a row `a` has a chat integration. */
export const HAS_CHAT = `exists (
  select 1 from integrations i
  where i.organization_id = a.organization_id and i.app_id = a.id and i.kind = 'chat')`

const CHAT = select(
  { hasChat: as(flag(), HAS_CHAT) },
  'from apps a where a.organization_id = :org and a.id = :appId'
)

/** Returns whether an app has a chat that can receive messages. Reads it once per request. */
export function hasChat(scope: Scope, appId: string): Promise<boolean> {
  return scope.once(`chat of ${appId}`, async () => {
    const [app] = await scope.rows(CHAT, { appId })
    return app?.hasChat ?? false
  })
}

/** Caches whether an app has a chat, for queries that read it along with something else. */
export function cacheChat(scope: Scope, appId: string, isPresent: boolean): void {
  void scope.once(`chat of ${appId}`, async () => isPresent)
}

/** Returns the kind of store an app ships through. */
export async function storeKindOfApp(scope: Scope, appId: string): Promise<StoreKind> {
  return storeKindOf((await appSummary(scope, appId)).platform)
}
