import type { Scope } from '#foundation/core/scope'
import type { Expected, ReleasePart } from '#releases/parts'
import { plansOf } from '#stores/queries/store_state'
import { bringKind } from '#stores/work_kinds'
import { issuesKind } from './issues/look_for_issues.js'
import { lookKind, measureKind } from './kinds.js'
import { rolloutsOf, subjectOf, watchRollouts } from './watch_rollouts.js'

/** What rollouts take part in of a release. */
export const releasePart: ReleasePart = {
  name: 'rollouts',
  planAhead: (scope, release) => watchRollouts(scope, release),
  async expected(scope, { id }) {
    const held = (await rolloutsOf(scope, id)).flatMap(({ next }) => next ?? [])
    return [...(await stopsTriedAgain(scope, id)), ...held]
  },
  async remove(scope, { id }) {
    await scope.agenda.cancel(issuesKind, id)
    for (const row of await rolloutsOf(scope, id)) {
      await scope.agenda.cancel(lookKind, subjectOf(row))
      await scope.agenda.cancel(measureKind, subjectOf(row))
    }
  },
}

interface Tried {
  look_at: string
  last_error: string | null
  payload: string | { at: string; integrationId: string; isUrgent: boolean }
}

/** When a store is asked again to stop a rollout, as it has not confirmed it yet. */
async function stopsTriedAgain(scope: Scope, releaseId: string): Promise<Expected[]> {
  const plans = await plansOf(scope, [releaseId])
  const asked = plans.filter(({ rollout }) => rollout?.is === 'underWay' && rollout.isUrgent)
  if (asked.length === 0) return []
  const rows: Tried[] = await scope
    .table('agenda_entries')
    .where({ kind: bringKind.name, subject: releaseId, state: 'planned' })
    .whereNull('finished_at')
    .select('look_at', 'last_error', 'payload')
  return rows.flatMap(({ look_at: at, last_error: error, payload: text }) => {
    const payload =
      typeof text === 'string' ? (JSON.parse(text) as Exclude<Tried['payload'], string>) : text
    const isStop =
      payload.isUrgent &&
      asked.some(
        ({ integrationId, rollout }) =>
          integrationId === payload.integrationId && rollout!.at === payload.at
      )
    if (!isStop) return []
    const why = error === null ? '' : ` It was in vain so far: ${error}`
    const message = `The store is asked to stop the rollout, until it confirms it.${why}`
    return [{ at, what: 'rolloutStop', message: message.slice(0, 1000) }]
  })
}
