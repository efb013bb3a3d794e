import { ChangedRows } from '../../core/database/changed_rows.js'
import { countingBeside } from '../../core/database/recording_rules.js'
import type { TouchedRows } from '../../core/database/touched_rows.js'
import { eventSubscribers } from '../../core/events/subscribers.js'
import { notingDrawn } from '../../core/ids.js'
import type { Scope } from '../../core/scope.js'
import type { AnyOperation, Present } from '../operation/declaration.js'
import type { AnyCall } from './act_and_respond.js'
import { armedBy } from './armed_automations.js'
import type { Rendered } from './render.js'
import type { Rehearsal, Rehearsed } from './request.js'

/** Thrown to roll back a transaction; carries the result of its work. */
class TakenBack<Result> extends Error {
  constructor(readonly result: Result) {
    super('taken back')
  }
}

/** Runs work in a transaction and rolls it back. @throws what the work throws */
export async function takenBack<Result>(
  transact: (work: (scope: Scope) => Promise<never>) => Promise<never>,
  work: (scope: Scope) => Promise<Result>
): Promise<Result> {
  try {
    return await transact(async (scope) => {
      throw new TakenBack(await work(scope))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.result as Result
    throw error
  }
}

/** Runs a write, and records the rows that it changes and those that count beside them. */
async function writeNoted(
  scope: Scope,
  drawn: ReadonlySet<string>,
  write: () => Promise<Rendered>
): Promise<{ noted: TouchedRows; rendered: Rendered; rows: ChangedRows }> {
  const noted = await scope.noteRows()
  const rendered = await write()
  const rows = await ChangedRows.of(noted.changes(), drawn)
  for (const { table, by, beside, its } of countingBeside()) {
    const values = rows.valuesOf(table, by)
    if (values.length === 0) continue
    for (const row of await scope.table(beside).whereIn(its, values)) rows.countBeside(beside, row)
  }
  rows.countArmed(await armedBy(scope, rows))
  return { noted, rendered, rows }
}

/** Rehearses a write, and reports its result and its consequences. */
export function rehearsed<Reported>(
  scope: Scope,
  write: () => Promise<Rendered>,
  { was, is, report }: Look<Reported>
): Promise<Reported> {
  return notingDrawn(async (drawn) => {
    const { noted, rendered, rows } = await writeNoted(scope, drawn, write)
    const events = [...scope.events.recorded]
    for (const each of eventSubscribers.all) await each.handle(scope, events)
    const following = await ChangedRows.of(noted.changes(), drawn)
    return report({ rendered, events, rows, following, was, is: await is(scope, rendered) }, scope)
  })
}

interface Look<Reported> {
  /** The subject of the write in its previous state. */
  was: unknown
  /** Reads the subject afterwards, at the location that the response names. */
  is: (scope: Scope, written: Rendered) => Promise<unknown>
  /** Reports the result, inside its transaction. */
  report: Report<Reported>
}

/** Reports the result of a rehearsal, inside its transaction. */
export type Report<Reported> = (would: Rehearsal, scope: Scope) => Promise<Reported>

/** Runs a write that is stored only if its result is as expected. @throws what `expect` throws */
export function asExpected(
  scope: Scope,
  expect: (would: Rehearsed) => void,
  write: () => Promise<Rendered>
): Promise<Rendered> {
  return notingDrawn(async (drawn) => {
    const { noted, rendered, rows } = await writeNoted(scope, drawn, write)
    await noted.end()
    expect({ rendered, events: scope.events.recorded, rows })
    return rendered
  })
}

/**
 * Returns the present state of what a deferred write would change; null if the operation does not
 * say.
 */
export async function presentOf({ present }: AnyOperation, call: AnyCall): Promise<Present | null> {
  const ask = present as unknown as ((call: AnyCall) => Promise<Present>) | undefined
  return (await ask?.(call)) ?? null
}
