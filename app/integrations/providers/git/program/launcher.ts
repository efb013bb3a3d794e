import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('launcher_process.js', import.meta.url))

/** Milliseconds after which a launcher that nobody asks for anything ends. */
const IDLE = 60_000

/** Maximum unread output of a program, in bytes; the program waits beyond it. */
const WINDOW = 256 * 1024

/** It only hands things over: outputs that were handed over are let go soon. MiB. */
const MEMORY = ['--max-semi-space-size=1', '--max-old-space-size=32']

interface Begin {
  args: readonly string[]
  /** The whole environment. */
  env: Readonly<Record<string, string>>
  input: Buffer
}

type Output = 'stdout' | 'stderr'

/** A message to the launcher about a program. */
type LauncherRequest =
  | { begin: Begin & { window: number } }
  | { taken: Output; bytes: number }
  | { kill: true }

/** A message of the launcher. `failed` is the error code if git could not be started. */
interface Reported {
  id: number
  pid?: number
  stdout?: Buffer
  stderr?: Buffer
  code?: number | null
  failed?: string
}

/** The launcher ended while git ran: git was ended, too. */
export class LauncherEnded extends Error {
  override readonly name = 'LauncherEnded'
}

/** Git could not be begun. */
export class NotBegun extends Error {
  constructor(readonly code: string) {
    super(`git could not be begun (${code})`)
  }
}

/** One run of git. */
class Launched {
  /** Process group id, once known. */
  pid: number | undefined
  /** The exit code, null for a signal. @throws NotBegun, LauncherEnded */
  readonly ended: Promise<number | null>
  readonly #chunks: Buffer[] = []
  readonly #end: PromiseWithResolvers<number | null> = Promise.withResolvers()
  #isOver = false
  #news = () => {}
  #taken = { stdout: 0, stderr: 0 }

  constructor(
    private readonly ask: (requested: LauncherRequest) => void,
    private readonly onStderr: (chunk: Buffer) => void
  ) {
    this.ended = this.#end.promise
    this.ended.catch(() => {})
  }

  /** Yields the output as it arrives; the program waits for a slow reader. */
  async *stdout(): AsyncGenerator<Buffer> {
    for (;;) {
      for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
        yield chunk
        this.#took('stdout', chunk.length)
      }
      if (this.#isOver) return
      await new Promise<void>((resolve) => (this.#news = resolve))
    }
  }

  /** Ends it with all that it started. */
  kill(): void {
    if (!this.#isOver) this.ask({ kill: true })
  }

  /** Takes a report of the launcher. @returns whether the process is over */
  hear({ pid, stdout, stderr, code, failed }: Reported): boolean {
    if (pid !== undefined) this.pid = pid
    if (stdout) this.#chunks.push(stdout)
    if (stderr) {
      this.onStderr(stderr)
      this.#took('stderr', stderr.length)
    }
    if (failed !== undefined) this.fail(new NotBegun(failed))
    if (code !== undefined) {
      this.#isOver = true
      this.#end.resolve(code)
    }
    this.#news()
    return this.#isOver
  }

  fail(error: Error): void {
    this.#isOver = true
    this.#end.reject(error)
    this.#news()
  }

  #took(output: Output, length: number): void {
    const bytes = (this.#taken[output] += length)
    if (this.#isOver || bytes < WINDOW / 2) return
    this.#taken[output] = 0
    this.ask({ taken: output, bytes })
  }
}

/** The process beside this one that begins git; it is there from the first run on. */
class Launcher {
  readonly #process: ChildProcess
  readonly #running = new Map<number, Launched>()
  #begun = 0
  #idle: NodeJS.Timeout | undefined

  /** @param onEnd called once nothing more may be asked of it */
  constructor(private readonly onEnd: () => void) {
    // Nothing of ours goes over but what is asked: no argument, no variable, no file.
    this.#process = fork(SCRIPT, {
      cwd: '/',
      env: {},
      execArgv: MEMORY,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Terminal signals to the service must not reach it.
      detached: true,
    })
    this.#process.on('message', (reported) => this.#hear(reported as Reported))
    this.#process.once('error', (error) => this.#ended(error.message))
    this.#process.once('exit', (code, signal) => this.#ended(signal ?? `exit code ${code}`))
    this.#process.unref()
  }

  begin(begin: Begin, onStderr: (chunk: Buffer) => void): Launched {
    const id = ++this.#begun
    const launched = new Launched((requested) => this.#ask(id, requested), onStderr)
    this.#running.set(id, launched)
    this.#ask(id, { begin: { ...begin, window: WINDOW } })
    clearTimeout(this.#idle)
    this.#process.channel?.ref()
    return launched
  }

  #ask(id: number, requested: LauncherRequest): void {
    // A launcher that cannot be asked any more has ended, or never began, which is reported below.
    if (this.#process.connected) this.#process.send({ id, ...requested }, () => {})
  }

  #hear(reported: Reported): void {
    if (!this.#running.get(reported.id)?.hear(reported)) return
    this.#running.delete(reported.id)
    if (this.#running.size > 0) return
    // It keeps nobody from ending.
    this.#process.channel?.unref()
    this.#idle = setTimeout(() => this.#release(), IDLE).unref()
  }

  #release(): void {
    this.onEnd()
    if (this.#process.connected) this.#process.disconnect()
  }

  #ended(how: string): void {
    clearTimeout(this.#idle)
    this.onEnd()
    for (const launched of this.#running.values()) {
      killGroup(launched.pid)
      launched.fail(new LauncherEnded(`The launcher of git has ended (${how})`))
    }
    this.#running.clear()
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
}

let current: Launcher | null = null

/**
 * Begins git in a group of processes of its own: by a small process, as beginning a program
 * costs the more the larger the process is that does it, which meanwhile does nothing else.
 * @param onStderr given what git says, as it comes
 */
export function launchGit(begin: Begin, onStderr: (chunk: Buffer) => void): Launched {
  if (!current) {
    const launcher: Launcher = new Launcher(() => {
      if (current === launcher) current = null
    })
    current = launcher
  }
  return current.begin(begin, onStderr)
}
