import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { hourly } from '#foundation/jobs/handlers'
import { clock } from '#foundation/core/services'
import { Retention } from '#webhooks/delivery/retention'

/** Removes deliveries, recoveries and payloads that are past their retention. */
export const retain = hourly('webhook.retention', async (mayContinue) => {
  const { expired } = await new Retention(db as never, clock).run(mayContinue)
  if (expired > 0) {
    logger.warn({ expired }, 'Webhook deliveries were held for 30 days and expired')
  }
})
