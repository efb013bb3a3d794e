import app from '@adonisjs/core/services/app'
import { ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import type { ArchiveResult } from './metadata.js'

const WORKER_FILE = new URL('./archive_worker.ts', import.meta.url)

/** Heap of a thread, in MiB. */
const MEMORY_MB = 256
/** Milliseconds that reading one archive may take. */
const DEADLINE = 10_000

/**
 * Reads archives in threads of its own, so that a hostile one costs the service neither its
 * event loop nor more than its deadline, and fails alone.
 */
export class ArchiveReader {
  readonly #threads: ThreadPool<string, ArchiveResult>

  constructor(options: { deadline?: number; memoryMb?: number; worker?: URL } = {}) {
    this.#threads = new ThreadPool(options.worker ?? WORKER_FILE, {
      threads: 2,
      waiting: 20,
      deadline: options.deadline ?? DEADLINE,
      memoryMb: options.memoryMb ?? MEMORY_MB,
    })
  }

  /**
   * Reads a file of this machine; what it is not, or holds too much of, is told as a reason.
   * @throws not_ready when too many files wait already; what the disk fails with
   */
  async read(path: string): Promise<ArchiveResult> {
    try {
      return await this.#threads.run(path)
    } catch (error) {
      // What is ended with the service says nothing of the file.
      if (!(error instanceof ThreadOverrun) || app.isTerminating) throw error
      return { isRead: false, reason: 'Reading the archive takes more time or memory than it may.' }
    }
  }

  /** Ends the threads; what is being read is refused. */
  async close(): Promise<void> {
    await this.#threads.close()
  }
}
