import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { checkPassword } from '../actions/check_password.js'
import { emailOf, fieldOf, seeOther, spanOf, STALE } from '../forms.js'
import { nextAddressOf } from '../next_address.js'
import type { Page } from '../page.js'
import { accountOf } from '../queries/find_account.js'
import { renderView } from '../render_view.js'
import { signedInOf } from '../signed_in.js'
import { REPEAT, RESEND, STOP } from '../stop.js'
import { transportOf } from '../transport.js'
import { beginSession, endSession } from '../visits.js'

const WRONG = 'The e-mail address or the password is wrong.'

interface Shown {
  /** True if the person came to stop a rollout. */
  isToStop?: boolean
  /** True if a form was sent without a session and has to be filled in again. */
  isToRepeat?: boolean
  /** True if a form was sent without a session and its input is kept. */
  isToResend?: boolean
  email?: string
  next?: string | null
  fault?: string
}

async function show(
  http: HttpContext,
  {
    email = '',
    next = null,
    isToStop = false,
    isToRepeat = false,
    isToResend = false,
    fault,
  }: Shown
): Promise<void> {
  const { settings } = await app.container.make('pages.oidc')
  const query = next === null ? '' : `?${new URLSearchParams({ next })}`
  const oidc = settings && { name: settings.name, address: `/sign-in/oidc${query}` }
  const title = isToStop ? 'Sign in to stop the rollout' : 'Sign in to Tarmac'
  const to = purposeOf({ isToStop, isToRepeat, isToResend })
  const shown = { title, email, next, to, isToRepeat, isToResend, oidc, errors: { form: fault } }
  await renderView(http, 'sign_in', shown)
}

function purposeOf({ isToStop, isToRepeat, isToResend }: Shown): string {
  if (isToStop) return STOP
  if (isToRepeat) return REPEAT
  return isToResend ? RESEND : ''
}

const purposeIn = (to: unknown) => ({
  isToStop: to === STOP,
  isToRepeat: to === REPEAT,
  isToResend: to === RESEND,
})

/** Returns the values of the form, without the password. */
const givenBy = (http: HttpContext) => ({
  email: emailOf(http),
  next: nextAddressOf(fieldOf(http, 'next'), transportOf(http).origin),
  ...purposeIn(fieldOf(http, 'to')),
})

/** The start page: it asks to sign in, or redirects to the organization used last. */
export const home: Page = {
  isOpen: true,
  async handle(http) {
    const signedIn = signedInOf(http)
    if (!signedIn) return show(http, {})
    const last = await signedIn.lastOrganization()
    if (last !== null) return seeOther(http, `/dashboard/org/${last}`)
    await renderView(http, 'nowhere', {
      title: 'No organization',
      email: signedIn.account.email,
    })
  },
}

/** Redirects from `/dashboard`, the beginning of all addresses, to the start page. */
export const dashboard: Page = {
  async handle(http) {
    seeOther(http, '/')
  },
}

export const signInPage: Page = {
  isOpen: true,
  async handle(http) {
    const next = nextAddressOf(http.request.qs().next, transportOf(http).origin)
    if (signedInOf(http)) return seeOther(http, next ?? '/')
    await show(http, { next, ...purposeIn(http.request.qs().to) })
  },
}

/**
 * Signs in with e-mail address and password. The answer does not reveal which of the two is wrong.
 */
export const signIn: Page = {
  isOpen: true,
  isSecret: true,
  showAgain: (http) => show(http, { ...givenBy(http), fault: STALE }),
  async handle(http) {
    const given = givenBy(http)
    const { email, next } = given
    const checked = await checkPassword({
      account: await accountOf(email),
      email,
      password: fieldOf(http, 'password'),
      ip: http.request.ip(),
    })
    if (checked === 'wrong') {
      http.response.status(422)
      return show(http, { ...given, fault: WRONG })
    }
    if ('wait' in checked) {
      http.response.status(429).header('retry-after', String(checked.wait))
      const fault = `Too many attempts. Try again in ${spanOf(checked.wait)}.`
      return show(http, { ...given, fault })
    }
    await beginSession(http, checked.account.id)
    seeOther(http, next ?? '/')
  },
}

/** Signs out; does nothing for somebody who is not signed in. */
export const signOut: Page = {
  isOpen: true,
  async handle(http) {
    endSession(http)
    seeOther(http, '/')
  },
}
