import type { HttpContext } from '@adonisjs/core/http'
import emitter from '@adonisjs/core/services/emitter'
import { Session } from '@adonisjs/session'
import type {} from '@adonisjs/session/session_middleware'
import { isZone } from '#planning/calendar/local_time'
import { takeZone } from './actions/change_preferences.js'
import { renewToken } from './form_tokens.js'
import { fieldOf } from './forms.js'
import { KEPT } from './kept_form.js'
import { ACCOUNT, IDLE_MS, SessionStore } from './session_store.js'
import { transportOf } from './transport.js'

const stores = new WeakMap<HttpContext, SessionStore>()

/** Reads the session that a request comes with. */
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

/** Stores what has changed of it: a poll changes nothing, and is noted now and then. */
export async function closeVisit(http: HttpContext): Promise<void> {
  const { session } = http
  const isChanged =
    session.hasBeenModified ||
    session.hasRegeneratedSession ||
    !session.responseFlashMessages.isEmpty
  if (isChanged || stores.get(http)?.isDue) await session.commit()
}

/** The session that a request came with, of somebody who is signed in. */
export const foundBy = (http: HttpContext) => stores.get(http)?.found ?? null

/**
 * Begins the session of an account. Nothing is left of what was before, neither its id nor the
 * secret of its forms: somebody else may have planted them. A form that is kept is found by its
 * person alone, whoever planted its name.
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

/** Ends the session, for this browser and for whoever has its id. */
export function endSession({ session }: HttpContext): void {
  session.clear()
  session.regenerate()
}
