import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isPostgres } from '#foundation/core/database/connections'
import { from } from '#foundation/core/database/from'
import { change } from '#foundation/core/database/statement'
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

const ADD = change(
  `insert into accounts (id, email, name, theme, oidc_issuer, oidc_subject, created_at, updated_at)
   values (:id, :email, :name, :theme, :oidc_issuer, :oidc_subject, :created_at, :updated_at)
   on conflict do nothing`
)

/** Reasons not to sign somebody in whom the provider has identified. */
export type OidcRefusal = 'unverified' | 'bound' | 'unknown' | 'severalOrganizations'

type SignedIn = { accountId: string } | { refused: OidcRefusal }

/** A user whom an organization has added, but who has no account yet. */
interface Invited {
  organizationId: string
  userId: string
}

/**
 * Signs somebody in by the issuer and subject of a provider. At the first sign-in, the e-mail
 * address that the provider has verified selects the account, which is then bound to issuer and
 * subject. The account joins the organizations that have added its address.
 * @param newUsers whether people may join whom no organization has added
 */
export async function signInByOidc(identity: Identity, newUsers: boolean): Promise<SignedIn> {
  const { email, name } = identity
  const known = await boundTo(identity)
  if (!known && email === null) return { refused: 'unverified' }
  const invited = email === null ? [] : await invitedAs(email)
  const isNew = newUsers && email !== null && !(await isUser(email))
  const organizationToJoin = isNew ? await onlyOrganization() : null
  const mayBeNew = invited.length > 0 || organizationToJoin !== null
  const bound = known ? { accountId: known } : await bind(identity, { email: email!, mayBeNew })
  if ('refused' in bound) {
    const isSeveral = bound.refused === 'unknown' && isNew
    return isSeveral ? { refused: 'severalOrganizations' } : bound
  }
  const { accountId } = bound
  const joined = await organizationsOf(accountId)
  for (const { organizationId, userId } of invited) {
    if (joined.has(organizationId)) continue
    await within(await tenants.find(organizationId), identity, (scope) =>
      new LinkAccount(scope).handle({ userId, accountId, name })
    )
  }
  if (organizationToJoin && joined.size === 0) {
    await within(organizationToJoin, identity, async (scope) => {
      const { id: userId } = await new CreateUser(scope).handle({ email: email!, name })
      await new LinkAccount(scope).handle({ userId, accountId })
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

async function invitedAs(email: string): Promise<Invited[]> {
  const rows: { id: string; organization_id: string }[] = await from(db, 'users')
    .where('email', email)
    .whereNull('account_id')
    .whereNull('deactivated_at')
    .select('id', 'organization_id')
  return rows.map((row) => ({ userId: row.id, organizationId: row.organization_id }))
}

/** Returns whether any organization has a user with this address, even a deactivated one. */
async function isUser(email: string): Promise<boolean> {
  return (await from(db, 'users').where('email', email).select('id').first()) !== null
}

async function organizationsOf(accountId: string): Promise<Set<string>> {
  const rows: { organization_id: string }[] = await from(db, 'users')
    .where('account_id', accountId)
    .select('organization_id')
  return new Set(rows.map((row) => row.organization_id))
}

/** Returns the only organization; null if there are several, as nobody has chosen one. */
async function onlyOrganization(): Promise<Tenant | null> {
  const rows: { id: string }[] = await from(db, 'organizations').select('id').limit(2)
  return rows.length === 1 ? tenants.find(rows[0].id) : null
}

type Bound = { accountId: string } | { refused: OidcRefusal }

/**
 * Binds the account of an address to the identity. This removes its password and ends its sessions,
 * because the person who chose the password may not own the address.
 */
function bind(
  { issuer, subject, name }: Identity,
  { email, mayBeNew }: { email: string; mayBeNew: boolean }
): Promise<Bound> {
  return transact(db, async (client, _connection, statements): Promise<Bound> => {
    const now = clock.now()
    const bound = { oidcIssuer: issuer, oidcSubject: subject, updatedAt: now }
    if (mayBeNew) {
      // Inserts nothing if the account exists, or a concurrent sign-in has just created it.
      const created = { id: newId('acc'), email, name, theme: 'system', createdAt: now, ...bound }
      const { count } = await statements.change(ADD, storedRow(accounts, created))
      if (count > 0) return { accountId: created.id }
    }
    const row = await accountOf(client, email)
    if (!row) return { refused: 'unknown' }
    const isTheirs = row.oidc_issuer === issuer && row.oidc_subject === subject
    if (isTheirs) return { accountId: row.id }
    if (row.oidc_subject !== null) return { refused: 'bound' }
    await from(client, 'accounts')
      .where('id', row.id)
      .update(storedRow(accounts, { ...bound, passwordHash: null }))
    await endSignIns(client, row.id, { but: null })
    return { accountId: row.id }
  })
}

interface Row {
  id: string
  oidc_issuer: string | null
  oidc_subject: string | null
}

async function accountOf(client: TransactionClientContract, email: string): Promise<Row | null> {
  const query = from(client, 'accounts')
    .where('email', email)
    .select('id', 'oidc_issuer', 'oidc_subject')
  if (isPostgres(db)) query.forUpdate()
  return query.first()
}

/** Runs work in an organization as the identified person. */
async function within(
  organization: Tenant | null,
  { name, email }: Identity,
  work: (scope: Scope) => Promise<void>
): Promise<void> {
  if (!organization) return
  const actor = { type: 'user', id: null, name: name ?? email ?? 'OpenID Connect' } as const
  await unitOfWork.inTransaction({ organization, actor, permissions: unrestricted }, work)
}
