import { Type } from '@sinclair/typebox'
import { Asker } from '#foundation/core/jobs/asker'
import { observationKind, timerKind, commandKind } from '#foundation/core/jobs/kinds'

const place = Type.Object({
  appId: Type.String(),
  releaseId: Type.String(),
  integrationId: Type.String(),
})

/** A rollout is looked at, and moved; the subject is the release's internal id and the integration. */
export const lookKind = timerKind('rollout.look', place)

/** Providers of the app are asked how a version does; the subject is the same. */
export const measureKind = observationKind('rollout.measure', place)

/**
 * The release of a version in an app of the group is stopped, as another one is unhealthy; the
 * subject is that app and the version.
 */
export const stopWithKind = timerKind(
  'rollout.stopWith',
  Type.Object({ appId: Type.String(), version: Type.String(), because: Type.String() })
)

/** The red button of the other release of a pair is pressed; the subject is its internal id. */
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
