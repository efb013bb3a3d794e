import type { HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { readClient } from '#foundation/core/database/connections'
import { checkPassword } from '../actions/check_password.js'
import { askedOf, useSignInLink, type SignInWay } from '../actions/use_sign_in_link.js'
import { emailFault, emailOf, fieldOf, nameFault, seeOther, spanOf, STALE } from '../forms.js'
import type { Page } from '../page.js'
import { hashPassword, passwordFault } from '../passwords.js'
import { accountOf, findAccount, type Account } from '../queries/find_account.js'
import { findLink, type Link } from '../queries/find_link.js'
import { renderView } from '../render_view.js'
import { signedInOf } from '../signed_in.js'
import { beginSession } from '../visits.js'

const WRONG = 'The password is wrong.'

type InputErrors = Partial<Record<'email' | 'name' | 'password' | 'form', string>>

/** What a link means for the person who opens it. */
interface Situation {
  link: Link
  /** `join` if the account is signed in already. */
  asks: SignInWay | 'join'
  email: string
  account: Account | null
}

const tokenOf = (http: HttpContext): string => String(http.params.token)

/** @returns null for a link that is not valid any more */
async function situationOf(http: HttpContext, given: string): Promise<Situation | null> {
  const link = await findLink(tokenOf(http))
  if (!link) return null
  const email = link.email ?? given
  const account = link.accountId ? await findAccount(link.accountId) : await accountOf(email)
  const signedIn = signedInOf(http)?.account
  const isTheirs = signedIn && (link.userId === null || signedIn.id === account?.id)
  if (isTheirs) {
    return { link, asks: 'join', email: signedIn.email, account: await findAccount(signedIn.id) }
  }
  const client = readClient(db)
  return { link, asks: await askedOf({ client }, link, account), email, account }
}

async function show(
  http: HttpContext,
  { link, asks, email, account }: Situation,
  errors: InputErrors
) {
  const { settings } = await app.container.make('pages.oidc')
  const isRefused = Object.keys(errors).length > 0
  if (isRefused && http.response.getStatus() === 200) http.response.status(422)
  await renderView(http, 'link', {
    title: `Join ${link.organizationName}`,
    action: http.request.url(),
    asks,
    email,
    /** A link for one person fixes the e-mail address: the form only shows it. */
    isNamed: link.userId !== null,
    hasPassword: asks !== 'prove' || account?.passwordHash !== null,
    name: fieldOf(http, 'name') || link.name || '',
    errors: { email: null, name: null, password: null, form: null, ...errors },
    oidc: settings && link.email !== null ? { name: settings.name } : null,
    signedInAs: signedInOf(http)?.account.email ?? null,
  })
}

async function showGone(http: HttpContext): Promise<void> {
  http.response.status(410)
  await renderView(http, 'link_gone', { title: 'This link no longer works' })
}

/** Shows what a link is for. Only its form uses the link, as scanners open links in e-mails. */
export const linkPage: Page = {
  isOpen: true,
  isSecret: true,
  async handle(http) {
    const situation = await situationOf(http, '')
    if (!situation) return showGone(http)
    await show(http, situation, {})
  },
}

export const useLink: Page = {
  isOpen: true,
  isSecret: true,
  async showAgain(http) {
    const situation = await situationOf(http, emailOf(http))
    if (!situation) return showGone(http)
    await show(http, situation, { form: STALE })
  },
  async handle(http) {
    const situation = await situationOf(http, emailOf(http))
    if (!situation) return showGone(http)
    const { link, email } = situation
    const name = fieldOf(http, 'name').trim() || link.name
    const errors = faultsOf(situation, { name, password: fieldOf(http, 'password') })
    if (Object.keys(errors).length > 0) return show(http, situation, errors)
    const by = await proofOf(http, situation)
    if ('errors' in by) return show(http, situation, by.errors)
    const used = await useSignInLink({ link, email, name, by })
    if (used === 'gone') return showGone(http)
    // While the form was filled in, the account was made or joined another organization.
    if (used === 'prove') return show(http, { ...situation, asks: 'prove' }, { form: STALE })
    await beginSession(http, used.accountId)
    seeOther(http, `/dashboard/org/${link.organizationId}`)
  },
}

interface Given {
  name: string | null
  password: string
}

/** Returns the errors of the form itself, before any password is checked. */
function faultsOf({ link, asks, email }: Situation, { name, password }: Given): InputErrors {
  const errors: InputErrors = {}
  const add = (field: keyof InputErrors, fault: string | null) => {
    if (fault !== null) errors[field] = fault
  }
  if (asks === 'join') return errors
  if (link.userId === null) add('email', emailFault(email))
  if (asks === 'choose') {
    add('name', nameFault(name ?? ''))
    add('password', passwordFault(password))
  }
  return errors
}

type Proof = { passwordHash: string } | { accountId: string } | { errors: InputErrors }

/** Returns the proof that the person gives for the account, or why it fails. */
async function proofOf(http: HttpContext, { asks, email, account }: Situation): Promise<Proof> {
  const password = fieldOf(http, 'password')
  if (asks === 'join') return { accountId: account!.id }
  if (asks === 'choose') return { passwordHash: await hashPassword(password) }
  const checked = await checkPassword({ account, email, password, ip: http.request.ip() })
  if (checked === 'wrong') return { errors: { password: WRONG } }
  if ('account' in checked) return { accountId: checked.account.id }
  http.response.status(429).header('retry-after', String(checked.wait))
  return { errors: { form: `Too many attempts. Try again in ${spanOf(checked.wait)}.` } }
}
