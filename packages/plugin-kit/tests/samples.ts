import type { PluginManifest } from '../manifest.js'
import type { Plugin } from '../plugin.js'

/** Returns a manifest with nothing wrong in it. */
export function sampleManifest(change: Partial<PluginManifest> = {}): PluginManifest {
  return {
    id: 'acme',
    aliases: ['acme-cloud'],
    name: 'Acme',
    version: '1.2.3',
    spi: 1,
    docsUrl: 'https://acme.example/docs',
    hosts: { allow: ['api.acme.example'], selfHosted: false },
    auth: [{ scheme: 'header', header: 'Authorization', prefix: 'Bearer ' }],
    credentialSchema: {
      type: 'object',
      required: ['token'],
      properties: { token: { 'type': 'string', 'minLength': 4, 'x-secret': true } },
    },
    connectionSchema: { type: 'object', properties: { region: { type: 'string' } } },
    rate: { requests: 10, perSeconds: 1, concurrency: 2, scope: 'credential' },
    capabilities: { chat: { type: 'acme-chat', features: ['update'] } },
    ...change,
  }
}

/** Returns a plugin with a manifest; its code is never imported. */
export function samplePlugin(manifest = sampleManifest()): Plugin {
  const never = () => Promise.reject(new Error('not imported here'))
  const loaders = Object.keys(manifest.capabilities).map((kind) => [kind, never])
  return { manifest, lifecycle: never, capabilities: Object.fromEntries(loaders) }
}
