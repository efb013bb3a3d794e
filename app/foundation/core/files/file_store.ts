import type { Readable } from 'node:stream'

/** The content to store: bytes, or a local file with its size in bytes. */
export type FileSource = Uint8Array | { path: string; size: number }

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  first: number
  last: number
}

/** A file as the storage lists it. */
export interface ListedFile {
  key: string
  /** In bytes. */
  size: number
  /** In milliseconds since the epoch. */
  modifiedAt: number
}

/** An incomplete remainder of storing a file; nobody can read it. */
export interface Unfinished {
  /** For people. */
  name: string
  /** In milliseconds since the epoch. */
  begunAt: number
  remove(): Promise<void>
}

/**
 * The kind of a failed request. `missing`: there is no such file; `away`: the storage may succeed
 * later (full, slow, unreachable); `refused`: it fails until somebody changes its settings.
 */
export type FailureKind = 'missing' | 'away' | 'refused'

/** A storage that failed; its message is for the log alone. */
export class StoreFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    cause: unknown
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Returns what runs the work of an adapter, whose errors become StoreFailures of their kind. */
export const failingWith =
  (kindOf: (error: unknown) => FailureKind) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof StoreFailure ? error : new StoreFailure(kindOf(error), error)
    }
  }

/**
 * The storage of files. One adapter per kind of disk adds what a Drive disk lacks: parts of files,
 * durability, large files, inspection. Every method throws a StoreFailure.
 */
export interface FileStore {
  /**
   * Stores a file under an unused key. The file is complete and durable when this resolves, not
   * visible before, and removed when this rejects.
   */
  put(key: string, source: FileSource, contentType: string): Promise<void>
  /** Opens a file, or a part of it, for reading. */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Returns the local path of a file, for random access; null if it is not on this machine. */
  localPath(key: string): string | null
  /** Returns the size in bytes; null if there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** Removes a file; a missing one is no error. */
  remove(key: string): Promise<void>
  /** Lists the files whose keys begin with a folder (`files/`), in batches. */
  list(folder: string): AsyncIterable<ListedFile[]>
  /** Lists incomplete remainders under the folders. */
  unfinished(folders: readonly string[]): AsyncIterable<Unfinished[]>
  /** Checks that the storage answers and accepts files. */
  check(): Promise<void>
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    fileStore: FileStore
  }
}
