import { Type } from '@sinclair/typebox'
import { enumeration } from '#foundation/core/enumerations'
import { deferred, instant, named, nullable, words } from '#foundation/core/schemas'
import { KINDS } from '#plugin-kit/kinds'
import { plugins } from './plugins/plugin_registry.js'

/** `IntegrationType`: plugins add to it, so it is written down when a document is made. */
const IntegrationType = deferred<string>(() =>
  words(enumeration('IntegrationType', [...plugins.types().keys()]))
)

/** An integration of an app: what it uses of a connection. */
export const IntegrationEntity = named(
  'IntegrationEntity',
  Type.Object({
    id: Type.String(),
    alias: nullable(Type.String()),
    type: IntegrationType,
    kind: words(KINDS),
    provider: Type.Object({ id: Type.String(), alias: nullable(Type.String()) }),
    data: Type.Record(Type.String(), Type.Unknown()),
    status: words(['connected', 'authError', 'disconnected']),
    lastSyncedAt: nullable(instant()),
    createdAt: instant(),
  })
)
