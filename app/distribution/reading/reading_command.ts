import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { buildReadings } from '../tables.js'

/** The artifact of a build is to be read; the subject is the build's id. */
export const readingCommand = commandKind(
  'distribution.readBuild',
  Type.Object({ fileId: Type.String() }),
  null
)

/**
 * Has a worker read the artifact of a build, once it is stored.
 * @param fileId of the stored file, which the build holds already
 */
export async function requestReading(scope: Scope, buildId: string, fileId: string): Promise<void> {
  await scope.insert(buildReadings, [
    { buildId, status: 'pending', failure: null, metadata: null, contents: null, readAt: null },
  ])
  await scope.jobs.command(readingCommand, { subject: buildId, payload: { fileId } })
}

/** Takes back what was to be read of builds that go, and what was read. */
export async function forgetReadings(scope: Scope, buildIds: readonly string[]): Promise<void> {
  const readings = scope.table('build_readings').whereIn('build_id', [...buildIds])
  const pending = await readings.clone().where('status', 'pending').select('build_id')
  for (const { build_id: buildId } of pending) await scope.jobs.cancel(readingCommand, buildId)
  await readings.delete()
}
