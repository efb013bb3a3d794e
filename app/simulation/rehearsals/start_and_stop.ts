import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { rehearsalCommand } from './rehearsal_command.js'
import {
  insertRehearsal,
  endRehearsal,
  findRehearsal,
  deleteOldest,
  rehearsedApp,
} from './rehearsals.js'
import { isOver, DEFAULT_SCENARIO, DEFAULT_WEEKS } from './vocabulary.js'

/**
 * Starts a rehearsal of the next weeks of an app; a worker plays it.
 * @returns the id of the rehearsal
 * @throws rehearsal_under_way if another one of the organization is not over
 */
export async function startRehearsal(
  scope: Scope,
  appId: string,
  { weeks = DEFAULT_WEEKS, scenario = DEFAULT_SCENARIO }: { weeks?: number; scenario?: string }
): Promise<string> {
  await deleteOldest(scope, appId)
  const { now } = scope
  const row = {
    ...{ id: newId('rehearsal'), appId, state: 'waiting' as const, scenario, weeks },
    ...{ beginsAt: now, playedTo: null, failure: null, result: null },
    ...{ createdBy: scope.actor, createdAt: now, endedAt: null },
  }
  if (!(await insertRehearsal(scope, row))) {
    const runningApp = await rehearsedApp(scope)
    const running = runningApp && scope.sees(runningApp) ? `that of ${runningApp}` : 'one'
    const detail = `An organization runs one rehearsal at a time, and ${running} is under way.`
    throw refuse('rehearsal_under_way', { detail })
  }
  await scope.jobs.command(rehearsalCommand, { subject: row.id, at: now, payload: {} })
  return row.id
}

/** Stops a rehearsal that is not over; it gets no result. @throws not_found */
export async function stopRehearsal(scope: Scope, appId: string, id: string): Promise<void> {
  const { state } = await findRehearsal(scope, appId, id)
  if (isOver(state)) return
  await endRehearsal(scope, id, { state: 'stopped' })
  await scope.jobs.cancel(rehearsalCommand, id)
}
