import { SPI_VERSION, type ObjectSchema, type PluginManifest } from '@tarmac/plugin-kit'

/** `com.acme.app`. */
const PACKAGE = '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$'

const packageData = (name: string): ObjectSchema => ({
  type: 'object',
  required: [name],
  properties: {
    [name]: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: PACKAGE,
      title: 'Package name of the app',
    },
  },
})

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'google-play',
  aliases: ['play-store'],
  name: 'Google Play',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://developers.google.com/android-publisher',
  hosts: {
    allow: ['androidpublisher.googleapis.com', 'playdeveloperreporting.googleapis.com'],
    selfHosted: false,
  },
  auth: [
    {
      scheme: 'googleServiceAccount',
      scopes: [
        'https://www.googleapis.com/auth/androidpublisher',
        'https://www.googleapis.com/auth/playdeveloperreporting',
      ],
    },
  ],
  credentialSchema: {
    type: 'object',
    required: ['serviceAccount'],
    properties: {
      serviceAccount: {
        'type': 'string',
        'minLength': 100,
        'maxLength': 20_000,
        'title': 'Key file of the service account',
        'description':
          'The .json file that Google Cloud makes. It is stored encrypted and never shown.',
        'x-secret': true,
        'writeOnly': true,
      },
    },
  },
  connectionSchema: { type: 'object', properties: {} },
  // Google counts queries per minute by project and kind of call. The reports accept ten a second.
  rate: {
    requests: 3000,
    perSeconds: 60,
    concurrency: 10,
    scope: 'credential',
  },
  capabilities: {
    appStore: {
      type: 'google',
      platforms: ['android'],
      features: ['replyToReview'],
      dataSchema: packageData('bundleId'),
    },
    betaTesting: {
      type: 'google-beta',
      platforms: ['android'],
      features: [],
      dataSchema: packageData('bundleId'),
    },
    crashMonitoring: {
      type: 'google-vitals',
      platforms: ['android'],
      features: [],
      dataSchema: packageData('projectId'),
    },
  },
}
