import { constants, createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished, type Readable, type Writable } from 'node:stream'
import { HOUR } from '../durations.js'
import { randomText } from '../ids.js'
import { Pace } from '../pace.js'
import { refuse } from '../problems/problem.js'
import type { Unfinished } from './file_store.js'
import { FileWriter } from './file_writer.js'
import { leftoversIn } from './leftovers.js'
import { KeptHashes, RunningHash, sha256Of, stampOf } from './running_hash.js'
import { fileNotStored } from './stored_files.js'

/** Suffix of a copy that replaces a part file. */
const COPY = '.copy'

const MIB = 1024 ** 2

interface AppendOptions {
  /** Length of the whole file, in bytes. */
  length?: number
  /** Stops the request early. */
  signal?: AbortSignal
  /** Called before each write with its end offset. @throws if the write is not allowed */
  demand?: (end: number) => void
}

/** Local files that are uploaded in several requests, each named by the id of its upload. */
export class PartFiles {
  #removedUpTo = -Infinity
  readonly #hashes = new KeptHashes()

  constructor(private readonly folder: string) {}

  async begin(id: string): Promise<void> {
    await onDisk(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await (await open(this.#path(id), 'wx', 0o600)).close()
    })
  }

  /** Returns the number of bytes that have arrived; null if this machine does not have the file. */
  async sizeOf(id: string): Promise<number | null> {
    const found = await stat(this.#path(id)).catch(() => null)
    return found?.size ?? null
  }

  /**
   * Writes a stream to the file, starting at an offset. If the stream fails or is stopped, arrived
   * bytes are kept durably. Only one request at a time may write to a file.
   * @returns the offset after the last byte
   * @throws malformed_request if the stream fails or stalls, not_stored, errors of `demand`
   */
  async append(
    id: string,
    stream: Readable,
    offset: number,
    idleMs: number,
    { length = Infinity, signal, demand = () => {} }: AppendOptions = {}
  ): Promise<number> {
    const file = await onDisk(async () => {
      await this.#detach(id)
      return open(this.#path(id), 'r+')
    })
    try {
      // The last byte is not hashed: a client may send it again.
      const hash =
        this.#hashes.take(id, offset, await stampOf(file)) ??
        new RunningHash(offset === 0 ? length - 1 : 0)
      await onDisk(() => file.truncate(offset))
      const writer = new FileWriter(file, { at: offset, hash, demand })
      try {
        await pipeInto(writer, stream, idleMs, signal)
      } finally {
        await onDisk(() => file.sync())
        demand(offset)
        if (!writer.errored) this.#hashes.keep(id, hash, await stampOf(file))
      }
      return offset + writer.written().size
    } finally {
      await file.close()
    }
  }

  /**
   * Calls `work` with the SHA-256 of the complete file and a path that it may move elsewhere. The
   * part file remains, so that failed work can be retried.
   */
  async use<Result>(
    id: string,
    work: (path: string, sha256: string) => Promise<Result>
  ): Promise<Result> {
    const path = `${this.#path(id)}.${randomText(12)}`
    await onDisk(() => link(this.#path(id), path).catch(() => copyFile(this.#path(id), path)))
    try {
      return await work(path, await this.#sha256Of(id, path))
    } finally {
      await rm(path, { force: true })
    }
  }

  /**
   * Removes files without writes since a time, at most once an hour. Every process does this
   * itself, because others may run on machines without this folder.
   * @param before in milliseconds since the epoch
   */
  async removeLeftovers(before: number): Promise<void> {
    if (before - this.#removedUpTo < HOUR) return
    this.#removedUpTo = before
    for (const leftover of await this.leftovers(before)) await leftover.remove()
  }

  async remove(id: string): Promise<void> {
    this.#hashes.forget(id)
    await rm(this.#path(id), { force: true })
  }

  /** Lists files without writes since a time, in milliseconds since the epoch. */
  leftovers(before: number): Promise<Unfinished[]> {
    return leftoversIn(this.folder, before)
  }

  /** Replaces a linked part file by a copy, because the original may be a stored file by now. */
  async #detach(id: string): Promise<void> {
    const path = this.#path(id)
    const { nlink } = await stat(path)
    if (nlink === 1) return
    await copyFile(path, path + COPY, constants.COPYFILE_FICLONE)
    await rename(path + COPY, path)
  }

  /** Hashes the last byte and any bytes that this process has not hashed on arrival. */
  async #sha256Of(id: string, path: string): Promise<string> {
    const partial = this.#hashes.find(id, await stampOf(this.#path(id)))
    const rest = createReadStream(path, { start: partial?.at ?? 0, highWaterMark: MIB })
    return sha256Of(rest, partial?.copy())
  }

  #path(id: string): string {
    return join(this.folder, id)
  }
}

/** Writes the bytes that arrive until the stream ends, fails or is stopped. */
async function pipeInto(
  writer: Writable,
  stream: Readable,
  idleMs: number,
  signal: AbortSignal | undefined
): Promise<void> {
  const { promise: isOver, resolve, reject } = Promise.withResolvers<void>()
  const fail = (detail: string) => reject(refuse('malformed_request', { detail }))
  const pace = new Pace(idleMs, () => fail('The body stopped arriving.'))
  const onData = (chunk: Buffer) => pace.see(chunk.length)
  const unwatch = finished(stream, { writable: false }, (error) =>
    error ? fail('The body ended early.') : resolve()
  )
  const stop = () => resolve()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  writer.on('error', reject)
  stream.on('data', onData).pipe(writer, { end: false })
  try {
    await isOver
  } finally {
    pace.end()
    unwatch()
    signal?.removeEventListener('abort', stop)
    stream.off('data', onData).unpipe(writer)
    stream.pause()
    await ended(writer)
  }
}

/** Ends a writer. @throws the error of a failed write */
function ended(writer: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    writer.end((error?: Error | null) => (error ? reject(writer.errored ?? error) : resolve()))
  })
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
