import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow, CiFileRow } from './queries/ci_builds.js'
import { ciBuildFiles } from './tables.js'

/** A file of a CI build is to be fetched from its provider; the subject is the file's id. */
export const artifactCommand = commandKind(
  'builds.fetchArtifact',
  Type.Object({ appId: Type.String(), buildId: Type.String() }),
  'ci'
)

/**
 * Has a worker fetch a file of a CI build that its provider still keeps. Whoever follows builds
 * asks for those it needs: others are never fetched.
 */
export async function requestArtifact(
  scope: Scope,
  { id: buildId, appId }: CiBuildRow,
  { id: subject, fileId, source }: CiFileRow
): Promise<void> {
  if (fileId !== null || source === null) return
  // However many ask for it, it is fetched once.
  const idempotencyKey = `${subject} ${source.notedAt}`
  await scope.jobs.command(artifactCommand, {
    subject,
    idempotencyKey,
    payload: { appId, buildId },
  })
}

/** Takes back what was to be fetched of files that nobody needs any more. */
export async function forgetArtifacts(scope: Scope, files: readonly CiFileRow[]): Promise<void> {
  for (const { id, fileId, source } of files) {
    if (fileId !== null || source === null) continue
    await scope.jobs.cancel(artifactCommand, id)
    // A fetch that is under way sees that it is no longer needed.
    await scope.update(ciBuildFiles, { id }, { source: null })
  }
}
