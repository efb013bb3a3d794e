import type { Scope } from '#foundation/core/scope'
import { findApp } from '../queries/find_app.js'
import { forgetIcon } from '../icons/icon_wish.js'
import { removeIconFile } from '../icons/remove_icon_file.js'

/** Gives an app an icon that is stored; the file of the one before goes after the commit. */
export class UploadIcon {
  constructor(private readonly scope: Scope) {}

  /** @param name as `storeIcon` gave it, before the transaction was opened */
  async handle(appId: string, name: string): Promise<void> {
    const app = await findApp(this.scope, appId)
    await forgetIcon(this.scope, appId)
    const before = app.iconFile
    app.iconFile = name
    app.updatedAt = this.scope.now
    await app.useTransaction(this.scope.transaction).save()
    if (before) removeIconFile(this.scope, before)
  }
}
