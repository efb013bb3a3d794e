import { Readable } from 'node:stream'
import app from '@adonisjs/core/services/app'
import { onWish, type CallContext, type Entry } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import { spoolStream } from '#foundation/core/files/spool'
import { discardFiles, storeUpload, type NewFile } from '#foundation/core/files/stored_files'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { RecordCiBuild } from '../actions/record_ci_build.js'
import { ciFilesOf } from '../queries/ci_builds.js'
import { fetchKind } from '../work_kinds.js'
import { askCi, buildThere } from './ask_ci.js'
import { toldAgain } from './trigger_build.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Fetches a file that a run made, and keeps it with its build. */
export const fetchArtifact = onWish(fetchKind, {
  actor: 'CI',
  lease: 15 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE] },
  // A file that was fetched twice is one copy more, which is removed again.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (entry, context) => outcomeOfCall(() => fetched(entry, context)),
  async answer(scope, { subject, payload: { fileName, contentType } }, stored: NewFile) {
    const build = await buildThere(scope, subject)
    if (!build || build.installationId === null) return false
    const file = { kind: 'artifact' as const, fileName, contentType, stored }
    await new RecordCiBuild(scope).observe({ ...toldAgain(build), files: [file] })
    const files = await ciFilesOf(scope, [build.id])
    return files.some((each) => each.fileName === fileName && each.fileId !== null)
  },
  isKept: (kept) => kept === true,
  discard: ({ key }) => discardFiles([key]),
})

/** Stored as it comes, by way of the disk: a storage wants to know the size first. */
async function fetched(
  entry: Entry<PayloadOf<typeof fetchKind>>,
  context: CallContext
): Promise<NewFile> {
  const { runId, artifactId, contentType } = entry.payload
  const spool = await app.container.make('spool')
  return spool.using(async (path) => {
    const spooled = await askCi(entry, context, async (ci) => {
      const stream = await ci.openArtifact(runId, artifactId)
      return spoolStream(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), path)
    })
    return storeUpload({ ...spooled, path, contentType })
  })
}
