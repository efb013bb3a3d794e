import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A server under measurement. */
export interface Measured {
  base: string
  process: ChildProcess
  /** Milliseconds from spawning it to its first answer. */
  bootMs: number
  stop(): Promise<void>
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

/** A home folder of its own for one run. */
export const temporaryHome = () => mkdtempSync(join(tmpdir(), 'tarmac-bench-'))

/** Starts a program and waits until a path of it answers. */
export async function start(
  args: string[],
  environment: Record<string, string>,
  readyPath: string
): Promise<Measured> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout?.resume()
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
    try {
      const answer = await fetch(base + readyPath)
      await answer.arrayBuffer()
      break
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    base,
    process: child,
    bootMs: performance.now() - began,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Memory of the process itself that is resident, in MB. Linux tells it. */
export function residentMb({ process: child }: Measured): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** The service as `npm start` starts it, on a home of its own, with limits out of the way. */
export function startService(home: string): Promise<Measured> {
  return start(
    ['--max-semi-space-size=8', 'bin/start.js'],
    {
      TARMAC_HOME: home,
      NODE_ENV: 'production',
      LIMIT_PER_SECOND: '1000000',
      LIMIT_PER_DAY: '1000000000',
    },
    '/health/ready'
  )
}
