import { addAbortSignal, type Readable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import type { ByteRange } from '#foundation/core/files/file_store'
import { TaskTime, ThreadOverrun, ThreadPool, type RunOptions } from '#foundation/core/thread_pool'
import type { RemoteFile } from '#app-archives/byte_source'
import type { ArchiveResult } from '#app-archives/metadata'

const WORKER_FILE = new URL('./archive_worker.ts', import.meta.url)

/** The maximum heap of a thread, in MiB. */
const MEMORY_MB = 256
/** The processor time that reading one archive may take, in milliseconds. */
const DEADLINE = 10_000

/**
 * Reads archives in threads of its own, so that a hostile archive cannot block the event loop or use
 * more than the deadline, and no other archive fails with it.
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
   * Reads a local file. Returns a reason if it is no archive that can be read within the limits.
   * @throws not_ready if too many files wait already; errors of the disk
   */
  async read(path: string): Promise<ArchiveResult> {
    return this.#run(path)
  }

  /**
   * Reads a remote file. Fetches only the directory of the archive and the entries that describe
   * the app.
   * @param size of the file, in bytes
   * @param open opens a range of the file
   * @param signal aborts the reading
   * @throws not_ready; the error of `open` or of its stream
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
            // Rejected here: a failure reported by the thread would be blamed on the file.
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
      return {
        isRead: false,
        reason: 'Reading the archive takes more time or memory than allowed.',
      }
    }
  }

  /** Ends the threads; readings under way fail. */
  async close(): Promise<void> {
    await this.#threads.close()
  }
}

/** Reads a range completely, into a buffer of its own. @throws the error of the stream */
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
