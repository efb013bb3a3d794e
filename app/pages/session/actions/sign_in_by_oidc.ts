import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isPostgres } from '#foundation/core/database/connections'
import { from, into } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import { transact } from '#foundation/core/database/transact'
import { newId } from '#foundation/core/ids'
import { unrestricted, type Tenant } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { clock, unitOfWork } from '#foundation/core/services'
import { CreateUser } from '#organizations/actions/create_user'
import { LinkAccount } from '#organizations/actions/link_account'
import { tenants } from '#organizations/queries/find_tenants'
import type { Identity } from '../oidc/authorization.js'
import { accounts } from '../tables.js'
import { endSignIns } from './end_sign_in.js'

/** Why somebody whom a provider knows is not signed in. */
export type OidcRefusal = 'unverified' | 'bound' | 'unknown' | 'severalOrganizations'

type SignedIn = { accountId: string } | { refused: OidcRefusal }

/** A person whom an organization has named, and whom no account signs in as yet. */
interface Named {
  organizationId: string
  userId: string
}

/**
 * Signs in whom a provider knows, by issuer and subject. Its word for an e-mail address binds an
 * account once, and joins the organizations that have named the address.
 * @param newUsers whether people join whom no organization has named
 */
export async function signInByOidc(identity: Identity, newUsers: boolean): Promise<SignedIn> {
  const { email } = identity
  const known = await boundTo(identity)
  if (!known && email === null) return { refused: 'unverified' }
  const named = email === null ? [] : await namedBy(email)
  const mayJoin = !known && named.length === 0 && newUsers && !(await isNamedAtAll(email!))
  const alone = mayJoin ? await onlyOrganization() : null
  const bound = known
    ? { accountId: known }
    : await bind(identity, { email: email!, mayBeNew: named.length > 0 || alone !== null })
  if ('refused' in bound) {
    const isSeveral = bound.refused === 'unknown' && mayJoin
    return isSeveral ? { refused: 'severalOrganizations' } : bound
  }
  const { accountId } = bound
  const joined = await organizationsOf(accountId)
  for (const { organizationId, userId } of named.filter(
    (each) => !joined.has(each.organizationId)
  )) {
    await within(await tenants.find(organizationId), identity, (scope) =>
      new LinkAccount(scope).handle({ userId, accountId, name: identity.name })
    )
  }
  if ('isNew' in bound && alone) {
    await within(alone, identity, async (scope) => {
      const { id } = await new CreateUser(scope).handle({ email: email!, name: identity.name })
      await new LinkAccount(scope).handle({ userId: id, accountId })
    })
  }
  return { accountId }
}

async function boundTo({ issuer, subject }: Identity): Promise<string | null> {
  const row: { id: string } | null = await from(db, 'accounts')
    .where({ oidc_issuer: issuer, oidc_subject: subject })
    .select('id')
    .first()
  return row?.id ?? null
}

async function namedBy(email: string): Promise<Named[]> {
  const rows: { id: string; organization_id: string }[] = await from(db, 'users')
    .where('email', email)
    .whereNull('account_id')
    .whereNull('deactivated_at')
    .select('id', 'organization_id')
  return rows.map((row) => ({ userId: row.id, organizationId: row.organization_id }))
}

/** Whoever was deactivated is not new. */
async function isNamedAtAll(email: string): Promise<boolean> {
  return (await from(db, 'users').where('email', email).select('id').first()) !== null
}

async function organizationsOf(accountId: string): Promise<Set<string>> {
  const rows: { organization_id: string }[] = await from(db, 'users')
    .where('account_id', accountId)
    .select('organization_id')
  return new Set(rows.map((row) => row.organization_id))
}

/** The organization, where there is one alone: who is new joins none that nobody chose. */
async function onlyOrganization(): Promise<Tenant | null> {
  const rows: { id: string }[] = await from(db, 'organizations').select('id').limit(2)
  return rows.length === 1 ? tenants.find(rows[0].id) : null
}

type Bound = { accountId: string; isNew?: true } | { refused: OidcRefusal }

/**
 * Binds the account of an address. Its password is gone by that, and its sessions end: who chose
 * it may only have said that the address is theirs.
 */
function bind(
  { issuer, subject, name }: Identity,
  { email, mayBeNew }: { email: string; mayBeNew: boolean }
): Promise<Bound> {
  return transact(db, async (client): Promise<Bound> => {
    const now = clock.now()
    const bound = { oidcIssuer: issuer, oidcSubject: subject, updatedAt: now }
    const row = await accountOf(client, email)
    if (row && row.oidc_subject !== null) return { refused: 'bound' }
    if (row) {
      await from(client, 'accounts')
        .where('id', row.id)
        .update(storedRow(accounts, { ...bound, passwordHash: null }))
      await endSignIns(client, row.id, { but: null })
      return { accountId: row.id }
    }
    if (!mayBeNew) return { refused: 'unknown' }
    const id = newId('acc')
    const made = { id, email, name, theme: 'system', createdAt: now, ...bound }
    await into(client, 'accounts').insert(storedRow(accounts, made))
    return { accountId: id, isNew: true }
  })
}

async function accountOf(client: TransactionClientContract, email: string) {
  const query = from(client, 'accounts').where('email', email).select('id', 'oidc_subject')
  if (isPostgres(db)) query.forUpdate()
  const row: { id: string; oidc_subject: string | null } | null = await query.first()
  return row
}

/** Does work in an organization, as whom the provider knows. */
async function within(
  organization: Tenant | null,
  { name, email }: Identity,
  work: (scope: Scope) => Promise<void>
): Promise<void> {
  if (!organization) return
  const actor = { type: 'user', id: null, name: name ?? email ?? 'OpenID Connect' } as const
  await unitOfWork.inTransaction({ organization, actor, permissions: unrestricted }, work)
}
