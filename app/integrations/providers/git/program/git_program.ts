import { ProviderError } from '#plugin-kit/provider_error'
import { GitFailure, refused, type Outcome } from './failures.js'
import { LauncherEnded, launchGit, NotBegun } from './launcher.js'

/** Maximum output of git, in bytes. */
const MAX_OUTPUT = 32 * 1024 * 1024
const MAX_STDERR = 64 * 1024
/** The longest field of a streamed output that is kept whole, in bytes. */
const MAX_FIELD_LENGTH = 4 * 1024 * 1024

interface Surroundings {
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
  /** The outcome of a change when the program is stopped; nothing was changed if it is absent. */
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
    const { expected = [0], outcome = 'notApplied', mostOutput = MAX_OUTPUT } = running
    const child = this.#start(args, running)
    const stdout: Buffer[] = []
    let size = 0
    for await (const chunk of child.stdout()) {
      size += chunk.length
      if (size <= mostOutput) stdout.push(chunk)
      else child.kill()
    }
    const code = await child.ended(outcome)
    if (size > mostOutput) {
      throw new ProviderError('protocol', `git ${args[0]} printed too much`, { outcome })
    }
    if (!expected.includes(code)) throw new GitFailure(args[0], code, child.stderr())
    return { code, stdout: Buffer.concat(stdout), stderr: child.stderr() }
  }

  /**
   * Yields the fields of an output that is separated by NUL, one by one as they come; whoever stops
   * reading stops the program.
   * @throws as `run`
   */
  async *fields(args: readonly string[], running: Running = {}): AsyncGenerator<Buffer> {
    const { expected = [0], outcome = 'notApplied' } = running
    const child = this.#start(args, running)
    let isWhole = false
    try {
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of child.stdout()) {
        let from = 0
        for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
          yield Buffer.concat([rest, chunk.subarray(from, at)])
          rest = Buffer.alloc(0)
          from = at + 1
        }
        rest = Buffer.concat([rest, chunk.subarray(from)])
        if (rest.length > MAX_FIELD_LENGTH) {
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

  /** Returns the same program with another environment. */
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

  #start(args: readonly string[], { input = '', env }: Running) {
    const { signal, config, env: surrounding } = this.around
    const timeout = (outcome: Outcome) =>
      new ProviderError('timeout', `git ${args[0]} did not end in time`, { outcome })
    if (signal.aborted) throw timeout('notApplied')
    const given = config.flatMap((each) => ['-c', each])
    const stderr: Buffer[] = []
    let reported = 0
    const launched = launchGit(
      { args: [...given, ...args], env: { ...surrounding, ...env }, input: Buffer.from(input) },
      (chunk) => {
        reported += chunk.length
        if (reported <= MAX_STDERR) stderr.push(chunk)
      }
    )
    let isStopped = false
    const stop = () => {
      isStopped = true
      launched.kill()
    }
    signal.addEventListener('abort', stop, { once: true })
    const closed = launched.ended.finally(() => signal.removeEventListener('abort', stop))
    closed.catch(() => {})
    const ended = async (outcome: Outcome): Promise<number> => {
      const code = await closed.catch((error: unknown) => {
        throw notEnded(error, outcome)
      })
      if (isStopped) throw timeout(outcome)
      return Number(code ?? -1)
    }
    const said = () => {
      const text = Buffer.concat(stderr).toString('utf8')
      // A truncated line may contain half of a secret.
      const whole = reported > MAX_STDERR ? text.slice(0, text.lastIndexOf('\n') + 1) : text
      return this.around.redact(whole)
    }
    return {
      stdout: () => launched.stdout(),
      kill: () => launched.kill(),
      ended,
      stderr: said,
    }
  }
}

/** Returns the provider's error for a run without an exit code. */
function notEnded(error: unknown, outcome: Outcome): unknown {
  if (error instanceof NotBegun) {
    return refused('unavailable', `The program git does not run (${error.code})`, 'no_git')
  }
  if (error instanceof LauncherEnded) {
    return new ProviderError('unavailable', error.message, { outcome, reason: 'launcher' })
  }
  return error
}
