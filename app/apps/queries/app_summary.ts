import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { apps } from '../tables.js'
import { storeKindOf, type AppPlatform, type StoreKind } from '../vocabulary.js'

/** An app as payloads of events show it. */
export interface AppSummary {
  id: string
  name: string
  platform: AppPlatform
  appGroup: string | null
}

const SUMMARY = select(
  of(apps, 'a', ['id', 'name', 'platform', 'appGroup']),
  'from apps a where a.organization_id = :org and a.id = :appId'
)

/** The app as payloads show it, read once per request. @throws when there is none */
export function appSummary(scope: Scope, appId: string): Promise<AppSummary> {
  return scope.once(`app summary ${appId}`, async () => {
    const [app] = await scope.rows(SUMMARY, { appId })
    if (!app) throw new Error(`There is no app ${appId}`)
    return app
  })
}

/** Tells of an app that was read beside something else, so that nobody asks again. */
export function cacheApp(scope: Scope, app: AppSummary): void {
  void scope.once(`app summary ${app.id}`, async () => app)
}

/** The kind of store an app ships through. */
export async function storeKindOfApp(scope: Scope, appId: string): Promise<StoreKind> {
  return storeKindOf((await appSummary(scope, appId)).platform)
}
