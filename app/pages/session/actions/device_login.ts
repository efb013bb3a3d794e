import { hash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { from, into } from '#foundation/core/database/from'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, storedRow, text } from '#foundation/core/database/table'
import { DAY, MINUTE } from '#foundation/core/durations'
import { newId, randomText } from '#foundation/core/ids'
import { unrestricted } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import { clock, selects, unitOfWork } from '#foundation/core/services'
import { CreateKey } from '#organizations/actions/create_key'
import { personName } from '#organizations/queries/people'
import { limitDeviceLogins } from '../attempt_limits.js'
import { deviceLogins } from '../tables.js'

/*
 * Signing in a program (RFC 8628): the program begins and polls, a person confirms its code in the
 * browser, and the program gets a personal key.
 */

/** Letters without vowels, so that no code is a word, and without look-alikes. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const GOOD_MS = 10 * MINUTE
const INTERVAL_S = 2
/** Seconds added to the interval of a program that polls too soon. */
const SLOWER_S = 5
/** A poll may come this much too soon, as network delays vary. */
const EARLY_MS = 500
const KEY_MS = 30 * DAY

const COLUMNS = {
  ...of(deviceLogins, 'd', ['id', 'userCode', 'client', 'address', 'pollSeconds', 'createdAt']),
  ...of(deviceLogins, 'd', [
    'expiresAt',
    'polledAt',
    'decidedAt',
    'organizationId',
    'userId',
    'usedAt',
  ]),
  organizationName: as(optional(text()), 'o.name'),
  requireIfMatch: as(flag(), 'coalesce(o.require_if_match, false)'),
  email: as(optional(text()), 'u.email'),
  name: as(optional(text()), 'u.name'),
}
const JOINED = `from device_logins d
  left join organizations o on o.id = d.organization_id
  left join users u on u.organization_id = d.organization_id and u.id = d.user_id`
const BY_DEVICE_CODE = select(COLUMNS, `${JOINED} where d.device_code_hash = :hash`)
const BY_USER_CODE = select(COLUMNS, `${JOINED} where d.user_code = :code`)

/** A program that asks to be signed in. */
export type DeviceLogin = RowOfSelect<typeof BY_USER_CODE>

const hashOf = (deviceCode: string) => hash('sha256', deviceCode, 'hex')

/** Returns a code as people read it. */
export const shownCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/** Returns a typed code as it is stored. */
export const typedCode = (input: string) =>
  input
    .slice(0, 100)
    .toUpperCase()
    .replace(/[^A-Z]/g, '')

/**
 * Begins to sign a program in.
 * @param client the program and its machine, as the program calls them
 * @throws rate_limited for an address that begins too many
 */
export async function beginDeviceLogin(client: string, address: string) {
  const wait = await limitDeviceLogins(address)
  if (wait > 0) throw refuse('rate_limited', { retryAfter: wait })
  const now = clock.now()
  await from(db.connection(), 'device_logins').where('expires_at', '<=', now).delete()
  const deviceCode = randomText(40)
  const userCode = randomText(8, 'code', LETTERS)
  const created = {
    ...{ id: newId('dev'), deviceCodeHash: hashOf(deviceCode), userCode, client, address },
    ...{ pollSeconds: INTERVAL_S, createdAt: now, expiresAt: later(now, GOOD_MS) },
  }
  await into(db.connection(), 'device_logins').insert(storedRow(deviceLogins, created))
  return {
    deviceCode,
    userCode: shownCode(userCode),
    expiresIn: GOOD_MS / 1000,
    interval: INTERVAL_S,
  }
}

/** Finds a program by the code that a person typed; null if none waits with this code. */
export async function findDeviceLogin(code: string): Promise<DeviceLogin | null> {
  const [found] = await selects.rows(BY_USER_CODE, { code })
  const isOpen = found && found.decidedAt === null && found.expiresAt > clock.now()
  return isOpen ? found : null
}

/**
 * Confirms or refuses a program, once.
 * @param by the person who confirms it; null to refuse it
 * @returns false if it was decided already, or the code has expired
 */
export async function decideDeviceLogin(
  { id }: DeviceLogin,
  by: { organizationId: string; userId: string } | null
): Promise<boolean> {
  const now = clock.now()
  const decided = await from(db.connection(), 'device_logins')
    .where('id', id)
    .whereNull('decided_at')
    .where('expires_at', '>', now)
    .update({
      decided_at: now,
      organization_id: by?.organizationId ?? null,
      user_id: by?.userId ?? null,
    })
  return Number(decided) === 1
}

/**
 * Gives a program its key once a person has confirmed it.
 * @throws authorization_pending, slow_down, access_denied, expired_token
 */
export async function finishDeviceLogin(deviceCode: string) {
  const [login] = await selects.rows(BY_DEVICE_CODE, { hash: hashOf(deviceCode) })
  const now = clock.now()
  if (!login || login.usedAt !== null || login.expiresAt <= now) throw refuse('expired_token')
  if (login.decidedAt === null) throw await stillPending(login)
  const { organizationId: id, organizationName, userId, email, name, requireIfMatch } = login
  if (id === null || userId === null) throw refuse('access_denied')
  const organization = { id, name: organizationName!, requireIfMatch }
  const person = { id: userId, email: email!, name }
  const actor = { type: 'user', id: userId, name: personName(person) } as const
  const expiresAt = later(now, KEY_MS)
  const { key } = await unitOfWork.inTransaction(
    { organization, actor, permissions: unrestricted },
    async (scope) => {
      const used = await scope
        .table('device_logins')
        .where({ id: login.id, user_id: userId })
        .whereNull('used_at')
        .update({ used_at: now })
      if (Number(used) !== 1) throw refuse('expired_token')
      const active = scope.table('users').where('id', userId).whereNull('deactivated_at')
      if (scope.isShared) active.forUpdate()
      if (!(await active.select('id').first())) throw refuse('access_denied')
      return new CreateKey(scope).handle({ name: login.client, userId, expiresAt })
    }
  )
  return { key, expiresAt, organization: { id, name: organizationName! }, person }
}

/** Records a poll of a program that nobody has decided about, and returns the problem to answer. */
async function stillPending({ id, polledAt, pollSeconds }: DeviceLogin) {
  const now = clock.now()
  const isTooSoon = polledAt !== null && later(polledAt, pollSeconds * 1000 - EARLY_MS) > now
  await from(db.connection(), 'device_logins')
    .where('id', id)
    .update({ polled_at: now, poll_seconds: pollSeconds + (isTooSoon ? SLOWER_S : 0) })
  return refuse(isTooSoon ? 'slow_down' : 'authorization_pending')
}
