import drive from '@adonisjs/drive/services/main'
import logger from '@adonisjs/core/services/logger'
import type { Scope } from '#foundation/core/scope'

/**
 * Removes an icon's file once the transaction has committed. The change stands by then, so
 * a disk that fails is told of in the log and leaves a file behind, nothing else.
 */
export function removeIconFile(scope: Scope, name: string): void {
  scope.transaction.after('commit', async () => {
    try {
      await drive.use().delete(`icons/${name}`)
    } catch (error) {
      logger.warn({ err: error }, 'an icon file could not be removed')
    }
  })
}
