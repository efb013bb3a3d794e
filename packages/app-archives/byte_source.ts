import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'

/** Access to the bytes of a local or remote file. */
export interface ByteSource {
  /** Size of the whole file, in bytes. */
  readonly size: number
  /** The minimum and maximum number of bytes to read ahead: fewer if each read is cheap. */
  readonly ahead: { least: number; most: number }
  /** Reads bytes from a position on, fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
  close(): void
}

/** A remote file, which the holder of the other end of the port reads. */
export interface RemoteFile {
  port: MessagePort
  /** In bytes. */
  size: number
}

const KIB = 1024
const MIB = 1024 * KIB

/** A local file. */
class LocalSource implements ByteSource {
  readonly ahead = { least: MIB, most: MIB }
  readonly #fd: number
  readonly size: number

  constructor(path: string) {
    this.#fd = openSync(path, 'r')
    this.size = fstatSync(this.#fd).size
  }

  async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const got = readSync(this.#fd, buffer, filled, length - filled, position + filled)
      if (got === 0) break
      filled += got
    }
    return buffer.subarray(0, filled)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** A remote file: each read is a request, so more is read ahead. */
class RemoteSource implements ByteSource {
  readonly ahead = { least: 64 * KIB, most: 4 * MIB }
  readonly size: number
  readonly #port: MessagePort

  constructor({ port, size }: RemoteFile) {
    this.#port = port
    this.size = size
  }

  async read(position: number, length: number): Promise<Buffer> {
    const available = Math.max(0, Math.min(length, this.size - position))
    if (available === 0) return Buffer.alloc(0)
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      this.#port.once('message', resolve)
      this.#port.postMessage({ first: position, last: position + available - 1 })
    })
    if (bytes === null) throw new Error('The file cannot be read where it is')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  close(): void {
    this.#port.close()
  }
}

export const openSource = (file: string | RemoteFile): ByteSource =>
  typeof file === 'string' ? new LocalSource(file) : new RemoteSource(file)

/** A window over a source that reads ahead, so that sequential access needs few reads. */
export class Window {
  readonly #source: ByteSource
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** Reads bytes from a position on, and reads ahead for the next call. */
  async read(position: number, length: number): Promise<Buffer> {
    requirePlace(position)
    if (!this.#has(position, length)) {
      const { least, most } = this.#source.ahead
      const isSequential = position >= this.#start && position <= this.#start + this.#bytes.length
      const ahead = isSequential ? Math.min(most, Math.max(least, 2 * this.#bytes.length)) : least
      this.#bytes = await this.#source.read(position, Math.max(length, ahead))
      this.#start = position
    }
    return this.#within(position, length)
  }

  /** Reads bytes without reading ahead: for large parts that are read once. */
  async readOnce(position: number, length: number): Promise<Buffer> {
    requirePlace(position)
    if (this.#has(position, length)) return this.#within(position, length)
    return this.#source.read(position, length)
  }

  #has(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#bytes.length
  }

  #within(position: number, length: number): Buffer {
    const from = position - this.#start
    return this.#bytes.subarray(from, from + length)
  }
}

function requirePlace(position: number): void {
  if (!Number.isSafeInteger(position) || position < 0) throw new RangeError('No such place')
}
