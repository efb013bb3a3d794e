import { Type } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'
import { INTEGRATION_KINDS, INTEGRATION_TYPE_NAMES } from './vocabulary.js'

/** An integration of an app; none is listed until providers are connected. */
export const IntegrationEntity = named(
  'IntegrationEntity',
  Type.Object({
    id: Type.String(),
    alias: nullable(Type.String()),
    type: words(INTEGRATION_TYPE_NAMES),
    kind: words(INTEGRATION_KINDS),
    provider: Type.Object({ id: Type.String(), alias: nullable(Type.String()) }),
    data: Type.Record(Type.String(), Type.Unknown()),
    status: words(['connected', 'authError', 'disconnected']),
    lastSyncedAt: nullable(instant()),
    createdAt: instant(),
  })
)
