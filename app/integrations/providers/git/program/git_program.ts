import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ProviderError } from '#plugin-kit/provider_error'
import { GitFailure, refused, type Outcome } from './failures.js'

/** What git may print before it is stopped, in bytes. */
const MOST_OUTPUT = 32 * 1024 * 1024
const MOST_STDERR = 64 * 1024
/** The longest field of a streamed output that is kept whole, in bytes. */
const LONGEST_FIELD = 4 * 1024 * 1024

/** What runs now; it ends with the process, also where nobody waits for it. */
const children = new Set<ChildProcess>()

process.on('exit', () => children.forEach(killGroup))

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is over already.
  }
}

export interface Surroundings {
  /** The whole environment: nothing of ours is inherited. */
  env: Readonly<Record<string, string>>
  /** Configuration that goes before every repository's own, as `key=value`. */
  config: readonly string[]
  /** Ends the program and all that it started. */
  signal: AbortSignal
  /** Takes secrets out of what programs and servers say. */
  redact: (text: string) => string
}

export interface Running {
  input?: Buffer | string
  /** Exit codes that are an answer; 0 alone where it is absent. */
  expected?: readonly number[]
  /** What is known of a change when the program is stopped; nothing was changed where it is absent. */
  outcome?: Outcome
  /** Kept out of what other programs get. */
  env?: Readonly<Record<string, string>>
  mostOutput?: number
}

export interface Finished {
  code: number
  stdout: Buffer
  stderr: string
}

/**
 * Runs the program git: arguments as a list and never through a shell, in an environment of its
 * own, in a group of processes that is ended as a whole.
 */
export class GitProgram {
  constructor(private readonly around: Surroundings) {}

  /**
   * Runs a command to its end.
   * @throws GitFailure for another exit code than expected; ProviderError `timeout`, `unavailable`
   * without git, `protocol` for more output than fits
   */
  async run(args: readonly string[], running: Running = {}): Promise<Finished> {
    const { expected = [0], outcome = 'notApplied', mostOutput = MOST_OUTPUT } = running
    const child = this.#start(args, running)
    const stdout: Buffer[] = []
    let size = 0
    child.process.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= mostOutput) stdout.push(chunk)
      else child.kill()
    })
    const code = await child.ended(outcome)
    if (size > mostOutput) {
      throw new ProviderError('protocol', `git ${args[0]} printed too much`, { outcome })
    }
    if (!expected.includes(code)) throw new GitFailure(args[0], code, child.stderr())
    return { code, stdout: Buffer.concat(stdout), stderr: child.stderr() }
  }

  /**
   * The fields of an output that is separated by NUL, one by one as they come; whoever stops
   * reading stops the program.
   * @throws as `run`
   */
  async *fields(args: readonly string[], running: Running = {}): AsyncGenerator<Buffer> {
    const { expected = [0], outcome = 'notApplied' } = running
    const child = this.#start(args, running)
    let isWhole = false
    try {
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of child.process.stdout as AsyncIterable<Buffer>) {
        let from = 0
        for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
          yield Buffer.concat([rest, chunk.subarray(from, at)])
          rest = Buffer.alloc(0)
          from = at + 1
        }
        rest = Buffer.concat([rest, chunk.subarray(from)])
        if (rest.length > LONGEST_FIELD) {
          throw new ProviderError('protocol', `git ${args[0]} printed too much`, { outcome })
        }
      }
      isWhole = true
      if (rest.length > 0) yield rest
      const code = await child.ended(outcome)
      if (!expected.includes(code)) throw new GitFailure(args[0], code, child.stderr())
    } finally {
      if (!isWhole) child.kill()
      await child.ended(outcome).catch(() => {})
    }
  }

  /** The same program in other surroundings. */
  with({ env = {}, config = [] }: Partial<Pick<Surroundings, 'env' | 'config'>>): GitProgram {
    const { around } = this
    return new GitProgram({
      ...around,
      env: { ...around.env, ...env },
      config: [...around.config, ...config],
    })
  }

  redact(text: string): string {
    return this.around.redact(text)
  }

  #start(args: readonly string[], { input, env }: Running) {
    const { signal, config, env: surrounding } = this.around
    const given = config.flatMap((each) => ['-c', each])
    const child = spawn('git', [...given, ...args], {
      cwd: '/',
      env: { ...surrounding, ...env },
      stdio: 'pipe',
      // A group of its own, so that ssh and whatever else git starts end with it.
      detached: true,
    })
    children.add(child)
    child.once('close', () => children.delete(child))
    let isStopped = signal.aborted
    const kill = () => killGroup(child)
    const stop = () => {
      isStopped = true
      kill()
    }
    if (isStopped) kill()
    signal.addEventListener('abort', stop, { once: true })
    const stderr: Buffer[] = []
    let told = 0
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.length
      if (told <= MOST_STDERR) stderr.push(chunk)
    })
    // Who does not read its input to the end closes it.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
    const closed = once(child, 'close').finally(() => signal.removeEventListener('abort', stop))
    closed.catch(() => {})
    const ended = async (outcome: Outcome): Promise<number> => {
      const [code] = await closed.catch((error: NodeJS.ErrnoException) => {
        throw refused('unavailable', `The program git does not run (${error.code})`, 'no_git')
      })
      if (isStopped) {
        throw new ProviderError('timeout', `git ${args[0]} did not end in time`, { outcome })
      }
      return Number(code ?? -1)
    }
    const said = () => {
      const text = Buffer.concat(stderr).toString('utf8')
      // Where it was cut there may be half of a secret.
      const whole = told > MOST_STDERR ? text.slice(0, text.lastIndexOf('\n') + 1) : text
      return this.around.redact(whole)
    }
    return { process: child, kill, ended, stderr: said }
  }
}
