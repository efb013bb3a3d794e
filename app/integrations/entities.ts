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
  words,
} from '#foundation/core/schemas'
import { KINDS } from '#plugin-kit/kinds'
import { plugins } from './plugins/plugin_registry.js'
import { FAILURE_CODES } from './queries/connection_failures.js'

/**
 * `IntegrationType`: plugins add to it, so its values are read only when a document is generated.
 */
const IntegrationType = deferred<string>(() =>
  words(
    enumeration(
      'IntegrationType',
      [...plugins.types().keys()],
      'What an app uses of a provider, as a configuration file names it.'
    )
  )
)

/** The immediate answer of a plugin to its provider. */
export const CallbackAnswer = Type.Record(Type.String(), Type.Unknown(), {
  description: 'As the provider wants it: the answer to a challenge, for example.',
})

/** `CIIntegrationId`, with the CI systems that plugins add. */
export const CIIntegrationId = deferred<string>(() =>
  words(
    enumeration(
      'CIIntegrationId',
      [...plugins.types()].flatMap(([type, { kind }]) => (kind === 'ci' ? [type] : [])),
      'The CI system a build comes from; `generic-ci` is one of your own.'
    )
  )
)

/** An integration of an app: what it uses of a connection. */
const members = {
  id: id('Id of the installation, as `integrationInstallationId` names it elsewhere.'),
  alias: nullable(nonEmpty('Name the app gave it; null without one.', 100)),
  type: described('What the app uses of the provider.', IntegrationType),
  kind: words(KINDS, 'What it is used for.'),
  provider: object('The connection of the organization that it uses.', {
    id: id('Id of the provider.'),
    alias: nullable(nonEmpty('Name of the provider; null without one.', 100)),
  }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Its settings, by its kind; secrets are never shown.',
    maxProperties: 50,
  }),
  status: words(
    ['connected', 'authError', 'disconnected'],
    'Whether the connection works, is refused by the service, or was cut.'
  ),
  lastSyncedAt: nullable(
    instant(
      'When its provider last answered, or sent what is taken from it, in UTC and at most a minute behind; null before the first time.'
    )
  ),
  failure: nullable(
    object('Why its provider cannot be worked with now; null as far as is known it can.', {
      code: words(
        FAILURE_CODES,
        '`noAnswer`: it did not answer when it was last asked. `refused`: it refuses the credentials. `noCredentials`: the connection was ended. `forbidden`: it refuses something that is read of it, or the service may not call it. `limited`: it was asked too often. `unreadable`: what is read of it cannot be used.'
      ),
      message: nonEmpty('What is wrong, and who can mend it, for people.', 1000),
      since: nullable(instant('When it was seen, in UTC; null if nobody wrote it down.')),
    })
  ),
  createdAt: instant('When it was added to the app, in UTC.'),
}

export const IntegrationEntity = entity(
  'IntegrationEntity',
  'The use of a connected service by one app.',
  members
)

/** An integration whose connection has new credentials. */
export const UpdatedIntegrationEntity = entity(
  'UpdatedIntegrationEntity',
  'The use of a store by one app, with what identifies its new key.',
  {
    ...members,
    updatedAt: instant('When the credentials came, in UTC.'),
    keyHint: nonEmpty('The last characters of the id of the key.', 20),
  }
)
