import { RETRIES } from '#foundation/jobs/retry'
import { Readable } from 'node:stream'
import app from '@adonisjs/core/services/app'
import { encodeIcon } from '#apps/icons/store_icon'
import { onCommand, type Job, type Outcome } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import { referenceFile } from '#foundation/core/files/held_files'
import { spoolStream } from '#foundation/core/files/spool'
import { storedFile } from '#foundation/core/files/stored_key'
import {
  discardFiles,
  localPathOf,
  openStoredFile,
  storeUpload,
  type NewFile,
} from '#foundation/core/files/stored_files'
import { newId } from '#foundation/core/ids'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { ArchiveReader } from './archive_reader.js'
import type { ArchiveContents, ArchiveMetadata, ArchiveResult } from '#app-archives/metadata'
import { buildReadings, distributionBuilds, distributionFiles } from '../tables.js'
import { notifySubscribers } from '../extensions.js'
import { readingCommand } from './reading_command.js'

const ICON_TYPE = 'image/png'

/** The result of reading, with the icon already stored. */
type Reading = Exclude<ArchiveResult, { isRead: true }> | Read
interface Read {
  isRead: true
  metadata: ArchiveMetadata
  contents: ArchiveContents
  icon: NewFile | null
}

const archives = new ArchiveReader()

/**
 * Reads the artifact of a build and stores its metadata, or the reason why it cannot be read. Such a
 * build can still be installed.
 */
export const readOnCommand = onCommand(readingCommand, {
  actor: 'archive reader',
  // From remote storage, parts of the file are fetched one after the other.
  lease: 10 * MINUTE,
  retry: RETRIES.minutes,
  // Repeating stores the icon once more; the surplus file is discarded.
  isRepeatable: true,
  async call({ payload: { fileId } }, { scope, signal }) {
    // Looked up now, as a file that was lost and stored again has another key.
    const file = await storedFile(scope, fileId)
    if (file) return read(file, signal)
    return { outcome: 'notApplied', reason: 'Nothing refers to the file any more.', isFinal: true }
  },
  /** Locks the app, as its releases may change, and the build, which may be removed meanwhile. */
  async lock(scope, { subject }) {
    const appId = await appOf(scope, subject)
    if (appId !== null) await scope.lock('apps', appId)
    return scope.lock('distribution_builds', subject)
  },
  storeResult: storeReading,
  isKept: (kept) => kept === true,
  async discard(reading: Reading) {
    if (reading.isRead && reading.icon) await discardFiles([reading.icon.key])
  },
  async afterLast(scope, { subject }) {
    await storeFailure(scope, subject, 'The file could not be fetched from where it is stored.')
  },
})

async function read(
  { key, size }: { key: string; size: number },
  signal: AbortSignal
): Promise<Outcome<Reading>> {
  const path = await localPathOf(key)
  const result =
    path === null
      ? await archives.readRemote(size, (range) => openStoredFile(key, range), signal)
      : await archives.read(path)
  if (!result.isRead || result.icon === null) {
    return { outcome: 'applied', result: result.isRead ? { ...result, icon: null } : result }
  }
  const icon = await storePicture(result.icon)
  const { metadata, contents } = result
  const iconFailure = icon ? null : 'The icon is not a picture that can be shown.'
  return {
    outcome: 'applied',
    result: { isRead: true, metadata: { ...metadata, iconFailure }, contents, icon },
  }
}

/** Re-encodes and stores an icon; null if it is no readable picture. */
async function storePicture(picture: Uint8Array): Promise<NewFile | null> {
  const spool = await app.container.make('spool')
  try {
    const icon = await encodeIcon(picture)
    return await spool.using(async (path) => {
      const spooled = await spoolStream(Readable.from([icon]), path)
      return storeUpload({ ...spooled, path, contentType: ICON_TYPE })
    })
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_input') return null
    throw error
  }
}

/** @returns whether the build has the icon now */
async function storeReading(
  scope: Scope,
  { subject: buildId, payload: { fileId } }: Job<PayloadOf<typeof readingCommand>>,
  reading: Reading
): Promise<boolean> {
  const artifact = { build_id: buildId, kind: 'artifact', file_id: fileId }
  const isStored = await scope.table('distribution_files').where(artifact).select('id').first()
  if (!isStored || !reading.isRead) {
    await storeFailure(scope, buildId, reading.isRead ? 'The build expired.' : reading.reason)
    return false
  }
  const { metadata, contents, icon } = reading
  const { version, buildNumber } = metadata
  const done = { status: 'read' as const, failure: null, metadata, contents, readAt: scope.now }
  await scope.update(buildReadings, { buildId }, done)
  const reported = { version, buildNumber, updatedAt: scope.now }
  await scope.update(distributionBuilds, { id: buildId }, reported)
  if (icon) await keepIcon(scope, buildId, icon)
  await notifyOf(scope, buildId)
  return icon !== null
}

async function appOf(scope: Scope, buildId: string): Promise<string | null> {
  const row: { app_id: string } | null = await scope
    .table('distribution_builds')
    .where('id', buildId)
    .select('app_id')
    .first()
  return row?.app_id ?? null
}

async function notifyOf(scope: Scope, buildId: string): Promise<void> {
  const appId = await appOf(scope, buildId)
  if (appId !== null) await notifySubscribers(scope, appId)
}

async function keepIcon(scope: Scope, buildId: string, icon: NewFile): Promise<void> {
  const { size, sha256 } = icon
  const fileId = await referenceFile(scope, icon)
  const row = { fileName: 'icon.png', contentType: ICON_TYPE, size, sha256, fileId }
  await scope.insert(distributionFiles, [
    { id: newId('dfile'), buildId, kind: 'icon', ...row, createdAt: scope.now },
  ])
}

async function storeFailure(scope: Scope, buildId: string, failure: string): Promise<void> {
  const failed = { status: 'failed' as const, failure, readAt: scope.now }
  await scope.update(buildReadings, { buildId }, failed)
  await scope.update(distributionBuilds, { id: buildId }, { updatedAt: scope.now })
  await notifyOf(scope, buildId)
}
