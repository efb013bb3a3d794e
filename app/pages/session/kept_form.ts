import { HOUR } from '#foundation/core/durations'
import { Buffer } from 'node:buffer'
import type { HttpContext } from '@adonisjs/core/http'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { later, type Instant } from '#foundation/core/clock'
import { from, into } from '#foundation/core/database/from'
import { of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { clock, selects } from '#foundation/core/services'
import type { Typed } from '../frame/page.js'
import { limitKeptForms } from './attempt_limits.js'
import { MAX_MS } from './session_store.js'
import { keptForms } from './tables.js'

/*
 * If a form is sent after its session has ended, its input is kept until the person signs in again
 * in the same browser. The form carries the encrypted account that its page was shown to, so nobody
 * else sees the input, and nothing is kept for people without an account.
 */

/** Milliseconds within which people have to sign in again. */
const KEPT_MS = HOUR

/** Maximum size of a kept form, in bytes. Only the latest form of an account is kept. */
const MAX_BYTES = 64 * 1024

/** The member of the session data with the id of the kept form. */
export const KEPT = 'kept'

const OWNER = 'owner of a page'

const purposeOf = (accountId: string) => `kept form of ${accountId}`

const FOUND = select(
  of(keptForms, 'k', ['page', 'typed']),
  `from kept_forms k where k.account_id = :account and k.id = :id and k.expires_at > :now`
)

/** The account that a page was shown to, and the end of the longest possible session. */
type Owner = readonly [accountId: string, until: Instant]

/** Encrypts an account for the forms of a page, which carry it. */
export function sealedAccount(accountId: string): string {
  const owner: Owner = [accountId, later(clock.now(), MAX_MS)]
  return encryption.encrypt(owner, { purpose: OWNER })
}

function ownerOf(by: string): string | null {
  const [accountId, until] = encryption.decrypt<Owner>(by, OWNER) ?? [null, '']
  return until > clock.now() ? accountId : null
}

/**
 * Keeps what was typed into a form.
 * @param by the encrypted account that the form carries
 * @param page path of the page that shows the form
 * @returns false if the input is too large, comes too often, or belongs to no account
 */
export async function keepForm(
  { session, request }: HttpContext,
  by: string | null,
  page: string,
  typed: Typed
): Promise<boolean> {
  const accountId = by === null ? null : ownerOf(by)
  if (accountId === null || Buffer.byteLength(JSON.stringify(typed)) > MAX_BYTES) return false
  if ((await limitKeptForms(request.ip())) > 0) return false
  const encrypted = encryption.encrypt(typed, { purpose: purposeOf(accountId) })
  const expiresAt = later(clock.now(), KEPT_MS)
  const row = { id: newId('kpt'), accountId, page, typed: encrypted, expiresAt }
  await into(db.connection().getWriteClient(), 'kept_forms')
    .insert(storedRow(keptForms, row))
    .onConflict('account_id')
    .merge()
  session.put(KEPT, row.id)
  return true
}

/** Returns the input that was kept for a page; null for none. */
export async function findForm(
  { session, request }: HttpContext,
  accountId: string
): Promise<Typed | null> {
  const id: unknown = session.get(KEPT, null)
  if (typeof id !== 'string') return null
  const [found] = await selects.rows(FOUND, { account: accountId, id, now: clock.now() })
  if (found && found.page !== request.url()) return null
  const typed = found ? encryption.decrypt<Typed>(found.typed, purposeOf(accountId)) : null
  if (!typed) session.forget(KEPT)
  return typed
}

/** Deletes the kept input after it has been shown. */
export async function dropForm({ session }: HttpContext): Promise<void> {
  await from(db, 'kept_forms')
    .where('id', session.pull(KEPT) as string)
    .delete()
}
