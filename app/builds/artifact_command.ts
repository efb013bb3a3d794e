import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow, CiFileRow } from './queries/ci_builds.js'
import { ciBuildFiles } from './tables.js'

/** A request to fetch a file of a CI build from its provider. The subject is the file's id. */
export const artifactCommand = commandKind(
  'builds.fetchArtifact',
  Type.Object({ appId: Type.String(), buildId: Type.String() }),
  'ci'
)

/**
 * Queues the fetch of a file of a CI build from its provider. Subscribers of builds request the
 * files that they need. No other files are fetched.
 */
export async function requestArtifact(
  scope: Scope,
  { id: buildId, appId }: CiBuildRow,
  { id: subject, fileId, source }: CiFileRow
): Promise<void> {
  if (fileId !== null || source === null) return
  // Several requests for one report of the file lead to one fetch.
  const idempotencyKey = `${subject} ${source.notedAt}`
  await scope.jobs.command(artifactCommand, {
    subject,
    idempotencyKey,
    payload: { appId, buildId },
  })
}

/** Cancels pending fetches of files that are no longer needed. */
export async function forgetArtifacts(scope: Scope, files: readonly CiFileRow[]): Promise<void> {
  for (const { id, fileId, source } of files) {
    if (fileId !== null || source === null) continue
    await scope.jobs.cancel(artifactCommand, id)
    // A fetch in progress then sees that the file is no longer needed.
    await scope.update(ciBuildFiles, { id }, { source: null })
  }
}
