import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import { Asker } from '#foundation/core/jobs/asker'

/**
 * Reports whether a flag was switched if the original request could not; each has its own subject.
 */
export const switchKind = commandKind(
  'features.flagSwitch',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    askedBy: Asker,
    environmentId: Type.String(),
    flag: Type.Object({ id: Type.String(), key: Type.String(), name: Type.String() }),
    to: Type.Boolean(),
  }),
  'experimentation'
)
