import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** A server under measurement. */
export interface Measured {
  base: string
  pid: number
  /** Milliseconds from spawning it to its first answer. */
  bootMs: number
  /** Returns its standard output so far. */
  printed(): string
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

/** Starts a Node program and waits until `/health/ready` answers. */
export async function start(
  args: string[],
  environment: Record<string, string>
): Promise<Measured> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
    try {
      const answer = await fetch(`${base}/health/ready`)
      await answer.arrayBuffer()
      break
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    base,
    pid: child.pid!,
    bootMs: performance.now() - began,
    printed: () => printed,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The kernel's unit of processor time, in milliseconds. */
const CLOCK_TICK = 10

/** Processor time that a process has used so far, in milliseconds. */
export function cpuOf(pid: number): number {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK
}
