import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import App from '../models/app.js'

/** Finds the app with an id. @throws not_found */
export async function findApp(scope: Scope, appId: string): Promise<App> {
  const app = await scope.query(App).where('id', appId).first()
  if (!app) throw refuse('not_found')
  return app
}
