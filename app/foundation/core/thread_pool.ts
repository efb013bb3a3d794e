import { setTimeout as pause } from 'node:timers/promises'
import type { MessagePort, Worker } from 'node:worker_threads'
import app from '@adonisjs/core/services/app'
import type { Piscina } from 'piscina'
import { refuse } from './problems/problem.js'

interface ThreadPoolOptions {
  /** Threads at most. They are started when they are needed and end when they have been idle. */
  threads: number
  /** Tasks that wait for a thread at most; each may hold one for the whole deadline. */
  waiting: number
  /**
   * Milliseconds of its processor that a task may use. On the clock it may take several times as
   * long before it is interrupted: a thread that others keep from the processor is not to blame.
   */
  deadline: number
  /**
   * Heap of a thread, in MiB; buffers do not count. Set it well above what the worst task needs:
   * V8 may abort the whole process when a thread is ended close to it.
   */
  memoryMb: number
}

const IDLE_MS = 10_000

/** Factor of the deadline that bounds a task by the clock, and its minimum in milliseconds. */
const PATIENCE = 10
const LEAST_PATIENCE_MS = 2000

/** Least milliseconds between two looks at what a task has used. */
const LOOK_MS = 10

/** Suggested delay before an interrupted task is retried, in seconds. */
const AGAIN_SECONDS = 5

/** The task used more of the processor or of memory than it may. */
export class ThreadOverrun extends Error {}

/** Why a task is given up that no thread could begin. */
const BROKEN = 'broken'

/** Why a task is ended: it has used up its time, or it gets no further. */
type Over = 'used' | 'stuck'

/**
 * The time of one task: that of its thread's processor. It stands still while the thread waits
 * for somebody else, and while the whole process does not run.
 */
export class TaskTime {
  #deadline = 0
  #patience = 0
  /** Milliseconds on the clock in which the task could have gone on. */
  #passed = 0
  #since = 0
  #slice = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #used = async () => 0
  #isOver: (why: Over) => void = () => {}

  /**
   * @param deadline milliseconds of the processor that the task may use
   * @param used answers what it has used so far
   * @param patience milliseconds on the clock after which it gets no further
   */
  begin(
    deadline: number,
    used: () => Promise<number>,
    isOver: (why: Over) => void,
    patience = Math.max(PATIENCE * deadline, LEAST_PATIENCE_MS)
  ): void {
    this.#deadline = deadline
    this.#patience = patience
    this.#used = used
    this.#isOver = isOver
    this.#goOn(deadline)
  }

  /** Work that the task waits for and cannot hurry. */
  async outside<Result>(work: () => Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer)
    this.#count()
    try {
      return await work()
    } finally {
      this.#goOn(this.#slice)
    }
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }

  #goOn(slice: number): void {
    if (this.#isEnded) return
    this.#since = performance.now()
    this.#slice = Math.max(slice, LOOK_MS)
    this.#timer = setTimeout(() => void this.#look(), this.#slice)
  }

  /** A late timer indicates a process that did not run, or hardly. */
  #count(): void {
    this.#passed += Math.min(performance.now() - this.#since, this.#slice)
  }

  async #look(): Promise<void> {
    this.#count()
    // A thread that cannot say it, because it is ending or in code of others, is waited for.
    const used = await Promise.race([this.#used(), pause(this.#slice, 0)])
    if (this.#isEnded) return
    if (used >= this.#deadline) this.#isOver('used')
    else if (this.#passed >= this.#patience) this.#isOver('stuck')
    else this.#goOn(this.#deadline - used)
  }
}

export interface RunOptions {
  /** Ports that are transferred to the thread instead of copied. */
  transfer?: readonly MessagePort[]
  /** The task's time, for whoever works for the task meanwhile. */
  time?: TaskTime
  /** Ends the task. */
  signal?: AbortSignal
}

interface Started {
  pool: Piscina
  /** The key of data that the pool must not pass to its thread. */
  aside: symbol
}

/** Data of a task that stays in this thread. */
interface Aside {
  begin: (used: () => Promise<number>) => void
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
  /** Tasks that no thread has begun yet. */
  readonly #unbegun = new Set<AbortController>()

  constructor(
    private readonly file: URL,
    private readonly options: ThreadPoolOptions
  ) {
    app.terminating(() => this.close())
  }

  /**
   * Runs the function on what can be cloned into a thread.
   * @throws ThreadOverrun; not_ready when too many tasks wait, or it was interrupted; what the
   * function throws
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
    for (const each of this.#waiting.splice(0)) each.refuse(serviceIsEnding())
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
    const over = new AbortController()
    const begin = (used: () => Promise<number>) => {
      this.#unbegun.delete(over)
      time.begin(this.options.deadline, used, (why) => over.abort(why))
    }
    this.#unbegun.add(over)
    const ended = signal ? AbortSignal.any([over.signal, signal]) : over.signal
    try {
      const task = { input, [aside]: { begin } }
      return (await pool.run(task, { signal: ended, transferList: [...transfer] })) as Output
    } catch (error) {
      if (signal?.aborted) throw error
      if (over.signal.reason === BROKEN)
        throw interrupted('No thread could begin to read the file.')
      if (over.signal.reason === 'stuck') throw interrupted('The file could not be read in time.')
      if (over.signal.aborted || isOutOfMemory(error)) {
        throw new ThreadOverrun('It takes more than it may', { cause: error })
      }
      throw this.#started === null ? serviceIsEnding() : error
    } finally {
      this.#unbegun.delete(over)
      time.end()
    }
  }

  async #start(): Promise<Started> {
    const piscina = await import('piscina')
    const pool: Piscina = new piscina.Piscina({
      filename: this.file.href,
      minThreads: 0,
      maxThreads: this.options.threads,
      idleTimeout: IDLE_MS,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.options.memoryMb },
      recordTiming: false,
      // Reports when a thread begins a task: starting one is not the task's time.
      loadBalancer: (task, threads) => {
        const idle = threads.find((each) => each.currentUsage === 0) ?? null
        const thread = idle && pool.threads.find(({ threadId }) => threadId === idle.id)
        if (thread) (task[piscina.queueOptionsSymbol] as Aside).begin(usedFromNow(thread))
        return idle
      },
    })
    // A thread that breaks before it has begun a task: the pool would start others for ever.
    pool.on('error', (error: unknown) => {
      app.container.make('logger').then((logger) => logger.error({ err: error }, 'A thread broke'))
      for (const each of this.#unbegun) each.abort(BROKEN)
    })
    return { pool, aside: piscina.queueOptionsSymbol }
  }
}

const interrupted = (detail: string) =>
  refuse('not_ready', { detail, headers: { 'retry-after': String(AGAIN_SECONDS) } })
const serviceIsEnding = () => interrupted('The service is ending.')

/** Returns a function for the milliseconds of processor time that a thread has used since now. */
function usedFromNow(thread: Worker): () => Promise<number> {
  const before = thread.cpuUsage()
  // The result of an ended thread is not needed any more.
  before.catch(() => undefined)
  return async () => {
    try {
      const { user, system } = await thread.cpuUsage(await before)
      return (user + system) / 1000
    } catch {
      return 0
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
