import { Type } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  instant,
  nullable,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'
import type { Wanted, WantedRollout } from '../tables.js'

/** Members of every decision about a version in a store. */
export const decisionMembers = {
  by: described(
    'Who decided it; `outside of Tarmac` for what the store showed and nobody here decided.',
    ActorEntity
  ),
  at: instant('When it was decided, in UTC.'),
  is: words(
    ['underWay', 'done', 'failed'],
    'Whether it is being brought to the store, an observation proves it, or it could not be done.'
  ),
  reason: nullable(text('Why it failed, or what it waits for; null for neither.', 1000)),
}

/** Further members of a decision about the stage of a version. */
export const stageMembers = {
  what: words(['submitted', 'withdrawn', 'released'], 'What it is to be.'),
}

/** Further members of a decision about the rollout of a version. */
export const rolloutMembers = {
  action: words(['pause', 'resume', 'halt', 'complete', 'set'], 'What is to be done.'),
  percentage: Type.Optional(percentage('With `set`: the share of users it is to reach.')),
}

/** Returns the members of a decision that the API shows. */
export function reportedDecision({ by, at, is, reason }: Wanted | WantedRollout) {
  return { by, at, is, reason }
}
