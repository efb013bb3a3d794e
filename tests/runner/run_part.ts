import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { MESSAGES, type Message } from './messages.js'
import type { Part } from './parts.js'
import { nothing, type Result } from './report.js'

/** Reports a failure at once. */
type Fail = (title: string, errors?: string[]) => void

/**
 * Node's cache of compiled code: the services and commands that tests start use it, too, which
 * saves each of them an eighth of its start.
 */
const NODE_COMPILE_CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/tarmac/v8/', import.meta.url)
)

/** Mebibytes for young objects: collecting them less often saves a tenth of the processor time. */
const MEMORY = ['--max-semi-space-size=64'] as const

const running = new Set<ChildProcess>()

/** Ends all running processes of tests, when the run itself is interrupted. */
export function endAll(): void {
  for (const each of running) each.kill('SIGTERM')
}

/**
 * Runs a process and adds its output to the result; answers the signal or code with which it
 * failed, or null.
 */
function start(
  [command, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
  result: Result,
  take: (line: string) => void
): Promise<string | null> {
  const child = spawn(command, args, {
    env: { ...process.env, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => (result.printed += chunk))
  }
  createInterface({ input: child.stdio[MESSAGES] as Readable }).on('line', take)
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve(code === 0 ? null : (signal ?? String(code)))
    })
  })
}

/** Runs a part in a process of its own. */
export async function runPart(
  { suite, files }: Part,
  environment: Record<string, string>,
  args: readonly string[],
  reported: Fail
): Promise<Result> {
  const result = nothing()
  let hasEnded = false
  const fail: Fail = (title, errors) => {
    result.failed += 1
    reported(title, errors)
  }
  const take = (message: Message) => {
    if (message.kind === 'end') hasEnded = true
    else if (message.kind === 'fault') fail(message.title, message.errors)
    else {
      result.tests.push(message)
      if (message.outcome === 'failed') fail(`${message.file}: ${message.title}`, message.errors)
      else result[message.outcome] += 1
    }
  }
  const chosen = files ? { TEST_FILES: JSON.stringify(files) } : {}
  const ended = await start(
    [process.execPath, ...MEMORY, '--import=./bin/typescript.js', 'bin/test.ts', suite, ...args],
    { ...environment, ...chosen, TEST_QUEUE: '1' },
    result,
    (line) => take(JSON.parse(line))
  )
  const about = files?.join(' ') ?? args.join(' ')
  if (!hasEnded) fail(`${about}: the process ended without a result (${ended ?? 0})`)
  else if (ended && result.failed === 0) fail(`${about}: the process ended with ${ended}`)
  return result
}

/** Runs a script of package.json that is no test, such as `lint`. */
export async function runCheck(script: string, reported: Fail): Promise<Result> {
  const result = nothing()
  const ended = await start(['npm', 'run', '--silent', script], {}, result, () => {})
  if (ended) {
    result.failed = 1
    reported(`it ended with ${ended}`)
  }
  return result
}
