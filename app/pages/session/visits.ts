import type { HttpContext } from '@adonisjs/core/http'
import emitter from '@adonisjs/core/services/emitter'
import { Session } from '@adonisjs/session'
import type {} from '@adonisjs/session/session_middleware'
import { isZone } from '#planning/calendar/local_time'
import { takeZone } from './actions/change_preferences.js'
import { renewToken } from './form_tokens.js'
import { fieldOf } from './forms.js'
import { KEPT } from './kept_form.js'
import { isPoll } from './polls.js'
import { ACCOUNT, IDLE_MS, SessionStore } from './session_store.js'
import { transportOf } from './transport.js'

const stores = new WeakMap<HttpContext, SessionStore>()

/** Opens the session of a request. */
export async function openVisit(http: HttpContext): Promise<void> {
  const { sessionCookie, isSecure } = transportOf(http)
  const store = new SessionStore(http)
  stores.set(http, store)
  const cookie = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' } as const
  const config = {
    enabled: true,
    cookieName: sessionCookie,
    age: IDLE_MS / 1000,
    cookie: { ...cookie, maxAge: IDLE_MS / 1000 },
  }
  http.session = new Session(config, () => store, emitter, http)
  await http.session.initiate(false)
}

/** Stores the session if a page has changed it, or if it is time to store its last use again. */
export async function closeVisit(http: HttpContext): Promise<void> {
  const { session } = http
  const isChanged =
    session.hasBeenModified ||
    session.hasRegeneratedSession ||
    !session.responseFlashMessages.isEmpty
  if ((isChanged && !isPoll(http)) || stores.get(http)?.isDue) await session.commit()
}

/** Returns the session of a signed-in person that a request came with; null for none. */
export const foundBy = (http: HttpContext) => stores.get(http)?.found ?? null

/**
 * Begins the session of an account. It renews the session id and the CSRF secret, because somebody
 * else may have planted the previous ones (session fixation). It keeps the id of a kept form, which
 * only the account of that form can read.
 */
export async function beginSession(http: HttpContext, accountId: string): Promise<void> {
  const { session } = http
  const kept = session.get(KEPT, null) as string | null
  session.clear()
  session.put(ACCOUNT, accountId)
  if (kept !== null) session.put(KEPT, kept)
  session.regenerate()
  await renewToken(http)
  const zone = fieldOf(http, 'timeZone')
  if (isZone(zone)) await takeZone(accountId, zone)
}

/** Ends the session, for this browser and for anybody who has its id. */
export function endSession({ session }: HttpContext): void {
  session.clear()
  session.regenerate()
}
