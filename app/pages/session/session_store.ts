import { DAY, HOUR, MINUTE } from '#foundation/core/durations'
import { hash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import type { SessionData, SessionStoreContract } from '@adonisjs/session/types'
import db from '@adonisjs/lucid/services/db'
import { earlier, later, type Instant } from '#foundation/core/clock'
import { from, into } from '#foundation/core/database/from'
import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { clock, selects } from '#foundation/core/services'
import { clientName } from './client_name.js'
import { isPoll } from './polls.js'
import { accounts, signIns } from './tables.js'
import { transportOf } from './transport.js'

/** Milliseconds after which an unused session ends. */
export const IDLE_MS = 12 * HOUR
/** Milliseconds after which a session ends even if it is in use. */
export const MAX_MS = 14 * DAY
/** Minimum milliseconds between two writes of the last use of a session. */
const TOUCH_INTERVAL_MS = 10 * MINUTE

/** The member of the session data with the account id; visitors have none. */
export const ACCOUNT = 'account'

const FOUND = select(
  {
    ...of(signIns, 's', ['id', 'accountId', 'data', 'createdAt', 'seenAt']),
    ...of(accounts, 'a', ['email', 'name', 'timeZone', 'theme', 'lastOrganizationId']),
  },
  `from sign_ins s join accounts a on a.id = s.account_id
   where s.token_hash = :hash and s.expires_at > :now`
)
type SessionRow = RowOfSelect<typeof FOUND>

const hashOf = (sessionId: string) => hash('sha256', sessionId, 'hex')

/**
 * Stores the session of one request. A signed-in person has a row, which polls only read. The data
 * of a visitor (the CSRF secret, a sign-in under way) is in an encrypted cookie, so that opening
 * the start page cannot fill the database.
 */
export class SessionStore implements SessionStoreContract {
  /** The session that the request came with. */
  found: SessionRow | null = null
  #sessionId: string | null = null

  constructor(private readonly http: HttpContext) {}

  async read(sessionId: string): Promise<SessionData | null> {
    const bindings = { hash: hashOf(sessionId), now: clock.now() }
    const [found] = await selects.rows(FOUND, bindings)
    this.found = found ?? null
    this.#sessionId = sessionId
    if (!found) return this.#visitor()
    return { ...(found.data as SessionData), [ACCOUNT]: found.accountId }
  }

  /**
   * Updates only the session of the request, so that a session that has just ended stays ended. A poll
   * stores its time alone: since it read the data, a page may have taken the sentence of a form.
   */
  async write(sessionId: string, { [ACCOUNT]: accountId, ...data }: SessionData): Promise<void> {
    if (typeof accountId !== 'string') return this.#remember(data)
    const now = clock.now()
    const tokenHash = hashOf(sessionId)
    if (this.#isFound(sessionId)) {
      const changed = {
        ...(!isPoll(this.http) && { data }),
        ...lifetimeOf(this.found!.createdAt, now),
      }
      await from(db, 'sign_ins').where('token_hash', tokenHash).update(storedRow(signIns, changed))
      return
    }
    this.#remember(null)
    await from(db, 'sign_ins').where('expires_at', '<=', now).delete()
    const { request } = this.http
    await into(db, 'sign_ins').insert(
      storedRow(signIns, {
        id: newId('sgn'),
        tokenHash,
        accountId,
        data,
        client: clientName(request.header('user-agent')),
        address: request.ip().slice(0, 64),
        createdAt: now,
        ...lifetimeOf(now, now),
      })
    )
  }

  async destroy(sessionId: string): Promise<void> {
    this.#remember(null)
    await from(db, 'sign_ins').where('token_hash', hashOf(sessionId)).delete()
  }

  async touch(sessionId: string): Promise<void> {
    if (!this.#isFound(sessionId) || !this.isDue) return
    const lifetime = lifetimeOf(this.found!.createdAt, clock.now())
    await from(db, 'sign_ins').where('id', this.found!.id).update(storedRow(signIns, lifetime))
  }

  /** True once it is time to store the last use again. */
  get isDue(): boolean {
    return this.found !== null && this.found.seenAt <= earlier(clock.now(), TOUCH_INTERVAL_MS)
  }

  /** Returns whether an id is that of the request's session. */
  #isFound(sessionId: string): boolean {
    return this.found !== null && this.#sessionId === sessionId
  }

  #visitor(): SessionData | null {
    const kept: unknown = this.http.request.encryptedCookie(transportOf(this.http).visitorCookie)
    if (typeof kept !== 'object' || kept === null) return null
    const data = { ...(kept as SessionData) }
    delete data[ACCOUNT]
    return data
  }

  #remember(data: SessionData | null): void {
    const { request, response } = this.http
    const { visitorCookie: name, isSecure: secure } = transportOf(this.http)
    const options = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const
    if (data) response.encryptedCookie(name, data, { ...options, maxAge: IDLE_MS / 1000 })
    else if (name in request.cookiesList()) response.clearCookie(name, options)
  }
}

/** Returns the last use and the expiry of a session that is used now. */
function lifetimeOf(createdAt: Instant, now: Instant) {
  const [idle, max] = [later(now, IDLE_MS), later(createdAt, MAX_MS)]
  return { seenAt: now, expiresAt: idle < max ? idle : max }
}
