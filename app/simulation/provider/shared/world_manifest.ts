import { SPI_VERSION, type PluginManifest } from '#plugin-kit/manifest'

/** The host name of simulated worlds. Calls are answered in this process, without the network. */
export const WORLD_HOST = 'world.tarmac.example'

/** Creates the manifest of a plugin for simulated worlds from what differs between them. */
export const worldManifest = (
  own: Pick<PluginManifest, 'id' | 'aliases' | 'name' | 'capabilities'> &
    Partial<Pick<PluginManifest, 'connectionSchema'>>
): PluginManifest => ({
  version: '1.0.0',
  spi: SPI_VERSION,
  docsUrl: 'https://tarmac.example/docs/simulation',
  hosts: { allow: [WORLD_HOST], selfHosted: false },
  auth: [{ scheme: 'header', header: 'Authorization', prefix: 'Bearer ' }],
  credentialSchema: {
    type: 'object',
    required: ['token'],
    properties: { token: { 'type': 'string', 'minLength': 8, 'maxLength': 200, 'x-secret': true } },
  },
  connectionSchema: { type: 'object', properties: {} },
  rate: { requests: 600, perSeconds: 60, concurrency: 8, scope: 'connection' },
  ...own,
})
