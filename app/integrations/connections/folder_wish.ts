import app from '@adonisjs/core/services/app'
import { Type } from '@sinclair/typebox'
import { onWish } from '#foundation/agenda/handlers'
import { wishKind } from '#foundation/core/agenda/kinds'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** What plugins keep on disk for a connection is to be forgotten; the subject is its id. */
export const folderWish = wishKind('connection.folder', Type.Object({}))

/** Removes the folder of a connection that ended; with new credentials it is filled anew. */
export const removeFolder = onWish(folderWish, {
  actor: 'integrations',
  lease: 10 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE] },
  isRepeatable: true,
  call: async ({ subject }) => {
    const folders = await app.container.make('integrations.folders')
    await folders.remove(subject)
    return { outcome: 'applied', answer: null }
  },
  answer: async () => {},
})
