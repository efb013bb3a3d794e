import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'
import { CAPABILITY_KINDS } from '#plugin-kit/kinds'
import { AUTH_SCHEMES, PLUGIN_PLATFORMS } from '#plugin-kit/manifest'
import { PROVIDER_ERROR_CODES } from '#plugin-kit/provider_error'
import { FAILURE_CODES } from './queries/connection_failures.js'
import { CONNECTION_STATUSES } from './vocabulary.js'

const MAX_ENTRIES = 1000

const schema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** The ways to make a connection of a plugin. */
const CONNECTING_WAYS = ['browser', 'credentials'] as const

const pluginMembers = {
  id: id('Id of the plugin.'),
  name: nonEmpty('Name of the provider.', 200),
  version: nonEmpty('Version of the plugin.', 50),
  kinds: list('Kinds of its capabilities.', enumOf(CAPABILITY_KINDS), CAPABILITY_KINDS.length),
  ways: list(
    'Ways to connect it; empty if it needs nothing.',
    enumOf(CONNECTING_WAYS),
    CONNECTING_WAYS.length
  ),
}

export const ProviderPluginEntity = entity(
  'ProviderPluginEntity',
  'A provider that can be connected.',
  pluginMembers
)
export type ProviderPluginEntity = Static<typeof ProviderPluginEntity>

export const ProviderPluginDetails = entity(
  'ProviderPluginDetails',
  'A provider that can be connected, with all that this requires.',
  {
    ...pluginMembers,
    docsUrl: url("URL of the provider's API documentation."),
    schemes: list(
      'Authentication schemes; the first with complete credentials is used.',
      enumOf(AUTH_SCHEMES),
      AUTH_SCHEMES.length
    ),
    credentialSchema: schema('JSON Schema of the credentials.'),
    connectionSchema: schema('JSON Schema of the settings.'),
    capabilities: list(
      'Capabilities that apps may use.',
      object('A capability.', {
        kind: enumOf(CAPABILITY_KINDS, 'Kind of the capability.'),
        type: nonEmpty('Type of the integration, as files name it.', 100),
        platforms: nullable(
          list('App platforms that it supports; null for all.', enumOf(PLUGIN_PLATFORMS), 3)
        ),
        dataSchema: nullable(schema('JSON Schema of its `data`; null for the fields of its kind.')),
      }),
      CAPABILITY_KINDS.length
    ),
    browser: nullable(
      object('How to connect it in a browser; null if not possible.', {
        redirectUri: url('Address to which the provider returns the browser.'),
        preparation: nullable(
          object('Preparation at the provider; null if none is needed.', {
            text: nonEmpty('What to do.', 1000),
            url: url('Where to do it.'),
            gives: list(
              'Names of the credentials obtained by it.',
              nonEmpty('Name of a credential.', 100),
              100
            ),
          })
        ),
      })
    ),
  }
)
export type ProviderPluginDetails = Static<typeof ProviderPluginDetails>

const connectionMembers = {
  id: id('Id of the connection.'),
  alias: nullable(nonEmpty('Name for configuration files; null if none.', 100)),
  plugin: object('Plugin of the connection.', {
    id: id('Id of the plugin.'),
    name: nonEmpty('Name of the provider; the id while the plugin does not run.', 200),
    isRunning: flag('Whether the plugin runs.'),
    takesWebhooks: flag('Whether its provider sends webhooks, which a secret made here signs.'),
  }),
  types: list('The integration types it offers.', nonEmpty('A type.', 100), 100),
  status: enumOf(
    CONNECTION_STATUSES,
    'Whether the credentials worked when last tried, were never tried, were refused, or are gone.'
  ),
  account: nullable(text('The account, as last named by the provider; null if never named.', 200)),
  missingPermissions: list(
    'Missing permissions at the last check, as the provider names them.',
    text('A permission.', 500),
    MAX_ENTRIES
  ),
  checkFailure: nullable(
    object('Why the last check failed; null if it did not.', {
      code: enumOf(PROVIDER_ERROR_CODES, 'Error code.'),
      message: text('Message of the provider or its plugin.', 500),
    })
  ),
  failure: nullable(
    object('Why it does not work now; null if no failure is known.', {
      code: enumOf(FAILURE_CODES, 'Kind of failure, as integrations report it.'),
      message: nonEmpty('What is wrong and who can fix it.', 1000),
      since: nullable(instant('When it was seen; null if not recorded.')),
    })
  ),
  settings: schema('Settings, none of which is a secret.'),
  checkedAt: nullable(instant('When it was last checked; null if it never was.')),
  endsAt: nullable(instant('When its credentials expire; null if not reported by the provider.')),
  ending: nullable(
    text('Warning if they expire within 30 days or have expired; null otherwise.', 1000)
  ),
  uses: list(
    'The integrations of apps that use it.',
    object('A use.', {
      integrationId: id('Id of the integration.'),
      appId: id('Id of the app.'),
      alias: nonEmpty('Name of the integration in the app.', 100),
      type: nonEmpty('Type of the integration.', 100),
    }),
    100_000
  ),
  createdAt: instant('When it was created.'),
  updatedAt: instant('When its credentials or settings last changed.'),
}

export const ConnectionEntity = entity(
  'ConnectionEntity',
  'An account at a provider that the organization is connected to.',
  connectionMembers
)
export type ConnectionEntity = Static<typeof ConnectionEntity>

export const ConnectionDetails = entity('ConnectionDetails', 'A connection with all details.', {
  ...connectionMembers,
  credentials: object('Facts about its credentials, never their values.', {
    names: list('Names of those that are set.', nonEmpty('Name of a credential.', 100), 100),
    version: nullable(count('How often they were set; null if none.')),
    fingerprint: nullable(text('Fingerprint that identifies them; null if none.', 64)),
  }),
  callback: nullable(
    object('Webhook address of the connection; null if unsupported.', {
      url: nullable(url('The address; null if the service has no public one.')),
      path: nonEmpty('The path of the address.', 200),
      hasSecret: flag('Whether it has a secret.'),
      madeAt: nullable(
        instant('When the plugin last created or found its webhooks; null if it never did.')
      ),
      failure: nullable(
        text('Why the plugin failed to create a webhook; null if it did not fail.', 500)
      ),
      receivedAt: nullable(instant('When a webhook last arrived; null if none has.')),
    })
  ),
  budget: nullable(
    object('Remaining calls; null if the plugin does not run.', {
      left: count('Number of remaining calls.'),
      of: count('Number of calls in total.'),
      perSeconds: count('Length of the period in seconds.'),
    })
  ),
  closedHosts: list(
    'Hosts that are not called for a while because they failed.',
    object('A host.', {
      host: nonEmpty('Name of the host.', 300),
      since: instant('When the pause began.'),
    }),
    MAX_ENTRIES
  ),
})
export type ConnectionDetails = Static<typeof ConnectionDetails>

export const CheckedConnection = entity(
  'CheckedConnection',
  'A connection that was just checked.',
  {
    ...connectionMembers,
    isWorking: flag('Whether the provider accepted the credentials and nothing is missing.'),
  }
)
export type CheckedConnection = Static<typeof CheckedConnection>

export const DisconnectedConnection = entity(
  'DisconnectedConnection',
  'A connection that was ended.',
  {
    id: id('Id of the connection.'),
    removed: flag('Whether it was removed; one in use by apps stays, without credentials.'),
  }
)
export type DisconnectedConnection = Static<typeof DisconnectedConnection>

export const BegunAuthorization = entity(
  'BegunAuthorization',
  'A connection that is being made in a browser.',
  {
    name: nonEmpty('Name of the provider.', 200),
    url: url('Address for the browser to open.'),
    form: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Form fields to post there; null if it only opens the address.',
      })
    ),
    redirectUri: url('Address to which the provider returns it.'),
    expiresAt: instant('When the attempt expires.'),
  }
)
export type BegunAuthorization = Static<typeof BegunAuthorization>

export const CompletedAuthorization = entity(
  'CompletedAuthorization',
  'Result of connecting in a browser.',
  {
    connection: nullable(described('The connection; null if a step follows.', ConnectionEntity)),
    next: nullable(
      described('The step that follows; null once it is connected.', BegunAuthorization)
    ),
  }
)
export type CompletedAuthorization = Static<typeof CompletedAuthorization>

export const CallbackSecret = entity('CallbackSecret', 'A secret that a provider signs with.', {
  url: nullable(url('The address; null if the service has no public one.')),
  secret: nonEmpty('The secret, shown only once; the previous one is valid for another day.', 200),
})
export type CallbackSecret = Static<typeof CallbackSecret>

export const ProviderChannels = object('Channels of a chat.', {
  channels: list(
    'Channels whose name contains the search text.',
    object('A channel.', {
      id: nonEmpty('Id of the channel in configuration files.', 300),
      name: text('Name of the channel.', 1000),
    }),
    200
  ),
  hasMore: flag('Whether there are more; a search text narrows them down.'),
})
export type ProviderChannels = Static<typeof ProviderChannels>

export const ProviderCallEntity = entity('ProviderCallEntity', 'A call to a provider.', {
  calledAt: instant('Time of the call.'),
  method: nonEmpty('HTTP method.', 20),
  host: nonEmpty('Host that was called.', 300),
  path: text('The path, without personal data.', 2000),
  status: nullable(count('Status of the answer; null if there was none.')),
  milliseconds: count('Duration of the call.'),
  attempt: count('Number of the attempt, from 1.'),
  code: nullable(enumOf(PROVIDER_ERROR_CODES, 'Error code; null if it did not fail.')),
})
export type ProviderCallEntity = Static<typeof ProviderCallEntity>
