import { Type } from '@sinclair/typebox'
import { timerKind, commandKind } from '#foundation/core/jobs/kinds'
import { Asker } from '#foundation/core/jobs/asker'

/** Follows the code of requests; the subject is the internal id of the release. */
export const followKind = timerKind('fixRequest.follow', Type.Object({ appId: Type.String() }))

const toBringIn = {
  appId: Type.String(),
  releaseId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
  askedBy: Asker,
  branch: Type.String(),
  commit: Type.String(),
}

/** A commit of an approved request is to be picked; the subject is the request. */
export const pickKind = commandKind('fixRequest.pick', Type.Object(toBringIn), 'versionControl')

/** The working branch is to be merged up to `commit` for an approved request. */
export const mergeKind = commandKind(
  'fixRequest.merge',
  Type.Object({ ...toBringIn, from: Type.String() }),
  'versionControl'
)

/** A status is to be posted for a pull request against a release branch. */
export const statusKind = commandKind(
  'fixRequest.status',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    number: Type.Integer(),
    commit: Type.String(),
    state: Type.Union([Type.Literal('pending'), Type.Literal('success')]),
    description: Type.String(),
  }),
  'versionControl'
)
