import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import type App from '../models/app.js'
import { appExtensions, type ConfigurationChange } from '../extensions.js'
import type { AppDefinition } from '../settings.js'
import { forgetIcon, requestIcon } from '../icons/icon_command.js'
import { removeIconFile } from '../icons/remove_icon_file.js'
import { recordAppEvent } from '../record_app_event.js'
import { reportedChanges } from '../reported_changes.js'
import { inviteUsers, storeAppUsers } from '../store_app_users.js'
import { destinationsOf, idsByName, storeDestinations } from '../store_destinations.js'
import { storeWorkflow } from '../store_workflow.js'

/** The members of a definition that a change affects. */
type ChangedMembers = ReadonlySet<keyof AppDefinition>

/** Changes an app to match a definition, and applies the change to its open releases. */
export class ChangeApp {
  constructor(private readonly scope: Scope) {}

  /** @param changes what changes, as the dry run shows it */
  async handle(
    app: App,
    wanted: AppDefinition,
    changed: ChangedMembers,
    changes: readonly ConfigurationChange[]
  ): Promise<void> {
    const { scope } = this
    if (changed.has('appUsers')) {
      await storeAppUsers(scope, app.id, await inviteUsers(scope, wanted.appUsers))
    }
    await this.#save(app, wanted)
    const { destinationIds, unlisted } = await this.#destinations(app, wanted, changed)
    const place = { appId: app.id, destinationIds }
    if (changed.has('stepGroups')) await storeWorkflow(scope, place, wanted.stepGroups)
    for (const each of unlisted) await each.useTransaction(scope.transaction).delete()
    recordAppEvent(scope, app.id, {
      type: 'app.configurationChanged',
      title: `The configuration of ${app.name} changed`,
      data: { changes: reportedChanges(changes) },
    })
    const change = {
      workflow: changed.has('stepGroups'),
      settings: changed.has('appSettings'),
      changes,
    }
    for (const extension of appExtensions.all) await extension.adopt?.(scope, app, change)
    await recordAudit(scope, {
      action: 'app.changed',
      subject: app.id,
      data: { changes: changes.map(({ op, path }) => `${op} ${path}`) },
    })
  }

  async #save(app: App, wanted: AppDefinition): Promise<void> {
    const { scope } = this
    if (app.iconUrl !== wanted.icon) await this.#replaceIcon(app, wanted.icon)
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

  async #replaceIcon(app: App, icon: string | null): Promise<void> {
    const before = app.iconFile
    app.iconFile = null
    app.iconFailure = null
    if (before !== null) removeIconFile(this.scope, before)
    if (icon !== null) await requestIcon(this.scope, app.id, icon)
    else await forgetIcon(this.scope, app.id)
  }

  /**
   * Returns the destinations. The definition's store settings and most steps belong to the first.
   */
  async #destinations(app: App, wanted: AppDefinition, changed: ChangedMembers) {
    const { scope } = this
    const [first, ...further] = await destinationsOf(scope, app.id)
    const isChanged = changed.has('destinations') || changed.has('appStoreReleaseSettings')
    if (!first || !isChanged) {
      return { destinationIds: idsByName(first ? [first, ...further] : []), unlisted: [] }
    }
    const { appStoreReleaseSettings } = wanted
    return storeDestinations(scope, app, [
      { name: first.name, appStoreReleaseSettings },
      ...wanted.destinations,
    ])
  }
}
