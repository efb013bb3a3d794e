import { Type } from '@sinclair/typebox'
import { enumeration } from '#foundation/core/enumerations'
import {
  deferred,
  described,
  entity,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  enumOf,
} from '#foundation/core/schemas'
import { KINDS } from '#plugin-kit/kinds'
import { plugins } from './plugins/plugin_registry.js'
import { FAILURE_CODES } from './queries/connection_failures.js'

/**
 * `IntegrationType`: plugins add to it, so its values are read only when a document is generated.
 */
const IntegrationType = deferred<string>(() =>
  enumOf(
    enumeration(
      'IntegrationType',
      [...plugins.types().keys()],
      'Type of an integration, as configuration files name it.'
    )
  )
)

/** The immediate answer of a plugin to its provider. */
export const CallbackAnswer = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Answer in the format of the provider, for example to a challenge.',
})

/** `CIIntegrationId`, with the CI systems that plugins add. */
export const CIIntegrationId = deferred<string>(() =>
  enumOf(
    enumeration(
      'CIIntegrationId',
      [...plugins.types()].flatMap(([type, { kind }]) => (kind === 'ci' ? [type] : [])),
      'CI system that a build comes from; `generic-ci` is your own.'
    )
  )
)

/** An integration of an app: what it uses of a connection. */
const members = {
  id: id('Id of the integration; elsewhere called `integrationInstallationId`.'),
  alias: nullable(nonEmpty('Name of the integration in the app; null if none.', 100)),
  type: described('Type of the integration.', IntegrationType),
  kind: enumOf(KINDS, 'Purpose of the integration.'),
  provider: object('Connection of the organization that it uses.', {
    id: id('Id of the connection.'),
    alias: nullable(nonEmpty('Alias of the connection; null if none.', 100)),
  }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Settings for its kind; secrets are never shown.',
    maxProperties: 50,
  }),
  status: enumOf(
    ['connected', 'authError', 'disconnected'],
    'Whether the connection works, is refused by the provider, or was ended.'
  ),
  lastSyncedAt: nullable(
    instant(
      'When the provider last answered or sent accepted data, in UTC, with a lag of at most a minute; null if it never has.'
    )
  ),
  failure: nullable(
    object('Why the integration does not work now; null if no failure is known.', {
      code: enumOf(
        FAILURE_CODES,
        '`noAnswer`: the provider did not respond to the last call. `refused`: it refuses the credentials. `noCredentials`: the connection was ended. `forbidden`: it refuses a read, or the service may not call it. `limited`: it was called too often. `unreadable`: data read from it cannot be used.'
      ),
      message: nonEmpty('Human-readable: what is wrong and who can fix it.', 1000),
      since: nullable(instant('When it was seen, in UTC; null if not recorded.')),
    })
  ),
  createdAt: instant('When it was added, in UTC.'),
}

export const IntegrationEntity = entity(
  'IntegrationEntity',
  'The use of a connected provider by one app.',
  members
)

/** An integration whose connection has new credentials. */
export const UpdatedIntegrationEntity = entity(
  'UpdatedIntegrationEntity',
  'The use of a store by one app, with a hint of its new key.',
  {
    ...members,
    updatedAt: instant('When the credentials were replaced, in UTC.'),
    keyHint: nonEmpty('Last characters of the key id.', 20),
  }
)
