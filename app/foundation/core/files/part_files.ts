import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { HOUR } from '../durations.js'
import { randomText } from '../ids.js'
import { Pace } from '../pace.js'
import { refuse } from '../problems/problem.js'
import type { Unfinished } from './file_store.js'
import { giveBack } from './give_back.js'
import { leftoversIn } from './leftovers.js'
import { fileNotStored } from './stored_files.js'

/** Ends the name of a file that takes the place of a part. */
const COPY = '.copy'

/** Files of this machine that arrive in several requests, each under the id of its upload. */
export class PartFiles {
  #tidiedUpTo = -Infinity

  constructor(private readonly folder: string) {}

  async begin(id: string): Promise<void> {
    await onDisk(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await (await open(this.#path(id), 'wx', 0o600)).close()
    })
  }

  /** How much has arrived, in bytes; null where this machine knows nothing of it. */
  async sizeOf(id: string): Promise<number | null> {
    const found = await stat(this.#path(id)).catch(() => null)
    return found?.size ?? null
  }

  /**
   * Writes what arrives from an offset on. What was written before the stream fails stays, and
   * outlives a power cut.
   * @returns the offset behind the last byte
   * @throws what the stream fails with, malformed_request when it stops, not_stored
   */
  async append(id: string, stream: Readable, offset: number, idleMs: number): Promise<number> {
    const file = await onDisk(async () => {
      await this.#detach(id)
      return open(this.#path(id), 'r+')
    })
    try {
      await onDisk(() => file.truncate(offset))
      return await writeAll(file, stream, offset, idleMs)
    } finally {
      await onDisk(() => file.sync()).finally(() => file.close())
    }
  }

  /**
   * Gives work a path to the whole file that it may move away: the part stays, for another try
   * when the work fails.
   */
  async handOn<Result>(id: string, work: (path: string) => Promise<Result>): Promise<Result> {
    const path = `${this.#path(id)}.${randomText(12)}`
    await onDisk(() => link(this.#path(id), path).catch(() => copyFile(this.#path(id), path)))
    try {
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  /**
   * Removes what nobody has written to since a time, at most once an hour: processes on other
   * machines know nothing of this folder.
   * @param before in milliseconds since the epoch
   */
  async removeLeftovers(before: number): Promise<void> {
    if (before - this.#tidiedUpTo < HOUR) return
    this.#tidiedUpTo = before
    for (const left of await this.leftovers(before)) await left.remove()
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true })
  }

  /** What nobody has written to since a time, in milliseconds since the epoch. */
  leftovers(before: number): Promise<Unfinished[]> {
    return leftoversIn(this.folder, before)
  }

  /** A file that was handed on may be a stored one by now: it is not written to any more. */
  async #detach(id: string): Promise<void> {
    const path = this.#path(id)
    const { nlink } = await stat(path)
    if (nlink === 1) return
    await copyFile(path, path + COPY, constants.COPYFILE_FICLONE)
    await rename(path + COPY, path)
  }

  #path(id: string): string {
    return join(this.folder, id)
  }
}

/**
 * The SHA-256 of a file in hexadecimal digits.
 * @param stream of the file, that nobody else reads
 */
export async function sha256Of(stream: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) {
    hash.update(chunk)
    giveBack(chunk)
  }
  return hash.digest('hex')
}

async function writeAll(
  file: FileHandle,
  stream: Readable,
  offset: number,
  idleMs: number
): Promise<number> {
  let at = offset
  const pace = new Pace(idleMs, () => {
    stream.destroy(refuse('malformed_request', { detail: 'The body stopped arriving.' }))
  })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pace.see(chunk.length)
      await onDisk(() => writeWhole(file, chunk, at))
      at += chunk.length
      giveBack(chunk)
    }
    return at
  } finally {
    pace.end()
  }
}

/** A disk may take less than it is given. */
async function writeWhole(file: FileHandle, chunk: Buffer, at: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const rest = chunk.length - written
    written += (await file.write(chunk, written, rest, at + written)).bytesWritten
  }
}

async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileNotStored(error)
  }
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    partFiles: PartFiles
  }
}
