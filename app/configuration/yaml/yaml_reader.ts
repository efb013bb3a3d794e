import { ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import type { YamlProblemCode, YamlResult } from './tree.js'

const WORKER_FILE = new URL('./yaml_worker.ts', import.meta.url)

/** Four times what reading the worst text we know of needs; it is a bound, not set aside. */
const MEMORY_MB = 256

/**
 * Reads YAML in threads of its own, so that a hostile file costs the service neither its event
 * loop nor more than `deadline` milliseconds of a processor.
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
   * Reads bytes or text; anything that is not one small YAML document comes back as problems.
   * The 128 KiB limit of the file is the caller's to check before it reads a body.
   * @throws not_ready when too many texts wait already, or reading it was interrupted.
   */
  async read(input: Uint8Array | string): Promise<YamlResult> {
    const text = typeof input === 'string' ? input : decode(input)
    if (text === null) return refusal('yaml_encoding', 'The file is not UTF-8 text')
    try {
      return await this.#threads.run(text)
    } catch (error) {
      if (!(error instanceof ThreadOverrun)) throw error
      return refusal('yaml_too_costly', 'Reading the file takes more than it may')
    }
  }

  /** Ends the threads; what is being read is refused. */
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
