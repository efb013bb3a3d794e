import { RETRIES } from '#foundation/jobs/retry'
import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import app from '@adonisjs/core/services/app'
import { onCommand, type CallContext, type Job, type Outcome } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import { spoolStream } from '#foundation/core/files/spool'
import { discardFiles, storeUpload, type NewFile } from '#foundation/core/files/stored_files'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { findIntegration } from '#integrations/queries/find_installation'
import { notifyBuildSubscribers } from './actions/record_ci_build.js'
import { artifactCommand } from './artifact_command.js'
import { ciBuildsById, ciFilesOf, type CiBuildRow, type CiFileRow } from './queries/ci_builds.js'
import { putFile } from './store_files.js'
import { ciBuildFiles } from './tables.js'

type Requested = Job<PayloadOf<typeof artifactCommand>>

/**
 * Fetches a file of a CI build from its provider. The file is streamed to the spool while its
 * SHA-256 is computed, then stored, then attached to the build. Subscribers of the build are
 * notified of the file, or of the failure after the last attempt.
 */
export const fetchArtifact = onCommand(artifactCommand, {
  actor: 'artifact fetcher',
  // 4 GiB at 3 MB a second.
  lease: 30 * MINUTE,
  retry: RETRIES.hours,
  // Fetching a file twice only leaves a second copy, which is discarded.
  isRepeatable: true,
  call: fetchFile,
  // Every write to an app takes this lock first.
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async storeResult(scope, requested, stored) {
    const { build, file } = await wanted(scope, requested)
    if (!build || !file) return false
    const { kind, fileName, contentType } = file
    await putFile(scope, build.id, { kind, fileName, contentType, stored }, { others: 'kept' })
    await notifyBuildSubscribers(scope, build)
    return true
  },
  isKept: (kept) => kept === true,
  discard: ({ key }: NewFile) => discardFiles([key]),
  async afterLast(scope, requested) {
    const { build, file } = await wanted(scope, requested)
    if (!build || !file) return
    const failure = `${file.fileName} could not be fetched from the CI system.`
    await scope.update(ciBuildFiles, { id: file.id }, { failure })
    await notifyBuildSubscribers(scope, build)
  },
})

/** Returns the build and, if it still has to be fetched, the file. */
async function wanted(scope: Scope, { subject, payload: { buildId } }: Requested) {
  const [build] = await ciBuildsById(scope, [buildId])
  const file = (await ciFilesOf(scope, [buildId])).find(({ id }) => id === subject)
  const isWanted = file && file.fileId === null && file.source !== null
  return { build, file: isWanted ? file : undefined }
}

async function fetchFile(requested: Requested, context: CallContext): Promise<Outcome<NewFile>> {
  const { build, file } = await wanted(context.scope, requested)
  if (!build || !file) return notApplied('The file is no longer needed.')
  const opened = await outcomeOfCall(() => open(build, file, context))
  if (opened.outcome !== 'applied') return opened
  const stream = addAbortSignal(context.signal, Readable.fromWeb(opened.result))
  const spool = await app.container.make('spool')
  return spool.using(async (path) => {
    const spooled = await spoolStream(stream, path)
    if (spooled.size === 0) return notApplied('The file is empty.')
    const { contentType } = file
    return { outcome: 'applied', result: await storeUpload({ ...spooled, path, contentType }) }
  })
}

async function open(
  { installationId }: CiBuildRow,
  { source }: CiFileRow,
  { scope, signal }: CallContext
): Promise<ReadableStream<Uint8Array>> {
  const integration = await findIntegration(scope, installationId)
  return askProvider(scope, { integration, kind: 'ci', signal }, (ci) =>
    ci.openArtifact(source!.runId, source!.artifactId)
  ) as Promise<ReadableStream<Uint8Array>>
}

const notApplied = (reason: string) => ({ outcome: 'notApplied', reason, isFinal: true }) as const
