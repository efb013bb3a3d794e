import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the address of the service under test. */
export const serviceUrl = () => `http://${process.env.HOST}:${process.env.PORT}`

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Collects what a process prints. */
export function collect(child: ChildProcess): Finished {
  const printed: Finished = { code: null, stdout: '', stderr: '' }
  child.stdout!.on('data', (chunk) => (printed.stdout += chunk))
  child.stderr!.on('data', (chunk) => (printed.stderr += chunk))
  return printed
}

/** Collects the output of a process until it ends. */
export async function finished(child: ChildProcess): Promise<Finished> {
  const printed = collect(child)
  const [code] = await once(child, 'close')
  return { ...printed, code }
}

/**
 * Starts Node.js with a file of this project.
 * @param mostKib largest size of each file that it writes, in KiB, as on a full disk
 */
function spawnNode(args: string[], env: NodeJS.ProcessEnv, mostKib?: number) {
  if (mostKib === undefined) return spawn(process.execPath, args, { cwd: ROOT, env })
  // The shell counts in blocks of 512 bytes. SIGXFSZ is ignored, so that writes fail instead.
  const script = `trap '' XFSZ; ulimit -f ${mostKib * 2}; exec "$0" "$@"`
  return spawn('sh', ['-c', script, process.execPath, ...args], { cwd: ROOT, env })
}

/** Runs a console command as a process of its own, on the database of the tests. */
export function runAce(...args: string[]): Promise<Finished> {
  return runAceWith({}, args)
}

/** Runs a console command with some settings changed, and with a limit to the size of files. */
export async function runAceWith(
  settings: Record<string, string | undefined>,
  args: string[],
  mostKib?: number
): Promise<Finished> {
  return finished(spawnNode(['ace.js', ...args], { ...process.env, ...settings }, mostKib))
}

/** A service in a process of its own, on the database of the tests. */
export interface RunningService {
  base: string
  /** Returns its output so far. */
  output(): string
  /** Waits for output that matches. @throws after 30 seconds without */
  waitForOutput(pattern: RegExp): Promise<string>
  stop(): Promise<Finished>
  /** Pauses it (`SIGSTOP`) or lets it continue (`SIGCONT`). */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it at once, in the middle of its work. */
  kill(): Promise<void>
}

/** Starts the service with some settings changed (undefined takes one away). */
export async function startService(
  settings: Record<string, string | undefined> = {},
  mostKib?: number
): Promise<RunningService> {
  const port = await freePort()
  const env = { ...process.env, ...settings, PORT: String(port) }
  const child = spawnNode(['bin/start.js'], env, mostKib)
  const printed = collect(child)
  const closed = once(child, 'close')

  const base = `http://${process.env.HOST}:${port}`
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${base}/health/live`).catch(() => null)
    if (response?.ok) break
    if (child.exitCode !== null || attempt === 900) {
      child.kill('SIGKILL')
      throw new Error(`The service did not start: ${printed.stderr}`)
    }
    await sleep(100)
  }
  return {
    base,
    output: () => printed.stdout,
    async waitForOutput(pattern) {
      for (let attempt = 0; attempt < 300; attempt++) {
        const [found] = pattern.exec(printed.stdout) ?? []
        if (found !== undefined) return found
        await sleep(100)
      }
      throw new Error(`The service printed nothing like ${pattern}: ${printed.stdout}`)
    },
    ...endingsOf(child, closed, printed),
  }
}

/** A worker in a process of its own, on the database of the tests. */
export interface RunningWorker {
  /** Returns its output on standard error so far. */
  errorOutput(): string
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<Finished>
  kill(): Promise<void>
}

/** Starts `node ace.js work`, and waits until it works. */
export async function startWorker(
  settings: Record<string, string | undefined> = {}
): Promise<RunningWorker> {
  const child = spawnNode(['ace.js', 'work', '--json'], { ...process.env, ...settings })
  const printed = collect(child)
  const closed = once(child, 'close')
  for (let attempt = 0; !printed.stdout.includes('working'); attempt++) {
    if (child.exitCode !== null || attempt === 1800) {
      child.kill('SIGKILL')
      throw new Error(`The worker did not start (${child.exitCode}): ${printed.stderr}`)
    }
    await sleep(50)
  }
  return {
    errorOutput: () => printed.stderr,
    ...endingsOf(child, closed, printed),
  }
}

/** Returns the methods that pause, continue and end a started process. */
const endingsOf = (child: ChildProcess, closed: Promise<unknown[]>, printed: Finished) => ({
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void child.kill(name),
  async kill() {
    child.kill('SIGKILL')
    await closed
  },
  async stop(): Promise<Finished> {
    child.kill('SIGTERM')
    const [code] = await closed
    return { ...printed, code: code as number | null }
  },
})

/** Has a server listen on this machine alone. Returns its address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const { port } = new URL(await listen(server))
  server.close()
  await once(server, 'close')
  return Number(port)
}
