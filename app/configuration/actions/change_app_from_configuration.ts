import type App from '#apps/models/app'
import Destination from '#apps/models/destination'
import { findApp } from '#apps/queries/find_app'
import { removeIconFile } from '#apps/actions/remove_icon_file'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { checkChangedApp } from '../checks/check_configuration.js'
import type { AppConfiguration } from '../model.js'
import { planChange, type PlannedChange } from '../plan.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { accepted } from '../read_configuration_file.js'
import type { YamlNode } from '../yaml/tree.js'
import { fetchIconLater } from './fetch_icon.js'
import { reachReleases } from './reach_releases.js'
import { inviteUsers, storeAppUsers } from './store_app_users.js'
import { storeBuckets } from './store_buckets.js'
import { storeWorkflow } from './store_workflow.js'

interface Change {
  app: App
  wanted: AppConfiguration
  plan: PlannedChange[]
}

/** Changes an app to match a configuration file. */
export class ChangeAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * Writes nothing when the file changes nothing.
   * @throws not_found, invalid_configuration
   */
  async handle(appId: string, root: YamlNode): Promise<void> {
    const { scope } = this
    const { app, wanted, plan } = await this.#prepare(appId, root)
    if (plan.length === 0) return
    const sections = new Set(plan.map(({ path }) => path.split(/[.[]/, 1)[0]))
    if (sections.has('appUsers')) {
      await storeAppUsers(scope, appId, await inviteUsers(scope, wanted.appUsers))
    }
    if (sections.has('buildDistro')) await storeBuckets(scope, appId, wanted.buckets)
    await this.#saveApp(app, wanted)
    const first = await this.#firstDestination(appId)
    if (first && sections.has('appStoreReleaseSettings')) {
      first.appStoreReleaseSettings = wanted.appStoreReleaseSettings
      await first.useTransaction(scope.transaction).save()
    }
    if (sections.has('stepGroups')) {
      await storeWorkflow(scope, { appId, destinationId: first?.id ?? null }, wanted.stepGroups)
    }
    if (sections.has('stepGroups') || sections.has('appSettings')) await reachReleases(scope, app)
    const changes = plan.map(({ op, path }) => `${op} ${path}`)
    await recordAudit(scope, { action: 'app.changed', subject: appId, data: { changes } })
  }

  /** What the file would change, without changing it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    const { plan } = await this.#prepare(appId, root)
    return plan
  }

  async #prepare(appId: string, root: YamlNode): Promise<Change> {
    const app = await findApp(this.scope, appId)
    const current = await loadConfiguration(this.scope, app)
    const wanted = accepted(checkChangedApp(root, await loadCheckContext(this.scope, current)))
    return { app, wanted, plan: planChange(current, wanted) }
  }

  async #saveApp(app: App, wanted: AppConfiguration): Promise<void> {
    const { scope } = this
    if (app.iconUrl !== wanted.icon) this.#replaceIcon(app, wanted.icon)
    app.merge({
      name: wanted.name,
      appGroup: wanted.appGroup,
      iconUrl: wanted.icon,
      settings: wanted.appSettings,
      branchSettings: wanted.branchSettings,
      tagSettings: wanted.tagSettings,
      featureAffiliations: wanted.featureAffiliations,
      appStoreReleaseSettings: wanted.appStoreReleaseSettings,
      updatedAt: scope.now,
    })
    await app.useTransaction(scope.transaction).save()
  }

  #replaceIcon(app: App, icon: string | null): void {
    const before = app.iconFile
    app.iconFile = null
    if (before !== null) {
      removeIconFile(this.scope, before)
    }
    if (icon !== null) fetchIconLater(this.scope, app.id, icon)
  }

  /** The one the file's store settings and new steps belong to. */
  #firstDestination(appId: string): Promise<Destination | null> {
    return this.scope.query(Destination).where('appId', appId).orderBy('position').first()
  }
}
