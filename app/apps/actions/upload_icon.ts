import type { Scope } from '#foundation/core/scope'
import { findApp } from '../queries/find_app.js'
import { isSamePicture } from '../icons/store_icon.js'
import { recordAppEvent } from '../record_app_event.js'
import { forgetIcon } from '../icons/icon_command.js'
import { removeIconFile } from '../icons/remove_icon_file.js'

/**
 * Gives an app an icon that is already stored. The previous file is deleted after the commit. If
 * the app already has the same picture, nothing changes and the new file is deleted.
 */
export class UploadIcon {
  constructor(private readonly scope: Scope) {}

  /**
   * @param name as returned by `storeIcon` before the transaction was opened
   * @returns the name of the icon the app has afterwards
   */
  async handle(appId: string, name: string): Promise<string> {
    const app = await findApp(this.scope, appId)
    await forgetIcon(this.scope, appId)
    const before = app.iconFile
    if (before !== null && isSamePicture(before, name)) {
      removeIconFile(this.scope, name)
      return before
    }
    app.iconFile = name
    app.iconFailure = null
    recordAppEvent(this.scope, appId, { type: 'app.iconChanged', title: 'The icon was uploaded' })
    app.updatedAt = this.scope.now
    await app.useTransaction(this.scope.transaction).save()
    if (before) removeIconFile(this.scope, before)
    return name
  }
}
