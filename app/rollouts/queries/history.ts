import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { Scope } from '#foundation/core/scope'
import type { SeenRollout } from '#stores/derive/seen'
import type { RolloutInStore } from '../rollout_entity.js'
import { MAX_HISTORY } from '../vocabulary.js'

/** The types of timeline entries about rollouts. */
const TYPES = [
  'release.released',
  'appStoreVersion.phasedReleaseUpdated',
  'store.asked',
  'store.adopted',
  'store.failed',
  'store.question',
  'store.reviewRestarted',
  'rollout.judged',
  'rollout.held',
  'rollout.stopped',
  'redButton.pressed',
]

/** The subjects of entries about submissions, which do not belong to the rollout. */
const OTHERS = ['submitted', 'withdrawn', 'was submitted', 'was withdrawn from review']

const ENTRIES = select(
  of(events, 'e', ['id', 'type', 'title', 'occurredAt', 'actor', 'data']),
  `from events e where e.organization_id = :org and e.release_id = :releaseId
    and e.type in (${TYPES.map((type) => `'${type}'`).join(', ')})
  order by e.position desc limit ${2 * MAX_HISTORY}`
)

type Entry = RowOfSelect<typeof ENTRIES>

/** A share of users that was seen in a store, and since when. */
export type Reached = RolloutInStore['reached'][number]

/** States of a rollout in the timeline, and the common names of them. */
const STATES: Readonly<Record<SeenRollout['state'], Reached['state']>> = {
  inactive: 'notStarted',
  active: 'active',
  paused: 'paused',
  halted: 'halted',
  complete: 'completed',
}

/** Returns the shares that were seen in one store, the oldest first. Pure. */
export function reachedIn(entries: readonly Entry[], destinationId: string | null): Reached[] {
  return entries
    .flatMap(({ type, occurredAt: at, data }): Reached[] => {
      if (type !== 'appStoreVersion.phasedReleaseUpdated') return []
      if (data.destinationId !== destinationId) return []
      const { state, percentage } = data.to as Pick<SeenRollout, 'state' | 'percentage'>
      return [{ at, state: STATES[state], percentage }]
    })
    .slice(0, MAX_HISTORY)
    .reverse()
}

/** Returns the timeline entries about a release's rollouts, newest first. */
export const entriesOf = (scope: Scope, releaseId: string) => scope.rows(ENTRIES, { releaseId })

/** Returns timeline entries about rollouts as the API shows them. Pure. */
export function historyOf(entries: readonly Entry[]) {
  return entries
    .filter(({ data }) => !OTHERS.includes(String(data.what)))
    .slice(0, MAX_HISTORY)
    .map(({ data: _, ...entry }) => entry)
}
