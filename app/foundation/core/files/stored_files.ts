import type { Readable } from 'node:stream'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import { isOutcomeUnknown } from '../database/unfinished.js'
import { randomText } from '../ids.js'
import { type Problem, refuse } from '../problems/problem.js'
import {
  StoreFailure,
  type ByteRange,
  type FailureKind,
  type FileSource,
  type FileStore,
} from './file_store.js'

export type { ByteRange, FileSource } from './file_store.js'

const store = (): Promise<FileStore> => app.container.make('fileStore')

/** Folder of files whose keys are generated here. */
export const FILES = 'files/'

/**
 * Stores a file under a generated key; it is durable when this resolves. Call it before a
 * transaction, never inside one: a storage is slow, and rows would stay locked meanwhile.
 * @throws not_stored; then there is no file under the key.
 */
export async function storeFile(
  key: string,
  source: FileSource,
  contentType: string
): Promise<void> {
  const files = await store()
  try {
    await files.put(key, source, contentType)
  } catch (error) {
    // A slow or unreachable storage may have stored it all the same.
    if (kindOf(error) !== 'refused') await discardFiles([key])
    throw fileNotStored(error)
  }
}

/** A file that was stored for a later write, which will name it. */
export interface NewFile {
  key: string
  /** In bytes. */
  size: number
  /** In hexadecimal digits. */
  sha256: string
}

/**
 * Stores an upload under an unguessable key that contains its digest. Each copy has its own key, so
 * that removing one never removes another that was just stored.
 * @throws not_stored
 */
export async function storeUpload(file: {
  path: string
  size: number
  sha256: string
  contentType: string
}): Promise<NewFile> {
  const key = `${FILES}${file.sha256}-${randomText(24)}`
  await storeFile(key, { path: file.path, size: file.size }, file.contentType)
  return { key, size: file.size, sha256: file.sha256 }
}

/**
 * Runs a write that is to name files stored before it, and discards the files if the write fails or
 * does not name them. If its outcome is unknown they stay, because a row may name them.
 * @param areReferenced whether a successful write names them
 */
export async function discardUnlessReferenced<Result>(
  discard: () => Promise<void>,
  write: () => Promise<Result>,
  areReferenced: (result: Result) => boolean
): Promise<Result> {
  let result: Result
  try {
    result = await write()
  } catch (error) {
    if (!isOutcomeUnknown(error)) await discard()
    throw error
  }
  if (!areReferenced(result)) await discard()
  return result
}

/** Removes files that no row names. Failures are logged. */
export async function discardFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      await (await store()).remove(key)
    } catch (error) {
      logger.warn({ err: error, key }, 'a file could not be removed')
    }
  }
}

/**
 * Returns the problem of a file that could not be stored; it suggests a retry only where that may
 * help.
 */
export function fileNotStored(cause: unknown): Problem {
  return refuse('not_stored', {
    detail: 'The file could not be stored; nothing was changed.',
    retryAfter: kindOf(cause) === 'refused' ? null : undefined,
    cause,
  })
}

/**
 * Opens a stored file, or a part of it, for reading.
 * @throws file_unavailable
 */
export async function openStoredFile(key: string, range?: ByteRange): Promise<Readable> {
  const files = await store()
  try {
    return await files.open(key, range)
  } catch (error) {
    throw refuse('file_unavailable', {
      detail: 'The storage of files does not return the file.',
      retryAfter: kindOf(error) === 'away' ? undefined : null,
      cause: error,
    })
  }
}

/**
 * Reads a small stored file into memory; null if there is none.
 * @throws file_unavailable
 */
export async function readStoredFile(key: string): Promise<Buffer | null> {
  try {
    return Buffer.concat(await (await openStoredFile(key)).toArray())
  } catch (error) {
    if (kindOf((error as Problem).cause) === 'missing') return null
    throw error
  }
}

/** Returns the local path of a stored file; null if it is stored elsewhere. */
export async function localPathOf(key: string): Promise<string | null> {
  return (await store()).localPath(key)
}

/** Any error that is not a `StoreFailure` is assumed to be transient. */
function kindOf(error: unknown): FailureKind {
  return error instanceof StoreFailure ? error.kind : 'away'
}
