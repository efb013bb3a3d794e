import { addresses, addressOf } from '../addresses.js'
import type { Reader } from '../frame/page.js'

/** Returns the ways to a first app that a reader has, each with lines to copy. */
export function beginningOf(reader: Reader, baseUrl: string) {
  if (!reader.may('createAppFromConfiguration')) {
    return { text: 'Whoever may change the settings of apps makes the first one.', ways: [] }
  }
  const orgId = reader.principal.organization.id
  const providers = reader.may('listConnections')
    ? addressOf(addresses.connections, { orgId })
    : null
  const keys = reader.may('createApiKey') ? addressOf(addresses.newKey, { orgId }) : null
  return {
    text: 'An app is a file that names its platform, its steps and the providers it uses.',
    ways: [
      {
        id: 'simulated',
        title: 'Try one with simulated providers',
        about:
          'In the folder of Tarmac. Builds, reviews and users are made up; nothing is sent. docs/tutorial/first-release.md goes on from there.',
        lines: [
          `npm run -s ace -- sim:start --org ${orgId} --alias Rehearsal`,
          `npm run -s ace -- app:import --org ${orgId} docs/examples/simulated_ios.yml`,
        ].join('\n'),
        link: null,
      },
      ...(providers === null
        ? []
        : [
            {
              id: 'providers',
              title: 'Connect your providers',
              about:
                'Code, CI, stores, chat and tickets: what is connected does its part by itself.',
              lines: null,
              link: { href: providers, text: 'See the providers' },
            },
          ]),
      {
        id: 'own',
        title: 'Make your own',
        about: 'From anywhere, with an API key. docs/examples has files to begin with.',
        lines: [
          `curl -H "X-API-Key: $KEY" -H 'Content-Type: application/yaml' \\`,
          `  --data-binary @app.yml ${baseUrl}/org/${orgId}/app/config`,
        ].join('\n'),
        link: keys === null ? null : { href: keys, text: 'Make a key' },
      },
    ],
  }
}
