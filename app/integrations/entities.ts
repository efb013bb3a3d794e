import { Type } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'

/** An integration of an app; none is listed until providers are connected. */
export const IntegrationEntity = named(
  'IntegrationEntity',
  Type.Object({
    id: Type.String(),
    alias: nullable(Type.String()),
    type: Type.String(),
    kind: Type.String(),
    provider: Type.Object({ id: Type.String(), alias: nullable(Type.String()) }),
    data: Type.Record(Type.String(), Type.Unknown()),
    status: words(['connected', 'authError', 'disconnected']),
    lastSyncedAt: nullable(instant()),
    createdAt: instant(),
  })
)
