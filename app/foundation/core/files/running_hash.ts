import { createHash, type Hash } from 'node:crypto'
import { stat, type FileHandle } from 'node:fs/promises'
import { DAY } from '../durations.js'
import { giveBack } from './give_back.js'

/** Maximum number of hashes kept; the least recently used is dropped. */
const MAX_KEPT = 1000

/** The time for which an unused hash is kept, in milliseconds. */
const KEPT_MS = 2 * DAY

/** The SHA-256 of the beginning of a file; it continues when more of the file arrives. */
export class RunningHash {
  readonly #hash = createHash('sha256')
  #at = 0

  /** @param end offset in bytes from which nothing is hashed any more */
  constructor(private readonly end: number) {}

  /** Number of bytes hashed so far. */
  get at(): number {
    return this.#at
  }

  update(chunk: Buffer): void {
    const known = chunk.subarray(0, this.end - this.#at)
    this.#hash.update(known)
    this.#at += known.length
  }

  /** Returns an independent copy of the hash so far. */
  copy(): Hash {
    return this.#hash.copy()
  }

  digest(encoding: 'hex'): string {
    return this.copy().digest(encoding)
  }
}

/**
 * Distinguishes a file from one that was written to since, or replaced. Writing changes the time
 * even if it changes nothing else.
 */
export async function stampOf(file: FileHandle | string): Promise<string> {
  const { ino, size, mtimeNs } =
    typeof file === 'string'
      ? await stat(file, { bigint: true })
      : await file.stat({ bigint: true })
  return [ino, size, mtimeNs].join(' ')
}

interface Kept {
  hash: RunningHash
  stamp: string
  /** By the clock of the process, in milliseconds. */
  since: number
}

/** Hashes of files that this process saw arrive, while nobody else has written to them. */
export class KeptHashes {
  /** The one that was used least recently comes first. */
  readonly #kept = new Map<string, Kept>()

  constructor(private readonly now = () => performance.now()) {}

  get size(): number {
    return this.#kept.size
  }

  /** Removes and returns the hash of a file, to continue at an offset; null if it cannot. */
  take(id: string, offset: number, stamp: string): RunningHash | null {
    const hash = this.find(id, stamp)
    this.#kept.delete(id)
    return hash?.at === offset ? hash : null
  }

  /** Returns the hash of a file as it is now; null if somebody else has written to it. */
  find(id: string, stamp: string): RunningHash | null {
    const kept = this.#kept.get(id)
    return kept?.stamp === stamp ? kept.hash : null
  }

  keep(id: string, hash: RunningHash, stamp: string): void {
    const since = this.now()
    this.#kept.delete(id)
    this.#kept.set(id, { hash, stamp, since })
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && since - kept.since <= KEPT_MS) break
      this.#kept.delete(oldest)
    }
  }

  forget(id: string): void {
    this.#kept.delete(id)
  }
}

/**
 * Returns the SHA-256 of a file in hexadecimal digits.
 * @param stream of the file; nobody else may read its chunks
 * @param hash of the bytes before the stream
 */
export async function sha256Of(
  stream: AsyncIterable<Buffer>,
  hash: Hash = createHash('sha256')
): Promise<string> {
  for await (const chunk of stream) {
    hash.update(chunk)
    giveBack(chunk)
  }
  return hash.digest('hex')
}
