import { SPI_VERSION, type ObjectSchema, type PluginManifest } from '@tarmac/plugin-kit'

const data: ObjectSchema = {
  type: 'object',
  required: ['bundleId'],
  properties: {
    'bundleId': {
      type: 'string',
      minLength: 1,
      maxLength: 155,
      pattern: '^[A-Za-z0-9.-]+$',
      title: 'Bundle ID of the app',
    },
    'x-apple-id': {
      type: 'string',
      pattern: '^[0-9]{1,20}$',
      title: 'Apple ID of the app, a number: saves one request in each poll',
    },
  },
}

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'app-store-connect',
  aliases: ['apple', 'testflight'],
  name: 'App Store Connect',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://developer.apple.com/documentation/appstoreconnectapi',
  hosts: {
    allow: ['api.appstoreconnect.apple.com'],
    // Attachments for reviewers are uploaded to these hosts, at addresses that Apple signs.
    uploads: ['*.blobstore.apple.com', '*.object-storage.apple.com'],
    selfHosted: false,
  },
  // Apple refuses tokens that live longer than 20 minutes; less leaves room for clock differences.
  auth: [{ scheme: 'jwt', alg: 'ES256', audience: 'appstoreconnect-v1', lifetimeSeconds: 12 * 60 }],
  credentialSchema: {
    type: 'object',
    required: ['keyId', 'privateKey'],
    properties: {
      issuerId: {
        type: 'string',
        pattern: '^[0-9a-fA-F-]{36}$',
        title: 'Issuer ID',
        description:
          'Users and Access, Integrations, above the list of keys. Empty for the key of a person.',
      },
      keyId: {
        type: 'string',
        pattern: '^[0-9A-Za-z]{4,40}$',
        title: 'Key ID',
        description: 'Letters and digits, beside the key in the list.',
      },
      privateKey: {
        'type': 'string',
        'minLength': 100,
        'maxLength': 2000,
        'title': 'Private key',
        'description': 'The .p8 file. It is stored encrypted and never shown.',
        'x-secret': true,
        'writeOnly': true,
      },
    },
  },
  connectionSchema: { type: 'object', properties: {} },
  // Apple counts per key over the last hour, and reports the remaining calls. It documents no
  // shorter limit, but teams report one on concurrent calls.
  rate: {
    requests: 3500,
    perSeconds: 3600,
    concurrency: 3,
    scope: 'credential',
    bursts: { requests: 200, perSeconds: 60 },
    pauses: [{ says: 'rate_limit_exceeded', seconds: 120 }],
  },
  capabilities: {
    appStore: {
      type: 'apple',
      platforms: ['ios'],
      features: ['release', 'replyToReview', 'listReviewFiles', 'addReviewFile'],
      dataSchema: data,
    },
    betaTesting: { type: 'apple-beta', platforms: ['ios'], features: [], dataSchema: data },
  },
  webhooks: {
    verify: 'hmac',
    events: [
      'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED',
      'BUILD_UPLOAD_STATE_UPDATED',
      'BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED',
    ],
  },
}
