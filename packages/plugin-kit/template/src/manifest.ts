import { SPI_VERSION, type PluginManifest } from '#plugin-kit/index'

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'acme',
  aliases: [],
  name: 'Acme',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://acme.example/docs',
  // An operator may name one more host, as the setting `host`.
  hosts: { allow: ['api.acme.example'], selfHosted: true },
  auth: [{ scheme: 'header', header: 'authorization', prefix: 'Bearer ' }],
  credentialSchema: {
    type: 'object',
    required: ['token'],
    properties: {
      token: { 'type': 'string', 'title': 'Token', 'minLength': 8, 'x-secret': true },
    },
  },
  connectionSchema: {
    type: 'object',
    properties: { host: { type: 'string', title: 'Host of your own server' } },
  },
  rate: { requests: 60, perSeconds: 60, concurrency: 4, scope: 'credential' },
  capabilities: {
    // #region chat
    chat: {
      type: 'acme-chat',
      features: ['update'],
      dataSchema: {
        type: 'object',
        required: ['primaryChannelIds'],
        properties: {
          primaryChannelIds: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 100 },
            minItems: 1,
            maxItems: 20,
          },
        },
      },
    },
    // #endregion
  },
}
