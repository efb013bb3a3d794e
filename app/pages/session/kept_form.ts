import { Buffer } from 'node:buffer'
import type { HttpContext } from '@adonisjs/core/http'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { from, into } from '#foundation/core/database/from'
import { of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { clock, selects } from '#foundation/core/services'
import type { Typed } from '../frame/page.js'
import { keptForms } from './tables.js'

/*
 * A form sent without a session keeps its input until its person has signed in again, in the same
 * browser. The form names the owner of its page, sealed: so nobody else sees the text, and nobody
 * without an account has anything kept.
 */

/** Milliseconds for signing in again. */
const KEPT_MS = 60 * 60_000

/** Bytes of what is kept of an account: its latest form alone. */
const MOST_BYTES = 64 * 1024

/** The member of a session's data that names what is kept for it. */
export const KEPT = 'kept'

const PURPOSE = 'account of a form'

const FOUND = select(
  of(keptForms, 'k', ['page', 'typed']),
  `from kept_forms k where k.account_id = :account and k.id = :id and k.expires_at > :now`
)

/** Returns what forms carry so that it is known whose page they were on. */
export const sealedAccount = (accountId: string): string =>
  encryption.encrypt(accountId, { purpose: PURPOSE })

/**
 * Keeps what was typed into a form.
 * @param by what the form carries of whose page it was on
 * @param page path of the page that shows the form
 * @returns whether it is kept: not what is too much, and not of a form of nobody
 */
export async function keepForm(
  { session }: HttpContext,
  by: string | null,
  page: string,
  typed: Typed
): Promise<boolean> {
  const accountId = by === null ? null : encryption.decrypt<string>(by, PURPOSE)
  if (accountId === null || Buffer.byteLength(JSON.stringify(typed)) > MOST_BYTES) return false
  const now = clock.now()
  await from(db, 'kept_forms').where('expires_at', '<=', now).delete()
  const row = { id: newId('kpt'), accountId, page, typed, expiresAt: later(now, KEPT_MS) }
  await into(db.connection().getWriteClient(), 'kept_forms')
    .insert(storedRow(keptForms, row))
    .onConflict('account_id')
    .merge()
  session.put(KEPT, row.id)
  return true
}

/** Takes what was kept for a page; null for none. */
export async function takeForm(
  { session, request }: HttpContext,
  accountId: string
): Promise<Typed | null> {
  const id: unknown = session.get(KEPT, null)
  if (typeof id !== 'string') return null
  const [found] = await selects.rows(FOUND, { account: accountId, id, now: clock.now() })
  if (found && found.page !== request.url()) return null
  session.forget(KEPT)
  if (!found) return null
  await from(db, 'kept_forms').where('id', id).delete()
  return found.typed
}
