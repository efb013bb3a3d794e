import { Type } from '@sinclair/typebox'
import { observationKind, commandKind } from '#foundation/core/jobs/kinds'

const place = {
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
}
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A workflow is to be run for a build that is recorded; the subject is the build. */
export const triggerKind = commandKind(
  'ciBuild.trigger',
  Type.Object({
    ...place,
    workflowId: Type.String(),
    branch: Type.String(),
    arguments: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  'ci'
)

/** A build is looked at until it is over; the subject is the build. */
export const followKind = observationKind(
  'ciBuild.follow',
  Type.Object({
    ...place,
    /** Null while the provider has returned only a token. */
    runId: textOrNull,
    pendingToken: textOrNull,
  })
)

/** Runs that nobody asked for are looked for; the subject is the release's internal id. */
export const discoverKind = observationKind(
  'ciBuild.discover',
  Type.Object({ ...place, branch: Type.String(), workflowId: textOrNull, since: Type.String() })
)

/** Runs that somebody waits for are looked for, whatever their branch; the subject is the app. */
export const discoverWantedKind = observationKind(
  'ciBuild.discoverWanted',
  Type.Object({ ...place, since: Type.String() })
)
