import { later, type Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { clock } from '#foundation/core/services'
import { integrationCalls } from '#integrations/tables'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import type { World } from '#tests/support/world'

let calls = 0

/**
 * Records a call of a provider, later than all calls recorded before.
 * @param code the error of the call; null for a success
 */
export async function recordCall(
  world: World,
  connectionId: string,
  code: ProviderErrorCode | null
): Promise<Instant> {
  const calledAt = later(clock.now(), ++calls)
  await world.write((scope) =>
    scope.insert(integrationCalls, [
      {
        id: newId('call'),
        connectionId,
        pluginId: connectionId.split(':', 1)[0],
        calledAt,
        method: 'GET',
        host: 'api.acme.example',
        path: '/me',
        status: null,
        milliseconds: 1,
        attempt: 1,
        remaining: null,
        outcome: 'unknown',
        code,
      },
    ])
  )
  return calledAt
}
