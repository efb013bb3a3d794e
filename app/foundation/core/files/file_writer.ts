import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { giveBack } from './give_back.js'
import { fileNotStored } from './stored_files.js'

/** Maximum bytes that wait for the write under way; every write costs a thread switch. */
const WAITING = 512 * 1024

/** Mean size in bytes below which chunks are concatenated first: each chunk has a fixed cost. */
const SMALL = 1024

type Done = (error?: Error | null) => void

/** Receives all bytes that are written. */
interface Digest {
  update(chunk: Buffer): unknown
  digest(encoding: 'hex'): string
}

interface WriterOptions {
  /** Offset of the first byte in the file. */
  at?: number
  hash?: Digest
  /** Called before each write with its end offset. @throws if the write is not allowed */
  demand?: (end: number) => void
}

/**
 * Writes a stream to a file and computes its size and SHA-256 on the way. It releases the memory of
 * the written chunks, so nobody else may read them. Chunks that arrive during a write are written
 * together. It fails with not_stored if the disk fails.
 */
export class FileWriter extends Writable {
  #size = 0
  readonly #at: number
  readonly #hash: Digest
  readonly #demand: (end: number) => void

  constructor(
    private readonly file: FileHandle,
    { at = 0, hash = createHash('sha256'), demand = () => {} }: WriterOptions = {}
  ) {
    super({ highWaterMark: WAITING })
    this.#at = at
    this.#hash = hash
    this.#demand = demand
  }

  /** Returns size and digest once writing is finished. */
  written(): { size: number; sha256: string } {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#writeAll([chunk]).then(() => done(), done)
  }

  override _writev(pieces: { chunk: Buffer }[], done: Done): void {
    const chunks = pieces.map(({ chunk }) => chunk)
    const size = sizeOf(chunks)
    const isSmall = size < SMALL * chunks.length
    this.#writeAll(isSmall ? [Buffer.concat(chunks, size)] : chunks).then(() => done(), done)
  }

  async #writeAll(chunks: Buffer[]): Promise<void> {
    const size = sizeOf(chunks)
    const at = this.#at + this.#size
    this.#demand(at + size)
    const writing = writeWhole(this.file, chunks, at)
    // Hashes while the disk writes.
    for (const chunk of chunks) this.#hash.update(chunk)
    await writing
    this.#size += size
    chunks.forEach(giveBack)
  }
}

const sizeOf = (chunks: readonly Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0)

/** Writes all bytes: a single `writev` may write only a part. */
async function writeWhole(file: FileHandle, chunks: readonly Buffer[], at: number): Promise<void> {
  let rest = [...chunks]
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, at).catch((error: unknown) => {
      throw fileNotStored(error)
    })
    at += bytesWritten
    const next = rest.findIndex(({ length }) => {
      if (bytesWritten < length) return true
      bytesWritten -= length
      return false
    })
    rest = next < 0 ? [] : rest.slice(next)
    if (rest.length > 0) rest[0] = rest[0].subarray(bytesWritten)
  }
}
