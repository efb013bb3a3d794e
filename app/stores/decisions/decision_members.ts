import { Type } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  instant,
  nullable,
  percentage,
  text,
  enumOf,
} from '#foundation/core/schemas'
import type { Wanted, WantedRollout } from '../tables.js'

/** Fields of every decision about a version in a store. */
export const decisionMembers = {
  by: described(
    'Who made the decision; `outside of Tarmac` if it was made in the store.',
    ActorEntity
  ),
  at: instant('When the decision was made, in UTC.'),
  status: enumOf(
    ['underWay', 'done', 'failed'],
    '`underWay` until an observation confirms it (`done`) or it has failed.'
  ),
  reason: nullable(text('Why it failed, or what it is waiting for; null if neither.', 1000)),
}

/** Additional fields of a decision about the stage of a version. */
export const stageMembers = {
  what: enumOf(['submitted', 'withdrawn', 'released'], 'Target stage of the version.'),
}

/** Additional fields of a decision about the rollout of a version. */
export const rolloutMembers = {
  action: enumOf(['pause', 'resume', 'halt', 'complete', 'set'], 'Action to take on the rollout.'),
  percentage: Type.Optional(percentage('With `set`: target share of users.')),
}

/** Returns the fields of a decision that the API exposes. */
export function reportedDecision({ by, at, status, reason }: Wanted | WantedRollout) {
  return { by, at, status, reason }
}
