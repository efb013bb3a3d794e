import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import { clock } from '#foundation/core/services'
import { accounts, type Theme } from '../tables.js'

/** Changes how an account sees pages. */
export async function changePreferences(
  accountId: string,
  preferences: { timeZone: string; theme: Theme }
): Promise<void> {
  await from(db, 'accounts')
    .where('id', accountId)
    .update(storedRow(accounts, { ...preferences, updatedAt: clock.now() }))
}

/** Takes the time zone of a browser for that of an account that has none yet. */
export async function takeZone(accountId: string, timeZone: string): Promise<void> {
  await from(db, 'accounts')
    .where('id', accountId)
    .whereNull('time_zone')
    .update({ time_zone: timeZone })
}
