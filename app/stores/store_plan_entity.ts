import { Type, type Static } from '@sinclair/typebox'
import {
  ActorEntity,
  entity,
  flag,
  here,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'
import type { StoreOfRelease } from './queries/store_state.js'

const call = {
  by: here(
    'Who decided it; `outside of Tarmac` for what the store showed and nobody here decided.',
    ActorEntity
  ),
  at: instant('When it was asked for, in UTC.'),
  is: words(
    ['underWay', 'done', 'failed'],
    'Whether the store is being asked, has confirmed it, or could not be brought there.'
  ),
  // A question wraps what the store said.
  reason: nullable(text('Why it failed, or what it waits for; null for neither.', 1000)),
}

/** What a release wants of one store, beside what the store shows. */
export const StorePlanEntity = entity(
  'StorePlan',
  'What a release wants of one store, beside what the store shows.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    integrationInstallationId: id('Id of the integration of that store.'),
    standing: words(
      ['agreed', 'underWay', 'failed', 'question'],
      'Whether store and release agree, the store is being asked, could not be brought there, or a person has to decide.'
    ),
    selectedBuildId: nullable(id('Id of the build that ships there; null until one is chosen.')),
    selectedByHand: flag('Whether a person chose it: then it stays.'),
    wanted: nullable(
      object('What was last asked of the version; null before anything was.', {
        what: words(['submitted', 'withdrawn', 'released'], 'What it was to be.'),
        ...call,
      })
    ),
    rollout: nullable(
      object('What was last asked of the rollout; null before anything was.', {
        action: words(['pause', 'resume', 'halt', 'complete', 'set'], 'What was to be done.'),
        percentage: Type.Optional(percentage('With `set`: the share of users it was to reach.')),
        ...call,
      })
    ),
    seen: nullable(
      object('What the store shows; null while it has no such version.', {
        state: nonEmpty(
          'State in the words of the service; `unknown` for one it does not know.',
          64
        ),
        raw: text('The same in the words of the store.', 64),
        at: instant('When the store was last read, in UTC.'),
        rollout: nullable(
          object('Its rollout; null without one.', {
            state: nonEmpty('State in the words of the service.', 64),
            percentage: percentage('Share of users who can have it.'),
          })
        ),
      })
    ),
    nextStage: nullable(
      object('When the service raises the rollout by itself; null where it does not.', {
        at: instant('When, in UTC.'),
        percentage: percentage('How far.'),
      })
    ),
    question: nullable(
      object('What a person has to decide, as store and service both moved; null for nothing.', {
        about: words(['submission', 'release', 'rollout'], 'What it is about.'),
        message: nonEmpty('What happened, for people.', 1000),
        since: instant('Since when it is open, in UTC.'),
      })
    ),
  }
)
export type StorePlan = Static<typeof StorePlanEntity>

/** One store of a release as the API shows it. */
export function storePlan({ target, plan, version }: StoreOfRelease): StorePlan {
  const { wanted = null, rollout = null, question = null } = plan ?? {}
  const calls = [wanted, rollout]
  const is = (each: 'underWay' | 'failed') => calls.some((asked) => asked?.is === each)
  return {
    destinationId: target.destinationId,
    integrationInstallationId: target.integrationId,
    standing: question
      ? 'question'
      : is('underWay')
        ? 'underWay'
        : is('failed')
          ? 'failed'
          : 'agreed',
    selectedBuildId: plan?.buildId ?? null,
    selectedByHand: plan?.byHand ?? false,
    wanted: wanted && {
      what: wanted.what,
      by: wanted.by,
      at: wanted.at,
      is: wanted.is,
      reason: wanted.reason,
    },
    rollout: rollout && {
      ...rollout.to,
      by: rollout.by,
      at: rollout.at,
      is: rollout.is,
      reason: rollout.reason,
    },
    seen: version && {
      state: version.seen.state,
      raw: version.seen.raw,
      at: version.seen.at,
      rollout: version.seen.rollout && {
        state: version.seen.rollout.state,
        percentage: version.seen.rollout.percentage,
      },
    },
    nextStage: plan?.nextStage ?? null,
    question,
  }
}
