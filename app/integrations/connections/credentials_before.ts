import { isDeepStrictEqual } from 'node:util'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { TokenPair } from '#plugin-kit/authentication/strategies'
import { connectionSecrets } from '../tables.js'
import { openSealed, type Credentials } from './credentials.js'
import { tokensOwner } from './tokens_owner.js'

/** The credentials that a connection had when somebody began to change them. */
export interface CredentialsBefore {
  /** Null for none. */
  version: number | null
  /** The sealed tokens obtained with them; null for none, absent if they do not matter. */
  tokens?: string | null
}

const BEFORE = select(
  {
    ...of(connectionSecrets, 's', ['version', 'ciphertext']),
    tokens: as(optional(text()), 't.ciphertext'),
  },
  `from connection_secrets s
   left join connection_tokens t on t.organization_id = s.organization_id
     and t.connection_id = s.connection_id and t.version = s.version
   where s.organization_id = :org and s.connection_id = :connectionId and s.retired_at is null`
)

/**
 * Reads the credentials at the start of a change, with the current refresh token.
 * @returns null credentials if the connection has none, or they cannot be decrypted
 */
export async function credentialsBefore(
  scope: Scope,
  box: SecretBox,
  connectionId: string
): Promise<Required<CredentialsBefore> & { credentials: Credentials | null }> {
  const [row] = await scope.rows(BEFORE, { connectionId })
  const { version = null, tokens = null } = row ?? {}
  const credentials = openedOrNull(() => openSealed(scope, box, connectionId, row).credentials)
  if (!credentials?.refreshToken || version === null || tokens === null) {
    return { version, tokens, credentials }
  }
  const owner = tokensOwner(scope.organization.id, connectionId, version)
  const { refreshToken = credentials.refreshToken } = box.open<TokenPair>(owner, tokens) ?? {}
  return { version, tokens, credentials: { ...credentials, refreshToken } }
}

/** Overrides credentials by the given ones of the same name; null removes one. */
export function mergedCredentials(before: Credentials | null, input: Credentials): Credentials {
  const merged = Object.entries({ ...before, ...input })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}

/** @throws invalid_input if nothing would change */
export function requireOthers(before: Credentials | null, credentials: Credentials): void {
  if (!isDeepStrictEqual(before, credentials)) return
  throw refuse('invalid_input', {
    detail: 'The connection already has these credentials. Give new ones.',
  })
}

/** @throws conflict if a connection has other credentials by now, or none any more */
export async function requireUnchanged(
  scope: Scope,
  box: SecretBox,
  connectionId: string,
  before: CredentialsBefore
): Promise<void> {
  const now = await credentialsBefore(scope, box, connectionId)
  const { version, tokens = now.tokens } = before
  if (now.version === version && now.tokens === tokens) return
  throw refuse('conflict', {
    detail: 'The credentials have changed in the meantime. Nothing was stored: start again.',
  })
}

function openedOrNull(open: () => Credentials): Credentials | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof Problem && /^credentials_/.test(error.code)) return null
    throw error
  }
}
