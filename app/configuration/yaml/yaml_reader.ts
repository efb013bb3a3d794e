import { ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import type { YamlProblemCode, YamlResult } from './tree.js'

const WORKER_FILE = new URL('./yaml_worker.ts', import.meta.url)

/**
 * Memory limit per thread: four times what the worst known text needs. It is a bound, not reserved.
 */
const MEMORY_MB = 256

/**
 * Reads YAML in separate threads, so that a hostile file cannot block the event loop and uses at
 * most `deadline` milliseconds of CPU time.
 */
export class YamlReader {
  readonly #threads: ThreadPool<string, YamlResult>

  constructor(options: { size?: number; deadline?: number; memoryMb?: number } = {}) {
    this.#threads = new ThreadPool(WORKER_FILE, {
      threads: options.size ?? 2,
      waiting: 20,
      deadline: options.deadline ?? 1000,
      memoryMb: options.memoryMb ?? MEMORY_MB,
    })
  }

  /**
   * Reads bytes or text. Anything other than one small YAML document returns problems. The caller
   * checks the 128 KiB limit of the file before it reads a body.
   * @throws not_ready when too many texts are already waiting, or when reading was interrupted
   */
  async read(input: Uint8Array | string): Promise<YamlResult> {
    const text = typeof input === 'string' ? input : decode(input)
    if (text === null) return refusal('yaml_encoding', 'The file is not UTF-8 text')
    try {
      return await this.#threads.run(text)
    } catch (error) {
      if (!(error instanceof ThreadOverrun)) throw error
      return refusal('yaml_too_costly', 'Reading the file takes more time or memory than allowed')
    }
  }

  /** Stops the threads. Reads in progress are refused. */
  async close(): Promise<void> {
    await this.#threads.close()
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function refusal(code: YamlProblemCode, message: string): YamlResult {
  return { ok: false, problems: [{ code, message, path: [], line: 1, column: 1 }] }
}
