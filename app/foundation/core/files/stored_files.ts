import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import drive from '@adonisjs/drive/services/main'
import logger from '@adonisjs/core/services/logger'
import { isOutcomeUnknown } from '../database/unfinished.js'
import { randomText } from '../ids.js'
import { type Problem, refuse } from '../problems/problem.js'

type Disk = ReturnType<typeof drive.use>

/** What is to be stored: bytes, or a file of this machine with its size in bytes. */
export type FileSource = Uint8Array | { path: string; size: number }

/**
 * Stores a file on Drive under a generated key; it is durable when this resolves. Called
 * before a transaction, never inside one: a disk is slow, and rows are locked meanwhile.
 * @throws not_stored; then nothing is left under the key.
 */
export async function storeFile(
  key: string,
  source: FileSource,
  contentType: string
): Promise<void> {
  const disk = drive.use()
  try {
    if (source instanceof Uint8Array) await disk.put(key, source, { contentType })
    else await putFile(disk, key, source, contentType)
    await sync(disk, key)
  } catch (error) {
    await discardFiles([key])
    throw fileNotStored(error)
  }
}

/** A file that was stored on Drive for a write that is to name it. */
export interface NewFile {
  key: string
  /** In bytes. */
  size: number
  /** In hexadecimal digits. */
  sha256: string
}

/** Stores what has arrived under a key that nobody can guess. @throws not_stored */
export async function storeUpload(file: {
  path: string
  size: number
  sha256: string
  contentType: string
}): Promise<NewFile> {
  const key = `files/${randomText(32)}`
  await storeFile(key, { path: file.path, size: file.size }, file.contentType)
  return { key, size: file.size, sha256: file.sha256 }
}

/**
 * A folder of this machine takes the file over, where both lie on one file system. A provider
 * takes a stream only with its length. What is to be read is opened before Drive begins: else
 * Drive might make the file after it was discarded.
 */
async function putFile(
  disk: Disk,
  key: string,
  { path, size }: { path: string; size: number },
  contentType: string
): Promise<void> {
  const folder = folderOf(disk)
  if (folder !== null && (await isMoved(path, join(folder, key)))) return
  const file = await open(path)
  try {
    await disk.putStream(key, file.createReadStream(), { contentType, contentLength: size })
  } finally {
    await file.close()
  }
}

/** Moves a file, unless that is to another file system. */
async function isMoved(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
    throw error
  }
}

/**
 * Runs a write that is to name files stored before it, and discards those that it did not
 * come to name. While nobody knows whether it was done they stay: a row may name them.
 * @param areReferenced whether a write that was done names them
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

/** Removes files that nothing names. One that cannot be removed is told of in the log. */
export async function discardFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      await drive.use().delete(key)
    } catch (error) {
      logger.warn({ err: error, key }, 'a file could not be removed')
    }
  }
}

export function fileNotStored(cause: unknown): Problem {
  return refuse('not_stored', {
    detail: 'The file could not be stored; nothing was changed.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Opens a stored file, or a part of it, for reading.
 * @throws what Drive throws when it is not there
 */
export async function openStoredFile(key: string, range?: ByteRange): Promise<Readable> {
  const disk = drive.use()
  const folder = folderOf(disk)
  if (folder !== null) {
    const file = await open(join(folder, key))
    return file.createReadStream(range && { start: range.first, end: range.last })
  }
  const whole = await disk.getStream(key)
  return range ? Readable.from(partOf(whole, range)) : whole
}

/** The bytes of a range, from a stream of all of them. */
async function* partOf(chunks: AsyncIterable<Buffer>, { first, last }: ByteRange) {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(first - at, 0), Math.max(last + 1 - at, 0))
    if (part.length > 0) yield part
    at += chunk.length
    if (at > last) return
  }
}

/** Drive answers for a folder of this machine before its bytes are safe from a power cut. */
async function sync(disk: Disk, key: string): Promise<void> {
  const folder = folderOf(disk)
  if (folder === null) return
  const path = join(folder, key)
  for (const each of [path, dirname(path)]) {
    const handle = await open(each)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

/** The folder of this machine that a disk is; null for one somewhere else. */
function folderOf({ driver }: Disk): string | null {
  const { location } = (driver as { options?: { location?: string | URL } }).options ?? {}
  if (location === undefined) return null
  return typeof location === 'string' ? location : fileURLToPath(location)
}
