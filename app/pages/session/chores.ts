import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { clock } from '#foundation/core/services'
import { hourly } from '#foundation/jobs/handlers'

/** Deletes kept form input that was not fetched in time. */
export const pruneKept = hourly('pages.keptForms', () =>
  from(db, 'kept_forms').where('expires_at', '<=', clock.now()).delete()
)
