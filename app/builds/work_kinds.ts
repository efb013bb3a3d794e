import { Type } from '@sinclair/typebox'
import { observationKind, commandKind } from '#foundation/core/jobs/kinds'

const place = {
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
}
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** Requests a run of a workflow for a recorded build. The subject is the build. */
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

/** Polls a build until it has ended. The subject is the build. */
export const followKind = observationKind(
  'ciBuild.follow',
  Type.Object({
    ...place,
    /** Null while the provider has returned only a token. */
    runId: textOrNull,
    pendingToken: textOrNull,
    /** Since when the files of the ended run cannot be listed. */
    unlistedSince: Type.Optional(Type.String()),
  })
)

/** Looks for runs on a release's branch. The subject is the internal id of the release. */
export const discoverKind = observationKind(
  'ciBuild.discover',
  Type.Object({ ...place, branch: Type.String(), workflowId: textOrNull, since: Type.String() })
)

/** Looks for runs that an extension waits for, on any branch. The subject is the app. */
export const discoverWantedKind = observationKind(
  'ciBuild.discoverWanted',
  Type.Object({ ...place, since: Type.String() })
)
