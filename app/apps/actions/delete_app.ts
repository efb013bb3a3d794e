import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import type App from '../models/app.js'
import { appExtensions } from '../extensions.js'
import { findApp } from '../queries/find_app.js'
import { forgetIcon } from '../icons/icon_command.js'
import { removeIconFile } from '../icons/remove_icon_file.js'

/** Deletes an app with everything it owns. */
export class DeleteApp {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, and any problem of an extension (such as release_active) unless forced */
  async handle(appId: string, isForced: boolean): Promise<void> {
    const { scope } = this
    const app = await this.requireRemovable(appId, isForced)
    for (const extension of appExtensions.all) await extension.remove?.(scope, app)
    await forgetIcon(scope, appId)
    await app.useTransaction(scope.transaction).delete()
    const { name, platform, iconFile } = app
    await recordAudit(scope, { action: 'app.deleted', subject: appId, data: { name, platform } })
    if (iconFile !== null) removeIconFile(scope, iconFile)
  }

  /** Returns the app after checking that it may be deleted. @throws as `handle` does */
  async requireRemovable(appId: string, isForced: boolean): Promise<App> {
    const app = await findApp(this.scope, appId)
    for (const extension of appExtensions.all)
      await extension.requireRemovable?.(this.scope, app, isForced)
    return app
  }
}
