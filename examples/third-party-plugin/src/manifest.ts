import { SPI_VERSION, type PluginManifest } from '@tarmac/plugin-kit'

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'parcel',
  aliases: [],
  name: 'Parcel',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://parcel.example/docs',
  // An operator may name one more host, as the setting `host`.
  hosts: { allow: ['api.parcel.example'], selfHosted: true },
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
    chat: {
      type: 'parcel-chat',
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
  },
}
