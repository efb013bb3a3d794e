import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { giveBack } from './give_back.js'
import { fileNotStored } from './stored_files.js'

const KIB = 1024

/** How much is written at a time, in bytes: every write costs a turn of a thread. */
const BATCH = 256 * KIB

type Done = (error?: Error | null) => void

/**
 * Writes to a file what arrives, in one pass with its size and SHA-256. It fails with not_stored
 * when the disk does not take it.
 */
export class FileWriter extends Writable {
  readonly #hash = createHash('sha256')
  #size = 0
  #held: Buffer[] = []
  #heldSize = 0

  /**
   * @param isGiven whether nobody else looks at the chunks, whose memory goes at once then
   */
  constructor(
    private readonly file: FileHandle,
    private readonly isGiven: boolean
  ) {
    super({ highWaterMark: BATCH })
  }

  /** What was written, once it is finished. */
  written(): { size: number; sha256: string } {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#hash.update(chunk)
    this.#size += chunk.length
    this.#held.push(chunk)
    this.#heldSize += chunk.length
    if (this.#heldSize < BATCH) done()
    else this.#flush(done)
  }

  override _final(done: Done): void {
    this.#flush(done)
  }

  #flush(done: Done): void {
    const chunks = this.#held
    this.#held = []
    this.#heldSize = 0
    writeWhole(this.file, chunks).then(
      () => {
        if (this.isGiven) chunks.forEach(giveBack)
        done()
      },
      (error) => done(fileNotStored(error))
    )
  }
}

/** A disk may take less than it is given. */
async function writeWhole(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let rest = [...chunks]
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest)
    while (rest.length > 0 && bytesWritten >= rest[0].length) {
      bytesWritten -= rest[0].length
      rest = rest.slice(1)
    }
    if (bytesWritten > 0) rest[0] = rest[0].subarray(bytesWritten)
  }
}
