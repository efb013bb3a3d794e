import { Type } from '@sinclair/typebox'
import { Asker } from '#foundation/core/jobs/asker'
import { observationKind, timerKind, commandKind } from '#foundation/core/jobs/kinds'

const place = Type.Object({
  appId: Type.String(),
  releaseId: Type.String(),
  integrationId: Type.String(),
})

/**
 * Checks a rollout and makes its next move; the subject is the release's internal id and the
 * integration.
 */
export const checkKind = timerKind('rollout.look', place)

/**
 * Asks providers how a version does; the subject is the release's internal id and the integration.
 */
export const measureKind = observationKind('rollout.measure', place)

/**
 * Stops the release of a version in another app of the group, because the version is unhealthy; the
 * subject is that app and the version.
 */
export const stopWithKind = timerKind(
  'rollout.stopWith',
  Type.Object({ appId: Type.String(), version: Type.String(), because: Type.String() })
)

/** Presses the red button of the other release of a pair; the subject is its internal id. */
export const pressOtherKind = commandKind(
  'rollout.pressOther',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    reason: Type.Union([Type.String(), Type.Null()]),
    askedBy: Asker,
  }),
  null
)
