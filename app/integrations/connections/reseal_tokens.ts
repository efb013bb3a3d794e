import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { connectionTokens } from '../tables.js'
import { tokensOwner } from './tokens_owner.js'

const STORED = select(
  of(connectionTokens, 't', ['ciphertext']),
  `from connection_tokens t where t.organization_id = :org
   and t.connection_id = :connectionId and t.version = :version`
)

/**
 * Encrypts the tokens of a connection with the current key. Unreadable tokens are skipped: they are
 * renewed, or a person has to agree again.
 */
export async function resealTokens(
  scope: Scope,
  secrets: SecretBox,
  connectionId: string,
  version: number
): Promise<void> {
  const [row] = await scope.rows(STORED, { connectionId, version })
  if (!row?.ciphertext) return
  const owner = tokensOwner(scope.organization.id, connectionId, version)
  const tokens = secrets.open(owner, row.ciphertext)
  if (!tokens) return
  const ciphertext = secrets.seal(owner, tokens)
  await scope.update(connectionTokens, { connectionId, version }, { ciphertext })
}
