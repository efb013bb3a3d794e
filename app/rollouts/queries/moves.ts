import type { Instant } from '#foundation/core/clock'
import { movesInStore } from '#stores/queries/expected_moves'
import type { StoreOfRelease } from '#stores/queries/store_state'
import type { RolloutInStore } from '../rollout_entity.js'
import type { RolloutRow } from '../tables.js'

type Move = RolloutInStore['next'][number]

/**
 * Returns the coming moves of a rollout: pending decisions, the next rung or day, and a hold; or
 * else what it waits for. Pure.
 */
export function movesOf(
  version: string,
  store: StoreOfRelease,
  row: RolloutRow | null,
  now: Instant
): Move[] {
  const { nextStage, state } = store.facts.rollout
  const moves: Move[] = movesInStore(version, store, now)
  if (nextStage !== null && state === 'active') {
    const { at, percentage } = nextStage
    const message = `The rollout rises to ${percentage} %.`
    moves.push({ at, what: 'rolloutStage', percentage, message })
  }
  if (row?.next) moves.push({ ...row.next, percentage: null })
  const question = store.plan?.question ?? null
  if (question !== null) {
    moves.push({ at: null, what: 'question', percentage: null, message: question.message })
  }
  if (moves.length === 0) return waitsFor(store)
  return moves.sort((one, other) => order(one.at).localeCompare(order(other.at)))
}

/** Returns a sort key: moves without a time come last. */
const order = (at: Instant | null) => at ?? '~'

function waitsFor({ facts, target }: StoreOfRelease): Move[] {
  const { state, percentage } = facts.rollout
  const move = { at: null, percentage: null }
  switch (state) {
    case 'active': {
      const message =
        target.storeType === 'apple'
          ? `It is at ${percentage} %, and the App Store does not say when its next day begins.`
          : `It stays at ${percentage} % until somebody changes it.`
      return [{ ...move, what: 'rolloutStage', message }]
    }
    case 'paused':
    case 'halted': {
      const message = `It stays ${state} at ${percentage} % until a person resumes it.`
      return [{ ...move, what: 'rolloutResumed', message }]
    }
    default:
      return []
  }
}
