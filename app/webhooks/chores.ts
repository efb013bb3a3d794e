import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chore } from '#foundation/agenda/handlers'
import { clock } from '#foundation/core/services'
import { Retention } from '#webhooks/delivery/retention'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Ends deliveries, recoveries and payloads that are past their time. */
export const retain = chore('webhook.retention', {
  every: HOUR,
  lease: 5 * MINUTE,
  retry: { steps: [MINUTE, 10 * MINUTE, HOUR] },
  async run(goesOn) {
    const { expired } = await new Retention(db as never, clock).run(goesOn)
    if (expired > 0) {
      logger.warn({ expired }, 'Webhook deliveries were held for 30 days and expired')
    }
    return { hasMore: !goesOn() }
  },
})
