import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import logger from '@adonisjs/core/services/logger'
import { DAY } from '../durations.js'
import { randomText } from '../ids.js'
import type { Unfinished } from './file_store.js'
import { FileWriter } from './file_writer.js'
import { leftoversIn } from './leftovers.js'
import { fileNotStored } from './stored_files.js'

/** A file that has arrived whole. */
export interface Spooled {
  /** In bytes. */
  size: number
  /** SHA-256 of the bytes, in hexadecimal digits. */
  sha256: string
}

/** A local folder where uploads are kept until they are stored or rejected. */
export class Spool {
  constructor(private readonly folder: string) {}

  /** Gives work a path of its own; whatever lies there is removed when the work ends. */
  using<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    return this.usingSome(1, ([path]) => work(path))
  }

  /** Gives work some paths of its own; whatever lies there is removed when the work ends. */
  async usingSome<Result>(
    count: number,
    work: (paths: readonly string[]) => Promise<Result>
  ): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 }).catch((error) => {
      throw fileNotStored(error)
    })
    const paths = Array.from({ length: count }, () => join(this.folder, randomText(24)))
    try {
      return await work(paths)
    } finally {
      for (const path of paths) await remove(path)
    }
  }

  /** Lists files that nobody has written to since a time, in milliseconds since the epoch. */
  leftovers(before: number): Promise<Unfinished[]> {
    return leftoversIn(this.folder, before)
  }

  /**
   * Removes what processes left behind when they ended in the middle of an upload: files that
   * nobody has written to for a day.
   * @param now in milliseconds since the epoch
   */
  async removeLeftovers(now: number): Promise<void> {
    for (const leftover of await this.leftovers(now - DAY)) await leftover.remove()
  }
}

/**
 * Writes a stream to a new file as it arrives. Nobody else may read the chunks of the stream: their
 * memory is released as soon as they are written.
 * @throws the error of the stream; not_stored if the disk fails
 */
export async function spoolStream(stream: Readable, path: string): Promise<Spooled> {
  const file = await onDisk(open(path, 'wx', 0o600))
  try {
    const writer = new FileWriter(file)
    await pipeline(stream, writer)
    return writer.written()
  } finally {
    await file.close()
  }
}

function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw fileNotStored(error)
  })
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true })
  } catch (error) {
    logger.warn({ err: error, path }, 'an upload could not be removed')
  }
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    spool: Spool
  }
}
