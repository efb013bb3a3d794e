import type { MessagePort } from 'node:worker_threads'
import app from '@adonisjs/core/services/app'
import type { Piscina } from 'piscina'
import { refuse } from './problems/problem.js'

interface ThreadPoolOptions {
  /** Threads at most. They are started when they are needed and end when they have been idle. */
  threads: number
  /** Tasks that wait for a thread at most; each may hold one for the whole deadline. */
  waiting: number
  /** Milliseconds a task may take, counted from when a thread begins it. */
  deadline: number
  /**
   * Heap of a thread, in MiB; buffers do not count. Set it well above what the worst task needs:
   * V8 may abort the whole process when a thread is ended close to it.
   */
  memoryMb: number
}

const IDLE_MS = 10_000

/** The task took more time or memory than it may, or was ended with the service. */
export class ThreadOverrun extends Error {}

/** The time of one task, which stands still while the thread waits for somebody else. */
export class TaskTime {
  #left = 0
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #isOver = () => {}

  /** @param milliseconds that the task may take */
  begin(milliseconds: number, isOver: () => void): void {
    this.#left = milliseconds
    this.#isOver = isOver
    this.#goOn()
  }

  /** Work that the task waits for and cannot hurry. */
  async outside<Result>(work: () => Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer)
    this.#left -= performance.now() - this.#since
    try {
      return await work()
    } finally {
      this.#goOn()
    }
  }

  end(): void {
    this.#isOver = () => {}
    clearTimeout(this.#timer)
  }

  #goOn(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(() => this.#isOver(), Math.max(0, this.#left))
  }
}

export interface RunOptions {
  /** What goes over to the thread in place of a copy. */
  transfer?: readonly MessagePort[]
  /** The task's time, for whoever works for the task meanwhile. */
  time?: TaskTime
  /** Ends the task. */
  signal?: AbortSignal
}

interface Started {
  pool: Piscina
  /** Where a task carries what the pool is not to hand to its thread. */
  aside: symbol
}

interface Waiting {
  begin: () => void
  refuse: (error: Error) => void
}

/**
 * Runs the function that a file of ours exports by default in threads of their own, so that
 * reading a hostile file costs the service neither its event loop nor more than the deadline:
 * a thread that overruns is ended and replaced. Make it while its module loads, so that it is
 * closed after the server has answered what it has begun.
 *
 * Threads run without our TypeScript loader, environment and container: the file and what it
 * imports keep to type annotations that Node strips itself, and import each other as `.ts`.
 */
export class ThreadPool<Input, Output> {
  #started: Promise<Started> | null = null
  #running = 0
  readonly #waiting: Waiting[] = []

  constructor(
    private readonly file: URL,
    private readonly options: ThreadPoolOptions
  ) {
    app.terminating(() => this.close())
  }

  /**
   * Runs the function on what can be cloned into a thread.
   * @throws ThreadOverrun; not_ready when too many tasks wait; what the function throws
   */
  async run(input: Input, options: RunOptions = {}): Promise<Output> {
    await this.#turn()
    try {
      return await this.#carryOut(input, options)
    } finally {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#running -= 1
    }
  }

  /** Ends the threads, also those that work. It may be used again afterwards. */
  async close(): Promise<void> {
    for (const each of this.#waiting.splice(0)) each.refuse(this.#refusal('The service is ending.'))
    const started = await this.#started
    this.#started = null
    await started?.pool.destroy()
  }

  /**
   * Waits here and not in the pool: there, a task that can be aborted would not count for the
   * queue's bound, and would be forgotten when the last thread before it is ended.
   */
  async #turn(): Promise<void> {
    if (this.#running < this.options.threads) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.options.waiting) {
      throw this.#refusal('Too many files wait to be read.')
    }
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ begin: resolve, refuse: reject })
    })
  }

  #refusal(detail: string) {
    const { waiting, deadline, threads } = this.options
    // Until a full queue is done at worst.
    const seconds = Math.ceil((waiting * deadline) / threads / 1000)
    return refuse('not_ready', { detail, headers: { 'retry-after': String(seconds) } })
  }

  async #carryOut(
    input: Input,
    { transfer = [], time = new TaskTime(), signal }: RunOptions
  ): Promise<Output> {
    const { pool, aside } = await (this.#started ??= this.#start())
    const overrun = new AbortController()
    const begin = () => time.begin(this.options.deadline, () => overrun.abort())
    const ended = signal ? AbortSignal.any([overrun.signal, signal]) : overrun.signal
    try {
      const task = { input, [aside]: { begin } }
      return (await pool.run(task, { signal: ended, transferList: [...transfer] })) as Output
    } catch (error) {
      if (this.#started === null || isOverrun(error)) {
        throw new ThreadOverrun('Ended before its time', { cause: error })
      }
      throw error
    } finally {
      time.end()
    }
  }

  async #start(): Promise<Started> {
    const piscina = await import('piscina')
    const pool = new piscina.Piscina({
      filename: this.file.href,
      minThreads: 0,
      maxThreads: this.options.threads,
      idleTimeout: IDLE_MS,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.options.memoryMb },
      recordTiming: false,
      // Tells when a thread begins a task: starting one is not the task's time.
      loadBalancer: (task, threads) => {
        const idle = threads.find((each) => each.currentUsage === 0) ?? null
        if (idle) (task[piscina.queueOptionsSymbol] as { begin: () => void }).begin()
        return idle
      },
    })
    // A thread that breaks while nobody waits for it is replaced by the next task.
    pool.on('error', () => undefined)
    return { pool, aside: piscina.queueOptionsSymbol }
  }
}

function isOverrun(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string }
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}
