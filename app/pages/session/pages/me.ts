import { MINUTE } from '#foundation/core/durations'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { earlier, type Instant } from '#foundation/core/clock'
import { transact } from '#foundation/core/database/transact'
import { clock } from '#foundation/core/services'
import { isZone } from '#planning/calendar/local_time'
import { changeName } from '../actions/change_name.js'
import { changePreferences } from '../actions/change_preferences.js'
import { changePassword } from '../actions/change_password.js'
import { checkPassword } from '../actions/check_password.js'
import { endSignIns } from '../actions/end_sign_in.js'
import { fieldOf, nameFault, seeOther, spanOf, STALE } from '../forms.js'
import { localeOf, zoneOf } from '../../frame/locale.js'
import { inSentence } from '../../words/times.js'
import type { Page } from '../page.js'
import { passwordFault } from '../passwords.js'
import { endOwnKey, listOwnKeys } from '../own_keys.js'
import { findAccount } from '../queries/find_account.js'
import { listOwnSignIns } from '../queries/list_sign_ins.js'
import { renderView } from '../render_view.js'
import { signedInOf, type SignedIn } from '../signed_in.js'
import type { Theme } from '../tables.js'
import { beginSession, endSession, foundBy } from '../visits.js'

/** Milliseconds after signing in during which a password can be set without the current one. */
const FRESH_MS = 15 * MINUTE
const TOO_OLD = 'Sign out and in again first: you signed in more than 15 minutes ago.'

const ADDRESS = '/dashboard/me'

const THEMES: readonly { value: Theme; name: string }[] = [
  { value: 'system', name: 'Same as the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]

type InputErrors = Partial<Record<'name' | 'zone' | 'present' | 'password' | 'form', string>>

/** Returns who is signed in. Pages below `/dashboard` require a session. */
const reader = (http: HttpContext): SignedIn => signedInOf(http)!

async function show(http: HttpContext, errors: InputErrors = {}): Promise<void> {
  const { account, signInId } = reader(http)
  const [stored, signIns, keys] = await Promise.all([
    findAccount(account.id),
    listOwnSignIns(account.id),
    listOwnKeys(account.id),
  ])
  const times = {
    zone: zoneOf(http.request, account),
    locale: localeOf(http.request),
    now: clock.now(),
  }
  const inWords = (instant: Instant) => inSentence(instant, times)
  if (Object.keys(errors).length > 0 && http.response.getStatus() === 200) http.response.status(422)
  await renderView(http, 'me', {
    title: 'You',
    email: account.email,
    name: fieldOf(http, 'name') || account.name || '',
    hasPassword: stored?.passwordHash !== null,
    errors: { name: null, zone: null, present: null, password: null, form: null, ...errors },
    said: http.session.flashMessages.get('done', null),
    timeZone: fieldOf(http, 'zone') || times.zone,
    zones: Intl.supportedValuesOf('timeZone'),
    theme: account.theme,
    themes: THEMES,
    signIns: signIns.map((each) => ({
      ...each,
      isThis: each.id === signInId,
      since: inWords(each.createdAt),
      seen: inWords(each.seenAt),
    })),
    keys: keys.map(({ id, name, organizationName, createdAt, expiresAt, lastUsedAt }) => ({
      ...{ id, name, organizationName, createdAt, since: inWords(createdAt) },
      ...{ expiresAt, ends: inWords(expiresAt!) },
      used: lastUsedAt === null ? 'never used' : `last used ${inWords(lastUsedAt)}`,
    })),
  })
}

function done(http: HttpContext, sentence: string): void {
  http.session.flash('done', sentence)
  seeOther(http, ADDRESS)
}

/** Shows the page again with its input, after its token went stale. */
const showStale = (http: HttpContext) => show(http, { form: STALE })

/** Shows the reader's name, password form, settings, sessions and keys. */
export const mePage: Page = { isSecret: true, handle: (http) => show(http) }

export const rename: Page = {
  isSecret: true,
  showAgain: showStale,
  async handle(http) {
    const name = fieldOf(http, 'name').trim()
    const fault = nameFault(name)
    if (fault !== null) return show(http, { name: fault })
    await changeName(reader(http).account.id, name)
    done(http, 'Your name was changed.')
  },
}

/** Changes the time zone and the theme of pages. */
export const setPreferences: Page = {
  isSecret: true,
  showAgain: showStale,
  async handle(http) {
    const timeZone = fieldOf(http, 'zone')
    const theme = THEMES.find(({ value }) => value === fieldOf(http, 'theme'))?.value ?? 'system'
    if (!isZone(timeZone)) return show(http, { zone: 'Choose a time zone.' })
    await changePreferences(reader(http).account.id, { timeZone, theme })
    done(http, 'Your preferences were saved.')
  },
}

/** An old session may not set a first password: it may be a browser that was left open. */
const isOld = (http: HttpContext) => foundBy(http)!.createdAt < earlier(clock.now(), FRESH_MS)

/** Changes a password. Requires the current one or, without any, a recent sign-in. */
export const setPassword: Page = {
  isSecret: true,
  showAgain: showStale,
  async handle(http) {
    const { account, signInId } = reader(http)
    const password = fieldOf(http, 'password')
    const fault = passwordFault(password)
    if (fault !== null) return show(http, { password: fault })
    const stored = await findAccount(account.id)
    if (!stored?.passwordHash && isOld(http)) return show(http, { form: TOO_OLD })
    if (stored?.passwordHash) {
      const checked = await checkPassword({
        account: stored,
        email: stored.email,
        password: fieldOf(http, 'present'),
        ip: http.request.ip(),
      })
      if (checked === 'wrong') return show(http, { present: 'This is not your current password.' })
      if ('wait' in checked) {
        http.response.status(429).header('retry-after', String(checked.wait))
        return show(http, { form: `Too many attempts. Try again in ${spanOf(checked.wait)}.` })
      }
    }
    await changePassword(account.id, password, signInId)
    await beginSession(http, account.id)
    done(http, 'Your password was changed. You are signed out everywhere else.')
  },
}

/** Ends one session of the reader, or all others together with the reader's personal keys. */
export const endOwn: Page = {
  showAgain: showStale,
  async handle(http) {
    const { account, signInId } = reader(http)
    const id = fieldOf(http, 'signIn')
    const which = id === '' ? { but: signInId } : { only: id }
    const ended = await transact(db, (client) => endSignIns(client, account.id, which))
    if (id === signInId) {
      endSession(http)
      return seeOther(http, '/')
    }
    if (id === '') return done(http, 'You are signed out everywhere else.')
    done(http, ended > 0 ? 'Signed out there.' : 'That session had already ended.')
  },
}

/** Ends a key that acts as its owner. */
export const endKey: Page = {
  showAgain: showStale,
  async handle(http) {
    const isEnded = await endOwnKey(reader(http).account.id, fieldOf(http, 'key'))
    done(http, isEnded ? 'The program is signed out.' : 'That key had already ended.')
  },
}
