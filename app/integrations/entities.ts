import { Type } from '@sinclair/typebox'
import { entity, id, instant, nonEmpty, nullable, object, words } from '#foundation/core/schemas'
import { INTEGRATION_KINDS, INTEGRATION_TYPE_NAMES } from './vocabulary.js'

/** An integration of an app; none is listed until providers are connected. */
export const IntegrationEntity = entity(
  'IntegrationEntity',
  'The use of a connected service by one app.',
  {
    id: id('Id of the installation, as `integrationInstallationId` names it elsewhere.'),
    alias: nullable(nonEmpty('Name the app gave it; null without one.', 100)),
    type: words(
      INTEGRATION_TYPE_NAMES,
      'Type of the integration: `github-vcs`, `jira`, `apple` and so on.'
    ),
    kind: words(
      INTEGRATION_KINDS,
      'What it is used for: `versionControl`, `ci`, `appStore` and so on.'
    ),
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
    lastSyncedAt: nullable(instant('When it was last read, in UTC; null before the first time.')),
    createdAt: instant('When it was added to the app, in UTC.'),
  }
)
