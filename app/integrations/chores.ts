import db from '@adonisjs/lucid/services/db'
import { hourly } from '#foundation/jobs/handlers'
import { clock } from '#foundation/core/services'
import { PruneCalls } from './port/prune_calls.js'

/** Prunes the logs of calls to providers. */
export const pruneCalls = hourly('integration.calls', (mayContinue) =>
  new PruneCalls(db as never, clock).run(mayContinue)
)
