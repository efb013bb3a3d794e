import type { PluginContext } from '#plugin-kit/context'
import type { Lifecycle } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'

async function check({ secret, connection, signal }: PluginContext) {
  const token = String(secret('token'))
  if (token.startsWith('bad')) {
    throw new ProviderError('unauthorized', 'The token is not known', { outcome: 'notApplied' })
  }
  if (token.startsWith('down')) {
    throw new ProviderError('unavailable', 'The provider is away', { outcome: 'notApplied' })
  }
  if (token.startsWith('hang')) {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  return {
    account: `account in ${connection.region ?? 'nowhere'}`,
    missingPermissions: token.startsWith('read') ? ['write'] : [],
  }
}

const lifecycle: Lifecycle = { check }
export default lifecycle
