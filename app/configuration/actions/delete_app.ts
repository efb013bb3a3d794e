import type App from '#apps/models/app'
import { findApp } from '#apps/queries/find_app'
import { refuse } from '#foundation/core/problems/problem'
import { removeIconFile } from '#apps/actions/remove_icon_file'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { planRemoval, type PlannedChange } from '../plan.js'
import { loadConfiguration } from '../queries/load_configuration.js'

/** Removes an app with everything it owns. */
export class DeleteApp {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, release_active unless forced */
  async handle(appId: string, force: boolean): Promise<void> {
    const { scope } = this
    const app = await this.#removable(appId, force)
    // Releases hold copies of items, so they go before the items' own rows.
    await scope.table('releases').where('app_id', appId).delete()
    await app.useTransaction(scope.transaction).delete()
    const { name, platform, iconFile } = app
    await recordAudit(scope, { action: 'app.deleted', subject: appId, data: { name, platform } })
    if (iconFile !== null) {
      removeIconFile(scope, iconFile)
    }
  }

  /** What would be removed. @throws as `handle` does */
  async plan(appId: string, force: boolean): Promise<PlannedChange[]> {
    const app = await this.#removable(appId, force)
    return planRemoval(await loadConfiguration(this.scope, app))
  }

  async #removable(appId: string, force: boolean): Promise<App> {
    const app = await findApp(this.scope, appId)
    const active = await this.scope
      .table('releases')
      .where({ app_id: appId, status: 'active' })
      .select('version')
      .first()
    if (!active || force) return app
    throw refuse('release_active', {
      detail: `The release ${appId}:${active.version} is active; finish it, or repeat with force=true.`,
      currentStatus: 'active',
      allowedActions: ['complete', 'skip', 'force'],
    })
  }
}
