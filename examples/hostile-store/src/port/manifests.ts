import { SPI_VERSION, type PluginManifest, type PluginPlatform } from '@tarmac/plugin-kit'

function manifestOf(vendor: 'apple' | 'google', platform: PluginPlatform): PluginManifest {
  return {
    id: `hostile-${vendor}`,
    aliases: [],
    name: vendor === 'apple' ? 'Hostile App Store' : 'Hostile Google Play',
    version: '0.1.0',
    spi: SPI_VERSION,
    docsUrl: 'https://hostile.example/docs',
    hosts: { allow: ['hostile.example'], selfHosted: false },
    auth: [{ scheme: 'header', header: 'authorization', prefix: 'Bearer ' }],
    credentialSchema: {
      type: 'object',
      required: ['token'],
      properties: { token: { 'type': 'string', 'title': 'Token', 'x-secret': true } },
    },
    connectionSchema: {
      type: 'object',
      required: ['world'],
      properties: { world: { type: 'string', title: 'Name of the world' } },
    },
    rate: { requests: 1000, perSeconds: 1, concurrency: 100, scope: 'connection' },
    capabilities: {
      appStore: {
        type: `hostile-${vendor}-store`,
        platforms: [platform],
        // Google Play has no call that publishes.
        features: vendor === 'apple' ? ['release'] : [],
        dataSchema: {
          type: 'object',
          required: ['bundleId'],
          properties: { bundleId: { type: 'string', minLength: 1, maxLength: 155 } },
        },
      },
    },
  }
}

export const apple = manifestOf('apple', 'ios')
export const google = manifestOf('google', 'android')
