import { DAY } from '#foundation/core/durations'
import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { hourly } from '#foundation/jobs/handlers'
import { earlier } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import { clock } from '#foundation/core/services'
import { LIVING } from './living/living_messages.js'

/** A message without an event for so long is no longer edited. */
const KEPT_FOR = 30 * DAY

/** Deletes old messages, except the living messages of open releases. The chats keep them all. */
export const retainMessages = hourly('notifications.retention', (mayContinue) => {
  const before = earlier(clock.now(), KEPT_FOR)
  return inBatches(db as never, mayContinue, async (client, limit) => {
    const ids = from(client, 'chat_messages')
      .where('updated_at', '<=', before)
      .where((query) => {
        const ended = from(client, 'releases').whereIn('status', ['completed', 'skipped'])
        void query
          .whereNot('thing', 'like', `${LIVING}%`)
          .orWhereIn('release_id', ended.select('id'))
      })
      .select('id')
      .limit(limit)
    return Number(await from(client, 'chat_messages').whereIn('id', ids).delete())
  })
})
