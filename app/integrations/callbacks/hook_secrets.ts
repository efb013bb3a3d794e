import { DAY } from '#foundation/core/durations'
import { randomBytes } from 'node:crypto'
import { later, type Instant } from '#foundation/core/clock'
import { change, of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Plugin } from '#plugin-kit/plugin'
import { callbackAddresses } from '../tables.js'
import type { CallbackAddress } from './callback_url.js'

/** The time for which signatures with the previous secret are accepted, in milliseconds. */
const OVERLAP_MS = DAY

/** A secret that a provider signs with; `until` is null for the one that is in use. */
interface HookSecret {
  value: string
  until: Instant | null
}

/** Returns the owner that sealed secrets are bound to: in another row they cannot be decrypted. */
const ownerOf = (organizationId: string, addressId: string) => `hook:${organizationId}:${addressId}`

/**
 * Returns whether the service makes the secret that signs the callbacks of a plugin. A provider
 * whose manifest declares no webhooks signs with a secret of its own, which is a credential.
 */
export const makesSecret = ({ webhooks, manifest }: Plugin) =>
  webhooks !== undefined && manifest.webhooks !== undefined

const SEALED = select(
  of(callbackAddresses, 'a', ['ciphertext']),
  `from callback_addresses a where a.organization_id = :org and a.id = :id`
)

/** Makes a secret in the format of Standard Webhooks; other schemes use it as plain text. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Returns the valid secrets of an address, newest first; empty if they cannot be decrypted. */
export async function openSecrets(
  scope: Scope,
  box: SecretBox,
  { id }: CallbackAddress
): Promise<string[]> {
  const [row] = await scope.rows(SEALED, { id })
  if (!row?.ciphertext) return []
  const secrets = box.open<HookSecret[]>(ownerOf(scope.organization.id, id), row.ciphertext) ?? []
  const isValid = ({ until }: HookSecret) => until === null || until > scope.now
  return secrets.filter(isValid).map(({ value }) => value)
}

/**
 * Returns the secret for a provider's signatures; creates it if there is none.
 * @param isRotated creates a new one, and accepts the previous one for another day
 * @throws not_found without the integration or connection
 */
export async function hookSecret(
  scope: Scope,
  box: SecretBox,
  address: CallbackAddress,
  isRotated = false
): Promise<string> {
  const { now, organization } = scope
  const { of: owned, id } = address
  if (!(await scope.lock(`${owned}s`, id))) throw refuse('not_found')
  const before = await openSecrets(scope, box, address)
  if (before.length > 0 && !isRotated) return before[0]
  const value = newSecret()
  const previous = before
    .slice(0, 1)
    .map((each) => ({ value: each, until: later(now, OVERLAP_MS) }))
  const secrets = [{ value, until: null }, ...previous] satisfies HookSecret[]
  const ciphertext = box.seal(ownerOf(organization.id, id), secrets)
  await scope.change(STORE, { ...keyColumnsOf(address), value: ciphertext, now })
  return value
}

/** Writes one column of an address; creates the address if it does not exist. */
const storing = (column: 'ciphertext' | 'received_at') =>
  change(
    `insert into callback_addresses (organization_id, id, connection_id, integration_id,
       ${column}, created_at, updated_at)
     values (:org, :id, :connectionId, :integrationId, :value, :now, :now)
     on conflict (id) do update
     set ${column} = excluded.${column}, updated_at = excluded.updated_at`
  )
const STORE = storing('ciphertext')
const RECEIVED = storing('received_at')

const keyColumnsOf = ({ of: owned, id }: CallbackAddress) => ({
  id,
  connectionId: owned === 'connection' ? id : null,
  integrationId: owned === 'integration' ? id : null,
})

/** Records the time of the latest callback to an address. */
export async function recordReceipt(scope: Scope, address: CallbackAddress): Promise<void> {
  const { now } = scope
  await scope.change(RECEIVED, { ...keyColumnsOf(address), value: now, now })
}

/** Encrypts the secrets of an organization's callbacks again, under the current key. */
export async function resealHooks(scope: Scope, box: SecretBox): Promise<void> {
  const rows: { id: string; ciphertext: string }[] = await scope
    .table('callback_addresses')
    .whereNotNull('ciphertext')
    .select('id', 'ciphertext')
  for (const { id, ciphertext } of rows) {
    const owner = ownerOf(scope.organization.id, id)
    const secrets = box.open(owner, ciphertext)
    if (secrets === null) continue
    const resealed = { ciphertext: box.seal(owner, secrets) }
    await scope.update(callbackAddresses, { id }, resealed)
  }
}
