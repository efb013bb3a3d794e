import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { buildReadings } from '../tables.js'

/** Reads the artifact of a build; the subject is the build's id. */
export const readingCommand = commandKind(
  'distribution.readBuild',
  Type.Object({ fileId: Type.String() }),
  null
)

/**
 * Plans the reading of a build's artifact by a worker.
 * @param fileId of the stored file, which the build already holds
 */
export async function requestReading(scope: Scope, buildId: string, fileId: string): Promise<void> {
  await scope.insert(buildReadings, [
    { buildId, status: 'pending', failure: null, metadata: null, contents: null, readAt: null },
  ])
  await scope.jobs.command(readingCommand, { subject: buildId, payload: { fileId } })
}

/** Cancels pending readings of builds that are removed, and deletes what was read. */
export async function forgetReadings(scope: Scope, buildIds: readonly string[]): Promise<void> {
  const readings = scope.table('build_readings').whereIn('build_id', [...buildIds])
  const pending = await readings.clone().where('status', 'pending').select('build_id')
  for (const { build_id: buildId } of pending) await scope.jobs.cancel(readingCommand, buildId)
  await readings.delete()
}
