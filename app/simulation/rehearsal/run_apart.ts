import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UsageError } from '#foundation/console/usage_error'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'

const ENTRY = fileURLToPath(new URL('../../../bin/rehearsal.js', import.meta.url))

/** Most of what is made is soon let go: with more room it is looked through less often. */
const OF_ONE_RUN = '--max-semi-space-size=32'
const MEMORY_MB = 1024

/** Characters that are kept of what it writes beside its answer. */
const LAST_WORDS = 4096

/** The signals that end a process without memory: its own, and that of the system. */
const OUT_OF_MEMORY = ['SIGABRT', 'SIGKILL']

type Line =
  | { reported: RehearsalEntry }
  | { rehearsed: Rehearsed }
  | { failed: string }
  | { cpuMs: number }

interface Given {
  /** Given the processor time that it took, in milliseconds. */
  spent?: (cpuMs: number) => void
  /** Ends it early. */
  signal?: AbortSignal
  /** Given how its process ended without an answer, and the end of what it wrote to stderr. */
  endedEarly?: (how: string, stderr: string) => void
  /** True if others on this machine come first. */
  isBeside?: boolean
  /** Memory that it may use. */
  memoryMb?: number
}

/**
 * Plays a plan in a process of its own, whose home is removed with it.
 * @param reported receives every event as it happens
 * @throws UsageError with what the rehearsal failed for
 */
export async function runApart(
  plan: RehearsalPlan,
  reported: (each: RehearsalEntry) => void,
  given: Given = {}
): Promise<Rehearsed> {
  const home = await mkdtemp(join(tmpdir(), 'tarmac-rehearsal-'))
  try {
    return await runIn(home, plan, reported, given)
  } finally {
    // A process that is killed cannot remove its home itself.
    await rm(home, { recursive: true, force: true })
  }
}

async function runIn(
  home: string,
  plan: RehearsalPlan,
  reported: (each: RehearsalEntry) => void,
  { spent = () => {}, signal, endedEarly, isBeside = false, memoryMb = MEMORY_MB }: Given
): Promise<Rehearsed> {
  const options = [OF_ONE_RUN, `--max-old-space-size=${memoryMb}`]
  const child = spawn(process.execPath, [...options, ENTRY, home], {
    ...(signal && { signal }),
  })
  if (isBeside && child.pid !== undefined)
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const ended = new Promise<string>((resolve, reject) => {
    child.on('close', (code, killedBy) => resolve(killedBy ?? `code ${code}`))
    child.on('error', reject)
  })
  ended.catch(() => {})
  let lastWords = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS)
  })
  // One that ends before it has read all of its plan says so by how it ends.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(plan))
  let came: Line | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const line = lineIn(text)
    if (line === null) continue
    if ('reported' in line) reported(line.reported)
    else if ('cpuMs' in line) spent(line.cpuMs)
    else came = line
  }
  const how = await ended
  if (came && 'rehearsed' in came) return came.rehearsed
  if (!came) (endedEarly ?? printed)(how, lastWords)
  throw new UsageError(`The rehearsal failed: ${came ? came.failed : earlyEnd(how)}`)
}

/** A command has no log but its own stderr. */
const printed = (_how: string, stderr: string) => void process.stderr.write(stderr)

const earlyEnd = (how: string) =>
  OUT_OF_MEMORY.includes(how)
    ? `its process ended early (${how}). It may have needed more memory than it may use.`
    : `its process ended early (${how}). Whoever runs it finds more in its log.`

/** @returns null for the last line of a process that was killed while it wrote */
function lineIn(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}
