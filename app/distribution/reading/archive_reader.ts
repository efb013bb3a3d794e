import { addAbortSignal, type Readable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import type { ByteRange } from '#foundation/core/files/file_store'
import { TaskTime, ThreadOverrun, ThreadPool, type RunOptions } from '#foundation/core/thread_pool'
import type { RemoteFile } from '#app-archives/byte_source'
import type { ArchiveResult } from '#app-archives/metadata'

const WORKER_FILE = new URL('./archive_worker.ts', import.meta.url)

/** Heap of a thread, in MiB. */
const MEMORY_MB = 256
/** Milliseconds of its processor that reading one archive may take. */
const DEADLINE = 10_000

/**
 * Reads archives in threads of its own, so that a hostile one costs the service neither its
 * event loop nor more than its deadline, and fails alone.
 */
export class ArchiveReader {
  readonly #threads: ThreadPool<string | RemoteFile, ArchiveResult>

  constructor(options: { deadline?: number; memoryMb?: number; worker?: URL } = {}) {
    this.#threads = new ThreadPool(options.worker ?? WORKER_FILE, {
      threads: 2,
      waiting: 20,
      deadline: options.deadline ?? DEADLINE,
      memoryMb: options.memoryMb ?? MEMORY_MB,
    })
  }

  /**
   * Reads a local file. Returns a reason if the file is of another type or too large.
   * @throws not_ready when too many files wait already; errors of the disk
   */
  async read(path: string): Promise<ArchiveResult> {
    return this.#run(path)
  }

  /**
   * Reads a remote file the same way: only the directory of the archive and the entries that
   * describe the app.
   * @param size of the file, in bytes
   * @param open gives a part of it
   * @param signal ends the reading
   * @throws not_ready; what a part cannot be read with
   */
  async readRemote(
    size: number,
    open: (range: ByteRange) => Promise<Readable>,
    signal: AbortSignal
  ): Promise<ArchiveResult> {
    const { port1: own, port2: port } = new MessageChannel()
    const time = new TaskTime()
    const failed = Promise.withResolvers<never>()
    own.on('message', (range: ByteRange) => {
      time
        .outside(async () => bytesOf(await open(range), range, signal))
        .then(
          (bytes) => own.postMessage(bytes, [bytes.buffer]),
          (error: unknown) => {
            // A failure of the thread says nothing about the file.
            failed.reject(error)
            own.postMessage(null)
          }
        )
    })
    try {
      const run = this.#run({ port, size }, { transfer: [port], time, signal })
      return await Promise.race([run, failed.promise])
    } finally {
      own.close()
    }
  }

  async #run(file: string | RemoteFile, options?: RunOptions): Promise<ArchiveResult> {
    try {
      return await this.#threads.run(file, options)
    } catch (error) {
      options?.signal?.throwIfAborted()
      if (!(error instanceof ThreadOverrun)) throw error
      return { isRead: false, reason: 'Reading the archive takes more time or memory than it may.' }
    }
  }

  /** Ends the threads; what is being read is refused. */
  async close(): Promise<void> {
    await this.#threads.close()
  }
}

/** A part of a file, whole, in memory of its own. @throws what the stream fails with */
async function bytesOf(
  stream: Readable,
  { first, last }: ByteRange,
  signal: AbortSignal
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(last - first + 1)
  let filled = 0
  for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    if (filled + chunk.length > bytes.length) throw new Error('The storage gives more than asked')
    bytes.set(chunk, filled)
    filled += chunk.length
  }
  if (filled < bytes.length) throw new Error('The storage gives less than asked')
  return bytes
}
