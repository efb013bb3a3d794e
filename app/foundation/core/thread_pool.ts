import { setTimeout as pause } from 'node:timers/promises'
import type { MessagePort, Worker } from 'node:worker_threads'
import app from '@adonisjs/core/services/app'
import type { Piscina } from 'piscina'
import { refuse } from './problems/problem.js'

interface ThreadPoolOptions {
  /** Maximum number of threads. They start on demand and end when idle. */
  threads: number
  /** Maximum number of tasks that wait for a thread; each may hold one for the whole deadline. */
  waiting: number
  /**
   * Processor time that a task may use, in milliseconds. It may take several times as long in wall
   * time before it is interrupted, because its thread may have to wait for a processor.
   */
  deadline: number
  /**
   * Heap of a thread, in MiB; buffers do not count. Set it well above what the worst task needs:
   * V8 may abort the whole process when a thread is ended close to it.
   */
  memoryMb: number
}

const IDLE_MS = 10_000

/** The limit in wall time, as a multiple of the deadline, and its minimum in milliseconds. */
const WALL_FACTOR = 10
const MIN_WALL_MS = 2000

/** Minimum milliseconds between two checks of a task. */
const CHECK_MS = 10

/** Suggested delay before an interrupted task is retried, in seconds. */
const AGAIN_SECONDS = 5

/** The task exceeded its processor time or memory. */
export class ThreadOverrun extends Error {}

/** Abort reason of a task that no thread could begin. */
const BROKEN = 'broken'

/** Abort reason of a running task: it has used up its processor time, or makes no progress. */
type Over = 'used' | 'stuck'

/**
 * Measures the processor time of one task. It stands still while the thread waits for somebody
 * else, and while the whole process is suspended.
 */
export class TaskTime {
  #deadline = 0
  #patience = 0
  /** Wall time in which the task could have run, in milliseconds. */
  #passed = 0
  #since = 0
  #slice = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #used = async () => 0
  #isOver: (why: Over) => void = () => {}

  /**
   * @param deadline processor time that the task may use, in milliseconds
   * @param used returns the processor time it has used so far, in milliseconds
   * @param patience wall time after which the task counts as stuck, in milliseconds
   */
  begin(
    deadline: number,
    used: () => Promise<number>,
    isOver: (why: Over) => void,
    patience = Math.max(WALL_FACTOR * deadline, MIN_WALL_MS)
  ): void {
    this.#deadline = deadline
    this.#patience = patience
    this.#used = used
    this.#isOver = isOver
    this.#goOn(deadline)
  }

  /** Runs work for which the task waits; its time does not count for the task. */
  async outside<Result>(work: () => Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer)
    this.#addPassed()
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
    this.#slice = Math.max(slice, CHECK_MS)
    this.#timer = setTimeout(() => void this.#check(), this.#slice)
  }

  /** Adds the wall time since the last check; a late timer means that the process was suspended. */
  #addPassed(): void {
    this.#passed += Math.min(performance.now() - this.#since, this.#slice)
  }

  async #check(): Promise<void> {
    this.#addPassed()
    // A thread that is ending or in native code cannot answer; then the check is repeated.
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
  /** The task's time, for callers that do work which the task waits for. */
  time?: TaskTime
  /** Ends the task. */
  signal?: AbortSignal
}

interface Started {
  pool: Piscina
  /** The key of task data that the pool must not pass to the thread. */
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
 * Runs the default export of one of our files in threads, so that reading a hostile file neither
 * blocks the event loop nor takes longer than the deadline: a thread that overruns is ended and
 * replaced. Create the pool while its module loads; then it is closed only after the server has
 * answered the requests under way.
 *
 * Threads run without our TypeScript loader, environment and container: the file and its imports
 * use only type annotations that Node strips itself, and import each other as `.ts`.
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
   * Runs the function on an input that can be cloned into a thread.
   * @throws ThreadOverrun; not_ready if too many tasks wait or the task was interrupted; errors of
   * the function
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

  /** Ends all threads, even busy ones. The pool may be used again afterwards. */
  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(serviceIsEnding())
    const started = await this.#started
    this.#started = null
    await started?.pool.destroy()
  }

  /**
   * Waits for a thread. It queues here and not in the pool, because Piscina does not count
   * abortable tasks in its queue limit, and forgets them when the last thread is ended.
   */
  async #turn(): Promise<void> {
    if (this.#running < this.options.threads) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.options.waiting) {
      throw this.#refusal('Too many files are waiting to be read.')
    }
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ begin: resolve, refuse: reject })
    })
  }

  #refusal(detail: string) {
    const { waiting, deadline, threads } = this.options
    // The time until a full queue is done, at worst.
    const seconds = Math.ceil((waiting * deadline) / threads / 1000)
    return refuse('not_ready', { detail, retryAfter: seconds })
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
        throw interrupted('No thread could start to read the file.')
      if (over.signal.reason === 'stuck') throw interrupted('The file could not be read in time.')
      if (over.signal.aborted || isOutOfMemory(error)) {
        throw new ThreadOverrun('It needs more time or memory than allowed', { cause: error })
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
      // Starts the task's time when a thread begins it: starting a thread does not count.
      loadBalancer: (task, threads) => {
        const idle = threads.find((each) => each.currentUsage === 0) ?? null
        const thread = idle && pool.threads.find(({ threadId }) => threadId === idle.id)
        if (thread) (task[piscina.queueOptionsSymbol] as Aside).begin(usedFromNow(thread))
        return idle
      },
    })
    // If a thread fails before it begins its task, the pool would start others for ever.
    pool.on('error', (error: unknown) => {
      app.container
        .make('logger')
        .then((logger) => logger.error({ err: error }, 'A thread crashed'))
      for (const task of this.#unbegun) task.abort(BROKEN)
    })
    return { pool, aside: piscina.queueOptionsSymbol }
  }
}

const interrupted = (detail: string) => refuse('not_ready', { detail, retryAfter: AGAIN_SECONDS })
const serviceIsEnding = () => interrupted('The service is shutting down.')

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
