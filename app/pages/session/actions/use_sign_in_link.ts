import { from, into } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { unrestricted } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { CreateUser } from '#organizations/actions/create_user'
import { LinkAccount } from '#organizations/actions/link_account'
import type { Link } from '../queries/find_link.js'
import { accounts } from '../tables.js'
import { endSignIns } from './end_sign_in.js'

/** Ways to sign in by a link: choose a password, or prove one's identity. */
export type SignInWay = 'choose' | 'prove'

interface Use {
  link: Link
  /** In lower case. */
  email: string
  name: string | null
  /** The hash of a chosen password, or the account that was proven. */
  by: { passwordHash: string } | { accountId: string }
}

/** The account that is signed in; `gone` if the link was used, `prove` if no password may be set. */
type Used = { accountId: string } | 'gone' | 'prove'

interface Known {
  id: string
  oidcSubject: string | null
}

/**
 * Uses a link, which works once. A link made by an admin may set the password only of a new account
 * or of one that belongs to the admin's organization alone. Otherwise the admin of one organization
 * could sign in to another one as its people.
 */
export async function useSignInLink(use: Use): Promise<Used> {
  const { link, email, name } = use
  const actor = { type: 'user', id: link.userId, name: name ?? email } as const
  const { organizationId: id, organizationName, requireIfMatch } = link
  const organization = { id, name: organizationName, requireIfMatch }
  return unitOfWork.inTransaction(
    { organization, actor, permissions: unrestricted },
    async (scope) => {
      const known = await knownAccount(scope, link, email)
      const isChosen = 'passwordHash' in use.by
      if (isChosen && (await askedOf(scope, link, known)) === 'prove') return 'prove'
      if (!(await spend(scope, link))) return 'gone'
      const accountId =
        'passwordHash' in use.by
          ? await choose(scope, { email, name, known, passwordHash: use.by.passwordHash })
          : use.by.accountId
      const userId = link.userId ?? (await personOf(scope, { accountId, email, name }))
      await new LinkAccount(scope).handle({ userId, accountId, name, admin: link.admin })
      return { accountId }
    }
  )
}

/**
 * Returns what a link asks of an account.
 * @param known null for an address that has no account yet
 */
export async function askedOf(
  scope: Pick<Scope, 'client'>,
  { resets, userId, organizationId }: Link,
  known: Known | null
): Promise<SignInWay> {
  if (!known || resets) return 'choose'
  // With a link for anybody, people enter any address. An account that is bound to a provider has
  // no password.
  if (userId === null || known.oidcSubject !== null) return 'prove'
  const rows: { organization_id: string }[] = await from(scope.client, 'users')
    .where('account_id', known.id)
    .select('organization_id')
  const isAlone =
    rows.length > 0 && rows.every(({ organization_id: each }) => each === organizationId)
  return isAlone ? 'choose' : 'prove'
}

/** Finds and locks the account of a link, so that it joins one organization at a time. */
async function knownAccount(scope: Scope, link: Link, email: string): Promise<Known | null> {
  const query = from(scope.transaction, 'accounts').select('id', 'oidc_subject')
  if (link.accountId) query.where('id', link.accountId)
  else query.where('email', email)
  if (scope.isShared) query.forUpdate()
  const row: { id: string; oidc_subject: string | null } | null = await query.first()
  return row && { id: row.id, oidcSubject: row.oidc_subject }
}

/** @returns whether the link was still valid */
async function spend(scope: Scope, { id }: Link): Promise<boolean> {
  const spent: unknown = await scope
    .table('sign_in_links')
    .where('id', id)
    .whereNull('used_at')
    .where('expires_at', '>', scope.now)
    .update({ used_at: scope.now })
  return Number(Array.isArray(spent) ? spent[0] : spent) === 1
}

interface Chosen {
  email: string
  name: string | null
  known: Known | null
  passwordHash: string
}

/** Sets the password of an account and ends its sessions; creates the account if there is none. */
async function choose(scope: Scope, { email, name, known, passwordHash }: Chosen) {
  const { transaction, now } = scope
  if (known) {
    await from(transaction, 'accounts')
      .where('id', known.id)
      .update({ password_hash: passwordHash, updated_at: now })
    await endSignIns(transaction, known.id, { but: null })
    return known.id
  }
  const id = newId('acc')
  const created = { id, email, name, passwordHash, theme: 'system', createdAt: now, updatedAt: now }
  await into(transaction, 'accounts').insert(storedRow(accounts, created))
  return id
}

/** Returns the id of the person with the account, or with the address; adds the person if needed. */
async function personOf(
  scope: Scope,
  { accountId, email, name }: { accountId: string; email: string; name: string | null }
): Promise<string> {
  const found: { id: string; account_id: string | null }[] = await scope
    .table('users')
    .where((either) => either.where('account_id', accountId).orWhere('email', email))
    .select('id', 'account_id')
  const person = found.find((each) => each.account_id === accountId) ?? found.at(0)
  if (person) return person.id
  return (await new CreateUser(scope).handle({ email, name })).id
}
