import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calledOperations } from './contract.js'
import { recordedEvents } from './recorded_events.js'

/*
 * Collects the operations that answered and the events that they recorded, which are complete only
 * at the end of a whole run. Each process of a run writes its part into a folder; the last one
 * reads all parts.
 */
const folder = process.env.TEST_RECORDED

interface Known {
  called: string[]
  recorded: [id: string, types: string[]][]
}

/** True unless the arguments choose some of the tests. */
export const isWholeRun = !process.argv.some((argument) =>
  /^--(files|tests|groups|tags|suites|failed)/.test(argument)
)

/** Reads the parts of the processes before this one. */
export function takeOver(): void {
  if (!folder) return
  for (const file of readdirSync(folder)) {
    const { called, recorded }: Known = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const id of called) calledOperations.add(id)
    for (const [id, types] of recorded) {
      recordedEvents.set(id, new Set([...(recordedEvents.get(id) ?? []), ...types]))
    }
  }
}

/** Writes the part of this process for the last one. */
export function handOn(): void {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const recorded = [...recordedEvents].map(([id, types]): [string, string[]] => [id, [...types]])
  const known: Known = { called: [...calledOperations], recorded }
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(known))
}
