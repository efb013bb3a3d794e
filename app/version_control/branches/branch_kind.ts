import { Type, type Static } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import { Asker } from '#foundation/core/jobs/asker'

const textOrNull = Type.Union([Type.String(), Type.Null()])

const RequestedBranch = Type.Object({
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
  name: Type.String(),
  from: Type.Object({ branch: textOrNull, tag: textOrNull, commit: textOrNull }),
  /** The version to write into it and into its source; absent to leave the files as they are. */
  bump: Type.Optional(
    Type.Object({
      version: Type.String(),
      files: Type.Array(Type.String()),
      /** The automation that requests it; absent if the person who drafted the release does. */
      askedBy: Type.Optional(Asker),
    })
  ),
  /** The person who kicked the release off; absent in entries of older versions. */
  askedBy: Type.Optional(Asker),
})
export type RequestedBranch = Static<typeof RequestedBranch>

/** The branch of a release is to be cut, or found; the subject is the release's internal id. */
export const branchKind = commandKind('release.branch', RequestedBranch, 'versionControl')
