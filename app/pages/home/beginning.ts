import { addresses, addressOf } from '../addresses.js'
import type { Reader } from '../frame/page.js'

/** Returns the steps that a reader can take to a first app. */
export function beginningOf(reader: Reader, baseUrl: string) {
  if (!reader.may('createAppFromConfiguration')) {
    return {
      text: 'People who may change the settings of apps can create the first one.',
      ways: [],
    }
  }
  const orgId = reader.principal.organization.id
  const providers = {
    id: 'providers',
    title: '1. Connect your providers',
    about:
      'Code, CI, stores, chat and tickets: what is connected works automatically. To try things out, connect simulated ones: nothing is sent.',
    lines: null,
    link: { href: addressOf(addresses.catalogue, { orgId }), text: 'Connect a provider' },
  }
  return {
    text: 'An app has a platform, steps, and the providers that it uses.',
    ways: [
      ...(reader.may('listConnections') ? [providers] : []),
      {
        id: 'app',
        title: `${reader.may('listConnections') ? '2. ' : ''}Create the app`,
        about:
          'From a few fields, or from a configuration file. Then rehearse it, or plan its first release.',
        lines: null,
        link: { href: addressOf(addresses.newApp, { orgId }), text: 'New app' },
      },
      {
        id: 'own',
        title: 'Or send its file',
        about: 'From anywhere, with an API key. docs/examples has files to begin with.',
        lines: [
          `curl -H "X-API-Key: $KEY" -H 'Content-Type: application/yaml' \\`,
          `  --data-binary @app.yml ${baseUrl}/org/${orgId}/app/config`,
        ].join('\n'),
        link: reader.may('createApiKey')
          ? { href: addressOf(addresses.newKey, { orgId }), text: 'Create a key' }
          : null,
      },
    ],
  }
}
