import { RETRIES } from '#foundation/jobs/retry'
import app from '@adonisjs/core/services/app'
import { Type } from '@sinclair/typebox'
import { onCommand } from '#foundation/jobs/handlers'
import { commandKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'

/** Deletes a connection's cached data on disk; the subject is its id. */
export const folderCommand = commandKind('connection.folder', Type.Object({}), null)

/** Removes the folder of an ended connection; with new credentials it is filled again. */
export const removeFolder = onCommand(folderCommand, {
  actor: 'integrations',
  lease: 10 * MINUTE,
  retry: RETRIES.minutes,
  isRepeatable: true,
  call: async ({ subject }) => {
    const folders = await app.container.make('integrations.folders')
    await folders.remove(subject)
    return { outcome: 'applied', result: null }
  },
  storeResult: async () => {},
})
