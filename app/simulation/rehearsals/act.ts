import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { rehearsing } from './kinds.js'
import { insertRehearsal, endOnce, findRehearsal, forgetOlder, underWay } from './rehearsals.js'
import { isOver, USUAL_SCENARIO, USUAL_WEEKS } from './vocabulary.js'

/**
 * Starts a rehearsal of the next weeks of an app, which a worker plays.
 * @returns the id of the rehearsal
 * @throws rehearsal_under_way while the organization has one that is not over
 */
export async function startRehearsal(
  scope: Scope,
  appId: string,
  { weeks = USUAL_WEEKS, scenario = USUAL_SCENARIO }: { weeks?: number; scenario?: string }
): Promise<string> {
  await forgetOlder(scope, appId)
  const { now } = scope
  const row = {
    ...{ id: newId('rehearsal'), appId, state: 'waiting' as const, scenario, weeks },
    ...{ beginsAt: now, playedTo: null, failure: null, result: null },
    ...{ createdBy: scope.actor, createdAt: now, endedAt: null },
  }
  if (!(await insertRehearsal(scope, row))) {
    const other = await underWay(scope)
    const whose = other && scope.sees(other) ? `that of ${other} is under way` : 'one is under way'
    const detail = `An organization has one rehearsal at a time, and ${whose}.`
    throw refuse('rehearsal_under_way', { detail })
  }
  await scope.jobs.command(rehearsing, { subject: row.id, at: now, payload: {} })
  return row.id
}

/** Stops a rehearsal that is not over, and discards its result. @throws not_found */
export async function stopRehearsal(scope: Scope, appId: string, id: string): Promise<void> {
  const { state } = await findRehearsal(scope, appId, id)
  if (isOver(state)) return
  await endOnce(scope, id, { state: 'stopped' })
  await scope.jobs.cancel(rehearsing, id)
}
