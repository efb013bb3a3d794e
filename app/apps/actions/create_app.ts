import { from, into } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { recordAppEvent } from '../record_app_event.js'
import { requireMayCreateApps } from '../require_may_create_apps.js'
import type { AppDefinition } from '../settings.js'
import { appSlug, numberedSlugs } from '../slug.js'
import { apps } from '../tables.js'
import { STORE_NAMES, storeKindOf } from '../vocabulary.js'
import { requestIcon } from '../icons/icon_command.js'
import { inviteUsers, storeAppUsers } from '../store_app_users.js'
import { storeDestinations } from '../store_destinations.js'
import { storeWorkflow } from '../store_workflow.js'

/** Number of numbered slugs of one name that are looked up in one query. */
const IDS_PER_LOOK = 100

/** Creates an app with its first destination, its users and its workflow. */
export class CreateApp {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id of the app
   * @throws app_scope_missing
   */
  async handle(definition: AppDefinition): Promise<string> {
    const { scope } = this
    requireMayCreateApps(scope)
    const { name, platform, icon } = definition
    const userIds = await inviteUsers(scope, definition.appUsers)
    const appId = await this.#insertApp(definition)
    const first = {
      name: STORE_NAMES[storeKindOf(platform)],
      appStoreReleaseSettings: definition.appStoreReleaseSettings,
    }
    const { destinationIds } = await storeDestinations(scope, { id: appId, platform }, [
      first,
      ...definition.destinations,
    ])
    await storeAppUsers(scope, appId, userIds)
    await storeWorkflow(scope, { appId, destinationIds }, definition.stepGroups)
    await recordAudit(scope, { action: 'app.created', subject: appId, data: { name, platform } })
    recordAppEvent(scope, appId, {
      type: 'app.created',
      title: `${name} was created`,
      data: { name, platform },
    })
    if (icon !== null) await requestIcon(scope, appId, icon)
    return appId
  }

  /** Inserts the app with the first free id. Skips an id that a concurrent transaction takes. */
  async #insertApp(definition: AppDefinition): Promise<string> {
    const { client, now, organization } = this.scope
    const slug = appSlug(definition.name, definition.platform)
    for (;;) {
      const id = await this.#freeId(slug)
      const row = storedRow(apps, {
        id,
        organizationId: organization.id,
        name: definition.name,
        platform: definition.platform,
        appGroup: definition.appGroup,
        iconUrl: definition.icon,
        iconFile: null,
        iconFailure: null,
        settings: definition.appSettings,
        branchSettings: definition.branchSettings,
        tagSettings: definition.tagSettings,
        featureAffiliations: definition.featureAffiliations,
        appStoreReleaseSettings: definition.appStoreReleaseSettings,
        createdAt: now,
        updatedAt: now,
      })
      const inserted = await into(client, 'apps')
        .insert(row)
        .onConflict('id')
        .ignore()
        .returning('id')
      if (inserted.length > 0) return id
    }
  }

  /**
   * Returns a free id. Ids are unique across the whole service, so this looks beyond the
   * organization.
   */
  async #freeId(slug: string): Promise<string> {
    const { client } = this.scope
    for (let number = 1; ; number += IDS_PER_LOOK) {
      const ids = numberedSlugs(slug, number, IDS_PER_LOOK)
      const rows = await from(client, 'apps').whereIn('id', ids).select('id')
      const taken = new Set(rows.map((row): string => row.id))
      const free = ids.find((id) => !taken.has(id))
      if (free !== undefined) return free
    }
  }
}
