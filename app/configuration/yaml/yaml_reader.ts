import { Worker } from 'node:worker_threads'
import { refuse } from '#foundation/core/problems/problem'
import type { YamlProblemCode, YamlReading } from './tree.js'

/** One text waiting for, or being read by, a thread. */
interface Job {
  text: string
  resolve: (reading: YamlReading) => void
  reject: (error: Error) => void
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const WORKER_FILE = new URL(`./yaml_worker.${EXTENSION}`, import.meta.url)
const MEMORY_MB = 128

/** Texts that wait for a thread at most; each may hold one for the whole deadline. */
const MAX_WAITING = 20

/**
 * Reads YAML in threads of its own, so that a hostile file costs the service neither its event
 * loop nor more than `deadline` milliseconds: a thread that overruns is ended and replaced.
 */
export class YamlReader {
  readonly #size: number
  readonly #deadline: number
  readonly #idle: ReaderThread[] = []
  readonly #busy: Set<ReaderThread> = new Set()
  readonly #waiting: Job[] = []

  constructor(options: { size?: number; deadline?: number } = {}) {
    this.#size = options.size ?? 2
    this.#deadline = options.deadline ?? 1000
  }

  /**
   * Reads bytes or text; anything that is not one small YAML document comes back as problems.
   * The 128 KiB limit of the file is the caller's to check before it reads a body.
   * @throws not_ready when too many texts wait already.
   */
  async read(input: Uint8Array | string): Promise<YamlReading> {
    const text = typeof input === 'string' ? input : decode(input)
    if (text === null) return refusal('yaml_encoding', 'The file is not UTF-8 text')
    if (this.#waiting.length >= MAX_WAITING) {
      throw refuse('not_ready', {
        detail: 'Too many files wait to be read.',
        headers: { 'retry-after': String(this.#secondsToWait()) },
      })
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#next()
    })
  }

  /** Ends the threads; what is being read is refused. */
  async close(): Promise<void> {
    const threads = [...this.#idle.splice(0), ...this.#busy]
    await Promise.all(threads.map((thread) => thread.end()))
  }

  /** Until a full queue is read at worst. */
  #secondsToWait(): number {
    return Math.ceil((MAX_WAITING * this.#deadline) / this.#size / 1000)
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#busy.size >= this.#size) return
    const job = this.#waiting.shift() as Job
    const thread = this.#idle.pop() ?? new ReaderThread(this.#deadline)
    this.#busy.add(thread)
    thread
      .read(job.text)
      .then(job.resolve, job.reject)
      .finally(() => {
        this.#busy.delete(thread)
        if (thread.usable) this.#idle.push(thread)
        this.#next()
      })
  }
}

class ReaderThread {
  readonly #worker: Worker
  readonly #deadline: number
  readonly #ready: Promise<void>
  usable = true

  constructor(deadline: number) {
    this.#deadline = deadline
    // Without the parent's loaders: the worker needs none, and starts in half the time.
    this.#worker = new Worker(WORKER_FILE, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    this.#worker.on('error', () => (this.usable = false))
    this.#worker.on('exit', () => (this.usable = false))
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve())
      this.#worker.once('error', reject)
    })
  }

  async read(text: string): Promise<YamlReading> {
    this.#worker.ref()
    await this.#ready
    const reading = await this.#answer(text)
    this.#worker.unref()
    return reading
  }

  async end(): Promise<void> {
    this.usable = false
    await this.#worker.terminate()
  }

  #answer(text: string): Promise<YamlReading> {
    return new Promise((resolve) => {
      const settle = (reading: YamlReading) => {
        clearTimeout(timer)
        this.#worker.off('message', settle).off('error', broken).off('exit', broken)
        resolve(reading)
      }
      const broken = () => {
        this.usable = false
        settle(refusal('yaml_too_costly', 'Reading the file takes more than it may'))
      }
      const timer = setTimeout(() => {
        broken()
        void this.#worker.terminate()
      }, this.#deadline)
      this.#worker.on('message', settle).on('error', broken).on('exit', broken)
      this.#worker.postMessage(text)
    })
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function refusal(code: YamlProblemCode, message: string): YamlReading {
  return { ok: false, problems: [{ code, message, line: 1, column: 1 }] }
}
