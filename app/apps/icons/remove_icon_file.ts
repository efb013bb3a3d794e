import { discardFiles } from '#foundation/core/files/stored_files'
import type { Scope } from '#foundation/core/scope'
import { iconKey } from './store_icon.js'

/**
 * Removes an icon's file once the transaction has committed. The change stands by then, so
 * a disk that fails is told of in the log and leaves a file behind, nothing else.
 */
export function removeIconFile(scope: Scope, name: string): void {
  scope.transaction.after('commit', () => discardFiles([iconKey(name)]))
}
