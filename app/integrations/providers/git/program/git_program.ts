import { ProviderError } from '#plugin-kit/provider_error'
import { GitFailure, refused, type Outcome } from './failures.js'
import { LauncherEnded, launchGit, NotBegun } from './launcher.js'

/** Maximum output of git, in bytes. */
const MAX_OUTPUT = 32 * 1024 * 1024
const MAX_STDERR = 64 * 1024
/** The longest field of a streamed output that is kept whole, in bytes. */
const MAX_FIELD_LENGTH = 4 * 1024 * 1024

interface GitContext {
  /** The complete environment. The environment of this process is not inherited. */
  env: Readonly<Record<string, string>>
  /** Configuration that overrides that of every repository, as `key=value`. */
  config: readonly string[]
  /** Kills the program and everything that it started. */
  signal: AbortSignal
  /** Removes secrets from the output of programs and servers. */
  redact: (text: string) => string
}

export interface Running {
  input?: Buffer | string
  /** Exit codes that are not errors; only 0 by default. */
  expected?: readonly number[]
  /** The outcome to report if the program is stopped; `notApplied` by default. */
  outcome?: Outcome
  /** Environment variables for this run only. */
  env?: Readonly<Record<string, string>>
  maxOutput?: number
}

export interface Finished {
  code: number
  stdout: Buffer
  stderr: string
}

/**
 * Runs git without a shell, in its own environment, and in a process group that is killed as a
 * whole.
 */
export class GitProgram {
  constructor(private readonly context: GitContext) {}

  /**
   * Runs a command to its end.
   * @throws GitFailure for an unexpected exit code; ProviderError `timeout`, `unavailable` if git
   * cannot be started, `protocol` for too much output
   */
  async run(args: readonly string[], running: Running = {}): Promise<Finished> {
    const { expected = [0], outcome = 'notApplied', maxOutput = MAX_OUTPUT } = running
    const child = this.#start(args, running)
    const stdout: Buffer[] = []
    let size = 0
    for await (const chunk of child.stdout()) {
      size += chunk.length
      if (size <= maxOutput) stdout.push(chunk)
      else child.kill()
    }
    const code = await child.ended(outcome)
    if (size > maxOutput) {
      throw new ProviderError('protocol', `git ${args[0]} printed too much`, { outcome })
    }
    if (!expected.includes(code)) throw new GitFailure(args[0], code, child.stderr())
    return { code, stdout: Buffer.concat(stdout), stderr: child.stderr() }
  }

  /**
   * Yields the NUL-separated fields of the output as they arrive. The program is killed if the
   * consumer stops early.
   * @throws as `run`
   */
  async *fields(args: readonly string[], running: Running = {}): AsyncGenerator<Buffer> {
    const { expected = [0], outcome = 'notApplied' } = running
    const child = this.#start(args, running)
    let isComplete = false
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
      isComplete = true
      if (rest.length > 0) yield rest
      const code = await child.ended(outcome)
      if (!expected.includes(code)) throw new GitFailure(args[0], code, child.stderr())
    } finally {
      if (!isComplete) child.kill()
      await child.ended(outcome).catch(() => {})
    }
  }

  /** Returns the same program with another environment. */
  with({ env = {}, config = [] }: Partial<Pick<GitContext, 'env' | 'config'>>): GitProgram {
    const { context } = this
    return new GitProgram({
      ...context,
      env: { ...context.env, ...env },
      config: [...context.config, ...config],
    })
  }

  redact(text: string): string {
    return this.context.redact(text)
  }

  #start(args: readonly string[], { input = '', env }: Running) {
    const { signal, config, env: environment } = this.context
    const timeout = (outcome: Outcome) =>
      new ProviderError('timeout', `git ${args[0]} did not end in time`, { outcome })
    if (signal.aborted) throw timeout('notApplied')
    const options = config.flatMap((each) => ['-c', each])
    const stderr: Buffer[] = []
    let stderrLength = 0
    const launched = launchGit(
      { args: [...options, ...args], env: { ...environment, ...env }, input: Buffer.from(input) },
      (chunk) => {
        stderrLength += chunk.length
        if (stderrLength <= MAX_STDERR) stderr.push(chunk)
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
    const redactedStderr = () => {
      const text = Buffer.concat(stderr).toString('utf8')
      // A truncated line may contain part of a secret.
      const whole = stderrLength > MAX_STDERR ? text.slice(0, text.lastIndexOf('\n') + 1) : text
      return this.context.redact(whole)
    }
    return {
      stdout: () => launched.stdout(),
      kill: () => launched.kill(),
      ended,
      stderr: redactedStderr,
    }
  }
}

/** Returns the provider's error for a run without an exit code. */
function notEnded(error: unknown, outcome: Outcome): unknown {
  if (error instanceof NotBegun) {
    return refused('unavailable', `git cannot be started (${error.code})`, 'no_git')
  }
  if (error instanceof LauncherEnded) {
    return new ProviderError('unavailable', error.message, { outcome, reason: 'launcher' })
  }
  return error
}
