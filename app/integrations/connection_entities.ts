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
  words,
} from '#foundation/core/schemas'
import { CAPABILITY_KINDS } from '#plugin-kit/kinds'
import { AUTH_SCHEMES, PLUGIN_PLATFORMS } from '#plugin-kit/manifest'
import { PROVIDER_ERROR_CODES } from '#plugin-kit/provider_error'
import { FAILURE_CODES } from './queries/connection_failures.js'
import { CONNECTION_STATUSES } from './vocabulary.js'

const MOST = 1000

const schema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** The ways to make a connection of a plugin. */
const CONNECTING_WAYS = ['browser', 'credentials'] as const

const pluginMembers = {
  id: id('Id of the plugin.'),
  name: nonEmpty('Name of the provider.', 200),
  version: nonEmpty('Version of the plugin.', 50),
  kinds: list('What it is of use for.', words(CAPABILITY_KINDS), CAPABILITY_KINDS.length),
  ways: list(
    'How it is connected; none where that takes nothing.',
    words(CONNECTING_WAYS),
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
  'A provider that can be connected, with what connecting takes.',
  {
    ...pluginMembers,
    docsUrl: url('Where the provider describes its interface.'),
    schemes: list(
      'The ways to authenticate, of which the first with complete credentials is used.',
      words(AUTH_SCHEMES),
      AUTH_SCHEMES.length
    ),
    credentialSchema: schema('JSON Schema of the credentials.'),
    connectionSchema: schema('JSON Schema of the settings.'),
    capabilities: list(
      'What apps may use of it.',
      object('What an app may use.', {
        kind: words(CAPABILITY_KINDS, 'What it is of use for.'),
        type: nonEmpty('Type of the integration, as files name it.', 100),
        platforms: nullable(
          list('The platforms of apps that it is for; null for all.', words(PLUGIN_PLATFORMS), 3)
        ),
        dataSchema: nullable(schema('JSON Schema of its `data`; null for the fields of its kind.')),
      }),
      CAPABILITY_KINDS.length
    ),
    browser: nullable(
      object('How it is connected in a browser; null if it is not.', {
        redirectUri: url('Where the provider leads the browser back to.'),
        preparation: nullable(
          object('What a person does at the provider before; null for nothing.', {
            text: nonEmpty('What to do.', 1000),
            url: url('Where to do it.'),
            gives: list(
              'Names of the credentials that it gives.',
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
  alias: nullable(nonEmpty('What files may call it; null without one.', 100)),
  plugin: object('The plugin that it is made with.', {
    id: id('Id of the plugin.'),
    name: nonEmpty('Name of the provider; the id while the plugin does not run.', 200),
    isRunning: flag('Whether the plugin runs.'),
    takesWebhooks: flag('Whether it hears of changes from the provider.'),
  }),
  types: list('The integration types it offers.', nonEmpty('A type.', 100), 100),
  status: words(
    CONNECTION_STATUSES,
    'Whether the credentials worked when they were last tried, were not tried, were refused, or are gone.'
  ),
  account: nullable(
    text('The account, as the provider named it last; null while it has not.', 200)
  ),
  missingPermissions: list(
    'What the last check found missing, as the provider names it.',
    text('A permission.', 500),
    MOST
  ),
  checkFailure: nullable(
    object('Why the last check failed; null if it did not.', {
      code: words(PROVIDER_ERROR_CODES, 'What it failed with.'),
      message: text('In the words of the provider, or of its plugin.', 500),
    })
  ),
  failure: nullable(
    object('Why it cannot be worked with now; null as far as is known it can.', {
      code: words(FAILURE_CODES, 'What kind of failure it is, as integrations report it.'),
      message: nonEmpty('What is wrong, and who can mend it.', 1000),
      since: nullable(instant('When it was seen; null if nobody wrote it down.')),
    })
  ),
  settings: schema('Its settings; none of them is a secret.'),
  checkedAt: nullable(instant('When it was checked last; null while it was not.')),
  endsAt: nullable(instant('When its credentials end; null if the provider does not say.')),
  ending: nullable(text('That they end within 30 days, or have; null else.', 1000)),
  uses: list(
    'The integrations of apps that use it.',
    object('A use.', {
      integrationId: id('Id of the integration.'),
      appId: id('Id of the app.'),
      alias: nonEmpty('Name that the app gave it.', 100),
      type: nonEmpty('Its type.', 100),
    }),
    100_000
  ),
  createdAt: instant('When it was made.'),
  updatedAt: instant('When its credentials or settings last changed.'),
}

export const ConnectionEntity = entity(
  'ConnectionEntity',
  'An account at a provider that the organization is connected to.',
  connectionMembers
)
export type ConnectionEntity = Static<typeof ConnectionEntity>

export const ConnectionDetails = entity('ConnectionDetails', 'A connection with all about it.', {
  ...connectionMembers,
  credentials: object('What is known of its credentials: never a value.', {
    names: list('Which are set.', nonEmpty('Name of a credential.', 100), 100),
    version: nullable(count('How often they were given; null while it has none.')),
    fingerprint: nullable(text('Identifies them; null while it has none.', 64)),
  }),
  callback: nullable(
    object('Where the provider sends what changed; null if it does not.', {
      url: nullable(url('The address; null while the service has no public one.')),
      path: nonEmpty('The path of the address.', 200),
      hasSecret: flag('Whether a secret was made for it.'),
      madeAt: nullable(
        instant('When the plugin last made or found its webhooks; null while it has not.')
      ),
      receivedAt: nullable(instant('When something came last; null while nothing has.')),
    })
  ),
  budget: nullable(
    object('Calls that are left; null while the plugin does not run.', {
      left: count('How many are left.'),
      of: count('How many there are.'),
      perSeconds: count('In how many seconds.'),
    })
  ),
  closedHosts: list(
    'Hosts that are not called for a while, as they failed.',
    object('A host.', {
      host: nonEmpty('Its name.', 300),
      since: instant('Since when.'),
    }),
    MOST
  ),
})
export type ConnectionDetails = Static<typeof ConnectionDetails>

export const CheckedConnection = entity('CheckedConnection', 'A connection, just tried.', {
  ...connectionMembers,
  isWorking: flag('Whether the provider took the credentials, and nothing is missing.'),
})
export type CheckedConnection = Static<typeof CheckedConnection>

export const DisconnectedConnection = entity(
  'DisconnectedConnection',
  'A connection that was ended.',
  {
    id: id('Id of the connection.'),
    removed: flag('Whether it is gone; one that apps use stays, without credentials.'),
  }
)
export type DisconnectedConnection = Static<typeof DisconnectedConnection>

export const BegunAuthorization = entity(
  'BegunAuthorization',
  'A connection that is being made in a browser.',
  {
    name: nonEmpty('Name of the provider.', 200),
    url: url('Where the browser goes.'),
    form: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Fields that it posts there; null if it opens the address.',
      })
    ),
    redirectUri: url('Where the provider leads it back to.'),
    expiresAt: instant('Until when.'),
  }
)
export type BegunAuthorization = Static<typeof BegunAuthorization>

export const CompletedAuthorization = entity(
  'CompletedAuthorization',
  'What became of a connection that is made in a browser.',
  {
    connection: nullable(described('The connection; null if a step follows.', ConnectionEntity)),
    next: nullable(
      described('The step that follows; null once it is connected.', BegunAuthorization)
    ),
  }
)
export type CompletedAuthorization = Static<typeof CompletedAuthorization>

export const CallbackSecret = entity('CallbackSecret', 'A secret that a provider signs with.', {
  url: nullable(url('The address; null while the service has no public one.')),
  secret: nonEmpty('The secret, shown this once; the one before is good for a day.', 200),
})
export type CallbackSecret = Static<typeof CallbackSecret>

export const ProviderChannels = object('Channels of a chat.', {
  channels: list(
    'Those whose name holds what is searched for.',
    object('A channel.', {
      id: nonEmpty('Its id, as configuration files name it.', 300),
      name: text('What people call it.', 1000),
    }),
    200
  ),
  hasMore: flag('Whether there are more: a part of the name narrows them.'),
})
export type ProviderChannels = Static<typeof ProviderChannels>

export const ProviderCallEntity = entity('ProviderCallEntity', 'A call to a provider.', {
  calledAt: instant('When it was called.'),
  method: nonEmpty('Its method.', 20),
  host: nonEmpty('The host.', 300),
  path: text('The path, without what names somebody.', 2000),
  status: nullable(count('Status of the answer; null without one.')),
  milliseconds: count('How long it took.'),
  attempt: count('Which attempt it was, from 1.'),
  code: nullable(words(PROVIDER_ERROR_CODES, 'What it failed with; null if it did not.')),
})
export type ProviderCallEntity = Static<typeof ProviderCallEntity>
