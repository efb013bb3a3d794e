import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import type App from '../models/app.js'
import Destination from '../models/destination.js'
import { appParts, type ConfigurationChange } from '../parts.js'
import type { AppDefinition } from '../settings.js'
import { forgetIcon, wishIcon } from '../icons/icon_wish.js'
import { removeIconFile } from '../icons/remove_icon_file.js'
import { recordAppEvent } from '../record_app_event.js'
import { toldChanges } from '../told_changes.js'
import { inviteUsers, storeAppUsers } from '../store_app_users.js'
import { storeWorkflow } from '../store_workflow.js'

/** Members of a definition that a change is about. */
export type ChangedMembers = ReadonlySet<keyof AppDefinition>

/** Changes an app to match a definition, and carries that on into its open releases. */
export class ChangeApp {
  constructor(private readonly scope: Scope) {}

  /** @param changes what is changed, as a dry run shows it */
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
    const first = await this.#firstDestination(app.id)
    if (first && changed.has('appStoreReleaseSettings')) {
      first.appStoreReleaseSettings = wanted.appStoreReleaseSettings
      await first.useTransaction(scope.transaction).save()
    }
    const place = { appId: app.id, destinationId: first?.id ?? null }
    if (changed.has('stepGroups')) await storeWorkflow(scope, place, wanted.stepGroups)
    recordAppEvent(scope, app.id, {
      type: 'app.configurationChanged',
      title: `The configuration of ${app.name} changed`,
      data: { changes: toldChanges(changes) },
    })
    const change = {
      workflow: changed.has('stepGroups'),
      settings: changed.has('appSettings'),
      changes,
    }
    if (change.workflow || change.settings) {
      for (const part of appParts.parts) await part.adopt?.(scope, app, change)
    }
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
    if (icon !== null) await wishIcon(this.scope, app.id, icon)
    else await forgetIcon(this.scope, app.id)
  }

  /** The one that a definition's store settings and new steps belong to. */
  #firstDestination(appId: string): Promise<Destination | null> {
    return this.scope.query(Destination).where('appId', appId).orderBy('position').first()
  }
}
