import type { Clock } from '#foundation/core/clock'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { SecretBox } from '#foundation/core/secret_box'
import { RecordCheck } from '../actions/record_check.js'
import { providersPrincipal } from '../providers_principal.js'
import type { CheckResult, OpenConnection } from '../plugins/plugin_caller.js'
import type { Pause } from '#provider-port/clock'
import { textOf } from '#plugin-kit/authentication/strategies'
import { StoredPairs } from './token_pairs.js'

const REFUSED: CheckResult = {
  ok: false,
  code: 'unauthorized',
  message: 'The refresh token was refused',
}

/** Provides the tokens of stored connections; a permanent refusal is recorded as their status. */
export function pairsOf(parts: {
  unitOfWork: UnitOfWork
  secrets: SecretBox
  clock: Clock
  pause: Pause
}) {
  return ({
    organization,
    stored: { id, version },
    credentials,
  }: OpenConnection & { stored: { id: string; version: number } }) => {
    const principal = providersPrincipal(organization)
    return new StoredPairs({
      ...parts,
      principal,
      connectionId: id,
      version,
      refreshToken: textOf(credentials, 'refreshToken'),
      refused: async () => {
        await parts.unitOfWork.inTransaction(principal, (scope) =>
          new RecordCheck(scope).handle(id, version, REFUSED)
        )
      },
    })
  }
}
