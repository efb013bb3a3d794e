import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UsageError } from '#foundation/console/usage_error'
import type { Rehearsed, RehearsalPlan, RehearsalEntry } from './plan.js'

const ENTRY = fileURLToPath(new URL('../../../bin/rehearsal.js', import.meta.url))

/** Most of what is made is soon let go: with more room it is looked through less often. */
const OF_ONE_RUN = ['--max-semi-space-size=32', '--max-old-space-size=1024']

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
  /** True if others on this machine come first. */
  isBeside?: boolean
}

/**
 * Plays a plan in a process of its own, whose home is removed with it.
 * @param reported receives every event as it happens
 * @throws UsageError with what the rehearsal failed for
 */
export async function runApart(
  plan: RehearsalPlan,
  reported: (each: RehearsalEntry) => void,
  { spent = () => {}, signal, isBeside = false }: Given = {}
): Promise<Rehearsed> {
  const child = spawn(process.execPath, [...OF_ONE_RUN, ENTRY], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  if (isBeside && child.pid !== undefined)
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = new Promise<void>((resolve, reject) => {
    child.on('close', () => resolve())
    child.on('error', reject)
  })
  ended.catch(() => {})
  child.stdin.end(JSON.stringify(plan))
  let came: Line | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Line
    if ('reported' in said) reported(said.reported)
    else if ('cpuMs' in said) spent(said.cpuMs)
    else came = said
  }
  await ended
  if (came && 'rehearsed' in came) return came.rehearsed
  const why = came && 'failed' in came ? came.failed : errors.trim().split('\n').at(-1)
  throw new UsageError(`The rehearsal failed: ${why ?? 'it ended without a word'}`)
}
