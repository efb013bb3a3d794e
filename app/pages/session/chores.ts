import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { clock } from '#foundation/core/services'
import { hourly } from '#foundation/jobs/handlers'

/** Deletes input that its person did not come back for. */
export const pruneKept = hourly('pages.keptForms', () =>
  from(db, 'kept_forms').where('expires_at', '<=', clock.now()).delete()
)
