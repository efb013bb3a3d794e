import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { calledOperations } from './contract.js'
import { recordedEvents } from './recorded_events.js'

/*
 * What is known only at the end of a whole run: which operations answered, and which events they
 * recorded. A run of several processes hands it on from one to the next in a file.
 */
const file = process.env.TEST_RECORDED

interface Known {
  called: string[]
  recorded: [id: string, types: string[]][]
}

/** Takes what the processes before this one have seen. */
export function takeOver(): void {
  if (!file || !existsSync(file)) return
  const { called, recorded }: Known = JSON.parse(readFileSync(file, 'utf8'))
  for (const id of called) calledOperations.add(id)
  for (const [id, types] of recorded) recordedEvents.set(id, new Set(types))
}

/** Leaves it to the process after this one. */
export function handOn(): void {
  if (!file) return
  const recorded = [...recordedEvents].map(([id, types]): [string, string[]] => [id, [...types]])
  const known: Known = { called: [...calledOperations], recorded }
  writeFileSync(file, JSON.stringify(known))
}
