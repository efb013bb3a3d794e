import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import { clock } from '#foundation/core/services'
import { accounts, type Theme } from '../tables.js'

/** Changes the time zone and the theme in which an account sees pages. */
export async function changePreferences(
  accountId: string,
  preferences: { timeZone: string; theme: Theme }
): Promise<void> {
  await from(db, 'accounts')
    .where('id', accountId)
    .update(storedRow(accounts, { ...preferences, updatedAt: clock.now() }))
}

/** Sets the time zone of an account to that of its browser, unless it has one already. */
export async function takeZone(accountId: string, timeZone: string): Promise<void> {
  await from(db, 'accounts')
    .where('id', accountId)
    .whereNull('time_zone')
    .update({ time_zone: timeZone })
}
