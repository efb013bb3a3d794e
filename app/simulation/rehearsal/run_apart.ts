import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UsageError } from '#foundation/console/usage_error'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'

const ENTRY = fileURLToPath(new URL('../../../bin/rehearsal.js', import.meta.url))

/** Most objects are short-lived: a larger young generation needs fewer garbage collections. */
const YOUNG_GENERATION = '--max-semi-space-size=32'
const MEMORY_MB = 1024

/** Maximum length of stderr that is kept, in characters. */
const MAX_STDERR = 4096

/** The signals that end a process out of memory: V8 aborts it, or the system kills it. */
const OUT_OF_MEMORY = ['SIGABRT', 'SIGKILL']

type Line =
  | { reported: RehearsalEntry }
  | { rehearsed: Rehearsed }
  | { failed: string }
  | { cpuMs: number }

interface Given {
  /** Receives the processor time of the rehearsal, in milliseconds. */
  spent?: (cpuMs: number) => void
  /** Ends it early. */
  signal?: AbortSignal
  /**
   * Called if the process ended without an answer, with the way it ended and the end of its stderr.
   */
  endedEarly?: (how: string, stderr: string) => void
  /** True to run with a lower priority than other processes. */
  isBeside?: boolean
  /** Limit of its heap, in MiB. */
  memoryMb?: number
}

/**
 * Plays a plan in a process of its own, whose home is removed with it.
 * @param reported receives every event as it happens
 * @throws UsageError with the reason of a failed rehearsal
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
  const options = [YOUNG_GENERATION, `--max-old-space-size=${memoryMb}`]
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
  let stderrEnd = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrEnd = (stderrEnd + text).slice(-MAX_STDERR)
  })
  // A process that ends before it has read its plan is reported by how it ended.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(plan))
  let last: Line | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const line = lineIn(text)
    if (line === null) continue
    if ('reported' in line) reported(line.reported)
    else if ('cpuMs' in line) spent(line.cpuMs)
    else last = line
  }
  const how = await ended
  if (last && 'rehearsed' in last) return last.rehearsed
  if (!last) (endedEarly ?? printed)(how, stderrEnd)
  throw new UsageError(`The rehearsal failed: ${last ? last.failed : earlyEnd(how)}`)
}

/** By default, stderr of the process is printed, as commands have no other log. */
const printed = (_how: string, stderr: string) => void process.stderr.write(stderr)

const earlyEnd = (how: string) =>
  OUT_OF_MEMORY.includes(how)
    ? `its process ended early (${how}). It may have needed more memory than it may use.`
    : `its process ended early (${how}). Its operator finds more in its log.`

/** @returns null for the last line of a process that was killed while it wrote */
function lineIn(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}
