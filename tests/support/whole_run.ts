import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calledOperations } from './contract.js'
import { recordedEvents } from './recorded_events.js'

/*
 * Facts known only at the end of a whole run: the operations that answered, and the events they
 * recorded. Each process of a run leaves what it saw in a folder, and the last one reads them all.
 */
const folder = process.env.TEST_RECORDED

interface Known {
  called: string[]
  recorded: [id: string, types: string[]][]
}

/** True if this process sees the end of a whole run. */
export const isWholeRun = !process.argv.some((argument) =>
  /^--(files|tests|groups|tags|suites|failed)/.test(argument)
)

/** Takes what the processes before this one have seen. */
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

/** Leaves it to the last process. */
export function handOn(): void {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const recorded = [...recordedEvents].map(([id, types]): [string, string[]] => [id, [...types]])
  const known: Known = { called: [...calledOperations], recorded }
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(known))
}
