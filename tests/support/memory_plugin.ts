import type { Kind } from '#plugin-kit/kinds'
import { SPI_VERSION } from '#plugin-kit/manifest'
import { definePlugin, type Plugin } from '#plugin-kit/plugin'

/** One capability of a plugin in memory. */
interface Capability {
  type: string
  features?: readonly string[]
  /** The class that implements it. */
  does: new (...given: never[]) => object
}

/** Returns a plugin without credentials and calls over the network: the test holds its data. */
export function memoryPlugin(
  id: string,
  name: string,
  kinds: Readonly<Partial<Record<Kind, Capability>>>
): Plugin {
  const byKind = <Value>(value: (capability: Capability) => Value) =>
    Object.fromEntries(Object.entries(kinds).map(([kind, given]) => [kind, value(given)]))
  return definePlugin({
    manifest: {
      id,
      aliases: [],
      name,
      version: '1.0.0',
      spi: SPI_VERSION,
      docsUrl: 'https://memory.example/docs',
      hosts: { allow: [], selfHosted: false },
      auth: [{ scheme: 'none' }],
      credentialSchema: { type: 'object', properties: {} },
      connectionSchema: { type: 'object', properties: {} },
      rate: { requests: 1000, perSeconds: 1, concurrency: 10, scope: 'connection' },
      capabilities: byKind(({ type, features = [] }) => ({ type, features: [...features] })),
    },
    lifecycle: async () => ({
      default: { check: async () => ({ account: 'memory', missingPermissions: [] }) },
    }),
    capabilities: byKind(({ does }) => async () => ({ default: does as never })),
  })
}
