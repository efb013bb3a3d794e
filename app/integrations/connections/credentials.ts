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

/** Returns the owner of credentials: moved to another row they do not open. */
function ownerOf(scope: Scope, connectionId: string, version: number): string {
  return `connection:${scope.organization.id}:${connectionId}:v${version}`
}

/** The plugin of a connection's id. */
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

/** Equal for equal credentials of one plugin, and no way back to them. */
export function fingerprintOf(box: SecretBox, pluginId: string, credentials: Credentials): string {
  const sorted = Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1))
  return box.fingerprint(`credentials of ${pluginId}`, JSON.stringify(sorted))
}

const IN_USE = select(
  of(connectionSecrets, 's', ['version', 'ciphertext', 'fingerprint']),
  `from connection_secrets s
   where s.organization_id = :org and s.connection_id = :connectionId and s.retired_at is null`
)

/**
 * The credentials a connection has now, and their version.
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
 * Credentials of a connection that were read with something else.
 * @param row null members, or no row, where the connection has none
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
      detail: `The credentials of ${connectionId} were encrypted under a key that is not there.`,
    })
  }
  return { version: row.version, credentials }
}

/** Milliseconds for which what was opened is at hand: calls come together, and opening costs. */
const AT_HAND_MS = 1000

const atHand = new WeakMap<SecretBox, Map<string, Credentials>>()

/** Decrypts sealed credentials that were just read as in use. */
function opened(box: SecretBox, owner: string, ciphertext: string): Credentials | null {
  let known = atHand.get(box)
  if (!known) {
    atHand.set(box, (known = new Map()))
    setTimeout(() => atHand.delete(box), AT_HAND_MS).unref()
  }
  const key = `${owner} ${ciphertext}`
  const found = known.get(key) ?? box.open<Credentials>(owner, ciphertext)
  if (found) known.set(key, Object.freeze(found))
  return found
}

/** Puts new credentials into the place of those a connection has. */
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

/** Forgets what was begun in a browser for a connection, and the credentials kept with it. */
export async function forgetStarts(scope: Scope, connectionId: string): Promise<void> {
  await scope.table('oauth_starts').where('connection_id', connectionId).delete()
}

/** Ends the credentials a connection has, with the tokens got for them: that they were there stays. */
export async function retireCredentials(scope: Scope, connectionId: string): Promise<void> {
  await scope.table('connection_tokens').where('connection_id', connectionId).delete()
  await scope
    .table('connection_secrets')
    .where('connection_id', connectionId)
    .whereNull('retired_at')
    .update({ ciphertext: null, retired_at: scope.now })
}
