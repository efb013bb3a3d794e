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

/** Members of a decision about the version itself. */
export const stageMembers = {
  what: words(['submitted', 'withdrawn', 'released'], 'What it is to be.'),
}

/** Members of a decision about its rollout. */
export const changeMembers = {
  action: words(['pause', 'resume', 'halt', 'complete', 'set'], 'What is to be done.'),
  percentage: Type.Optional(percentage('With `set`: the share of users it is to reach.')),
}

/** A decision as the API shows it. */
export function reportedDecision({ by, at, is, reason }: Wanted | WantedRollout) {
  return { by, at, is, reason }
}
