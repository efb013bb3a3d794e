import { compareTexts } from '../../foundation/core/compare_texts.js'
import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Credentials } from '#plugin-kit/port/door'
import { connectionSecrets } from '../tables.js'

export type { Credentials }

/** Credentials as they are stored. */
interface SealedCredentials {
  version: number
  ciphertext: string
  fingerprint: string
}

/**
 * Returns the owner that sealed credentials are bound to: in another row they cannot be decrypted.
 */
function ownerOf(scope: Scope, connectionId: string, version: number): string {
  return `connection:${scope.organization.id}:${connectionId}:v${version}`
}

/** Returns the id of the plugin, with which the id of a connection begins. */
const pluginOf = (connectionId: string) => connectionId.split(':', 1)[0]

/** Encrypts credentials for one version of a connection. */
export function sealCredentials(
  scope: Scope,
  box: SecretBox,
  connectionId: string,
  version: number,
  credentials: Credentials
): SealedCredentials {
  return {
    version,
    ciphertext: box.seal(ownerOf(scope, connectionId, version), credentials),
    fingerprint: fingerprintOf(box, pluginOf(connectionId), credentials),
  }
}

/** Returns a one-way fingerprint, equal for equal credentials of one plugin. */
export function fingerprintOf(box: SecretBox, pluginId: string, credentials: Credentials): string {
  const sorted = Object.entries(credentials).sort(([one], [other]) => compareTexts(one, other))
  return box.fingerprint(`credentials of ${pluginId}`, JSON.stringify(sorted))
}

const IN_USE = select(
  of(connectionSecrets, 's', ['version', 'ciphertext', 'fingerprint']),
  `from connection_secrets s
   where s.organization_id = :org and s.connection_id = :connectionId and s.retired_at is null`
)

/**
 * Returns the current credentials of a connection, and their version.
 * @throws credentials_missing, credentials_unreadable
 */
export async function openCredentials(
  scope: Scope,
  box: SecretBox,
  connectionId: string
): Promise<{ version: number; credentials: Credentials }> {
  const [row] = await scope.rows(IN_USE, { connectionId })
  return openSealed(scope, box, connectionId, row)
}

/**
 * Decrypts credentials whose row was read by another statement.
 * @param row undefined, or with null members, if the connection has no credentials
 * @throws as `openCredentials` does
 */
export function openSealed(
  scope: Scope,
  box: SecretBox,
  connectionId: string,
  row: { version: number | null; ciphertext: string | null } | undefined
): { version: number; credentials: Credentials } {
  if (!row?.ciphertext || row.version === null) {
    throw refuse('credentials_missing', {
      detail: `${connectionId} has no credentials.`,
      currentStatus: 'disconnected',
      allowedActions: [],
    })
  }
  const owner = ownerOf(scope, connectionId, row.version)
  const credentials = opened(box, owner, row.ciphertext)
  if (!credentials) {
    throw refuse('credentials_unreadable', {
      detail: `The credentials of ${connectionId} were encrypted under a key that the service does not have.`,
    })
  }
  return { version: row.version, credentials }
}

/**
 * Time for which decrypted credentials are cached, in milliseconds: calls come in bursts, and
 * decryption is expensive.
 */
const CACHED_MS = 1000

const cache = new WeakMap<SecretBox, Map<string, Credentials>>()

/** Decrypts sealed credentials, or returns them from the cache. */
function opened(box: SecretBox, owner: string, ciphertext: string): Credentials | null {
  let known = cache.get(box)
  if (!known) {
    cache.set(box, (known = new Map()))
    setTimeout(() => cache.delete(box), CACHED_MS).unref()
  }
  const key = `${owner} ${ciphertext}`
  const found = known.get(key) ?? box.open<Credentials>(owner, ciphertext)
  if (found) known.set(key, Object.freeze(found))
  return found
}

/** Replaces the credentials of a connection. @returns the new version */
export async function replaceCredentials(
  scope: Scope,
  box: SecretBox,
  connectionId: string,
  credentials: Credentials
): Promise<number> {
  const [last] = await scope
    .table('connection_secrets')
    .where('connection_id', connectionId)
    .orderBy('version', 'desc')
    .limit(1)
    .select('version')
  const version = Number(last?.version ?? 0) + 1
  await retireCredentials(scope, connectionId)
  const sealed = sealCredentials(scope, box, connectionId, version, credentials)
  await scope.insert(connectionSecrets, [
    { connectionId, ...sealed, createdAt: scope.now, retiredAt: null },
  ])
  return version
}

/** Deletes the authorizations begun in a browser for a connection, with their credentials. */
export async function forgetStarts(scope: Scope, connectionId: string): Promise<void> {
  await scope.table('oauth_starts').where('connection_id', connectionId).delete()
}

/**
 * Deletes the current credentials of a connection and their tokens; the retired row stays, without
 * its content.
 */
export async function retireCredentials(scope: Scope, connectionId: string): Promise<void> {
  await scope.table('connection_tokens').where('connection_id', connectionId).delete()
  await scope
    .table('connection_secrets')
    .where('connection_id', connectionId)
    .whereNull('retired_at')
    .update({ ciphertext: null, retired_at: scope.now })
}
