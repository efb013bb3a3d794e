import type { CapabilityKind } from '#plugin-kit/kinds'
import { SPI_VERSION, type CapabilityDeclaration } from '#plugin-kit/manifest'
import { definePlugin, type Plugin } from '#plugin-kit/plugin'

/**
 * Defines a built-in plugin whose data is sent to the service. It makes no calls, so it has neither
 * hosts nor credentials nor code; modules read the data from the service's own tables.
 */
export function inboundPlugin(
  id: string,
  name: string,
  capabilities: Partial<Record<CapabilityKind, CapabilityDeclaration>>
): Plugin {
  const nothing = { type: 'object' as const, properties: {} }
  return definePlugin({
    manifest: {
      id,
      aliases: [],
      name,
      version: '1.0.0',
      spi: SPI_VERSION,
      docsUrl: 'https://tarmac.example/docs/guide',
      hosts: { allow: [], selfHosted: false },
      auth: [{ scheme: 'none' }],
      credentialSchema: nothing,
      connectionSchema: nothing,
      rate: { requests: 1, perSeconds: 1, concurrency: 1, scope: 'host' },
      capabilities,
    },
    lifecycle: () => import('./lifecycle.js'),
    capabilities: {},
  })
}
