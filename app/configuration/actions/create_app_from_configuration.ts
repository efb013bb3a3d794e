import Destination from '#apps/models/destination'
import { appSlug, numberedSlugs } from '#apps/slug'
import { storeKindOf, type StoreKind } from '#apps/vocabulary'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { checkNewApp } from '../checks/check_configuration.js'
import type { AppConfiguration } from '../model.js'
import { planChange, type PlannedChange } from '../plan.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { accepted } from '../read_configuration_file.js'
import type { YamlNode } from '../yaml/tree.js'
import { fetchIconLater } from './fetch_icon.js'
import { inviteUsers, storeAppUsers } from './store_app_users.js'
import { storeBuckets } from './store_buckets.js'
import { storeWorkflow } from './store_workflow.js'

/** What the first destination of an app is called. */
const FIRST_DESTINATION: Record<StoreKind, string> = {
  apple: 'App Store',
  google: 'Google Play',
  ota: 'Over the air',
}

/** How many numbers of one name are looked up at once. */
const IDS_PER_LOOK = 100

/** Makes an app of a configuration file, whole or not at all. */
export class CreateAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id of the app
   * @throws app_scope_missing, invalid_configuration
   */
  async handle(root: YamlNode): Promise<string> {
    const { scope } = this
    const configuration = await this.#checked(root)
    const userIds = await inviteUsers(scope, configuration.appUsers)
    const appId = await this.#insertApp(configuration)
    const destination = await scope.create(Destination, {
      id: newId('dest'),
      appId,
      name: FIRST_DESTINATION[storeKindOf(configuration.platform)],
      storeType: storeKindOf(configuration.platform),
      position: 0,
      appStoreReleaseSettings: configuration.appStoreReleaseSettings,
      createdAt: scope.now,
    })
    await storeAppUsers(scope, appId, userIds)
    await storeBuckets(scope, appId, configuration.buckets)
    await storeWorkflow(scope, { appId, destinationId: destination.id }, configuration.stepGroups)
    const { name, platform, icon } = configuration
    await recordAudit(scope, { action: 'app.created', subject: appId, data: { name, platform } })
    if (icon !== null) fetchIconLater(scope, appId, icon)
    return appId
  }

  /** What the file would make, without making it. @throws as `handle` does */
  async plan(root: YamlNode): Promise<PlannedChange[]> {
    return planChange(null, await this.#checked(root))
  }

  async #checked(root: YamlNode): Promise<AppConfiguration> {
    const { admin, appIds } = this.scope.permissions
    if (!admin && appIds !== null) {
      throw refuse('app_scope_missing', {
        detail: 'A key that is restricted to apps cannot make another one.',
      })
    }
    return accepted(checkNewApp(root, await loadCheckContext(this.scope, null)))
  }

  /** Takes the first free id; one that another transaction takes meanwhile is passed over. */
  async #insertApp(configuration: AppConfiguration): Promise<string> {
    const { client, now, organization } = this.scope
    const slug = appSlug(configuration.name, configuration.platform)
    for (;;) {
      const id = await this.#freeId(slug)
      const inserted = await client
        .table('apps')
        .insert({
          id,
          organization_id: organization.id,
          name: configuration.name,
          platform: configuration.platform,
          app_group: configuration.appGroup,
          icon_url: configuration.icon,
          icon_file: null,
          settings: JSON.stringify(configuration.appSettings),
          branch_settings: JSON.stringify(configuration.branchSettings),
          tag_settings: JSON.stringify(configuration.tagSettings),
          feature_affiliations: JSON.stringify(configuration.featureAffiliations),
          app_store_release_settings: JSON.stringify(configuration.appStoreReleaseSettings),
          created_at: now,
          updated_at: now,
        })
        .onConflict('id')
        .ignore()
        .returning('id')
      if (inserted.length > 0) return id
    }
  }

  /** Ids are unique in the whole service, so this looks beyond the organization. */
  async #freeId(slug: string): Promise<string> {
    const { client } = this.scope
    for (let number = 1; ; number += IDS_PER_LOOK) {
      const ids = numberedSlugs(slug, number, IDS_PER_LOOK)
      const rows = await client.from('apps').whereIn('id', ids).select('id')
      const taken = new Set(rows.map((row): string => row.id))
      const free = ids.find((id) => !taken.has(id))
      if (free !== undefined) return free
    }
  }
}
