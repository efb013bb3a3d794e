import { discardAfterCommit } from '#foundation/core/files/held_files'
import type { Scope } from '#foundation/core/scope'
import { iconKey } from './store_icon.js'

/** Deletes an icon's file once the transaction has committed. */
export function removeIconFile(scope: Scope, name: string): void {
  discardAfterCommit(scope, iconKey(name))
}
