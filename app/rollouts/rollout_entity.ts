import type { Static } from '@sinclair/typebox'
import { STORE_KINDS } from '#apps/vocabulary'
import {
  ActorEntity,
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'
import { ReleaseStatusSchema, releaseId } from '#releases/entities'
import { rolloutMembers, decisionMembers, stageMembers } from '#stores/decisions/decision_members'
import { FlagChangeEntity, MonitoringStatisticEntity, PhasedReleaseData } from '#stores/entities'
import { courseMembers } from './course_entity.js'
import { MOST_HISTORY } from './vocabulary.js'

const numberedDecision = {
  generation: count('Number of the decision in its store; a later one has a greater number.'),
  ...decisionMembers,
}

const decided = object('What was decided.', {
  generation: count('Number of the newest decision in the store, of whatever version.'),
  stage: nullable(
    object('The last decision about the version; null before any.', {
      ...stageMembers,
      ...numberedDecision,
    })
  ),
  rollout: nullable(
    object('The last decision about its rollout; null before any.', {
      ...rolloutMembers,
      isUrgent: flag('Whether it waits for no other call of the store.'),
      ...numberedDecision,
    })
  ),
  share: nullable(
    percentage('Share of users that it is to have by that; null if the store says where it is.')
  ),
  isStopped: flag('Whether it is to stand still.'),
})

const call = object('A call of the store.', {
  method: words(
    ['prepare', 'submit', 'cancelReview', 'release', 'setRollout'],
    'Which of its calls.'
  ),
  what: nonEmpty('What it asks for, for people.', 200),
  generation: count('Number of the decision that it serves.'),
  attempt: count('From 1: which attempt at it.'),
  isUrgent: flag('Whether it stood in no line.'),
  beganAt: instant('When it was made, in UTC.'),
  deadline: instant('Until when its answer is waited for, in UTC.'),
  endedAt: nullable(instant('When it ended, in UTC; null while nobody knows.')),
  outcome: words(
    ['inFlight', 'applied', 'refused', 'unknown'],
    'What came of it; `unknown` where its answer was lost.'
  ),
  reason: nullable(text('What the store, or the way there, said; null for nothing.', 500)),
  retryAt: nullable(instant('When it is tried again, in UTC; null if the time decides nothing.')),
  mayArriveUntil: nullable(
    instant('Until when it may still come to the store, in UTC; null for what cannot.')
  ),
})

const observed = object('What the store showed last; null while it has no such version.', {
  state: nonEmpty('State in the words of the service; `unknown` for one it does not know.', 64),
  raw: text('The same in the words of the store.', 64),
  beganAt: instant('When the observation began, in UTC.'),
  lagSeconds: count('How old what it shows may be, in seconds.'),
  isAnswer: flag('Whether it is the answer of a call, rather than a read.'),
  isCurrent: flag('Whether it cannot be older than the last call for the version.'),
  rollout: nullable(
    object('The rollout; null without one.', {
      state: nonEmpty('State in the words of the service.', 64),
      percentage: percentage('Share of users who can have it.'),
      day: nullable(count('Day of a phased release of Apple; null if no days are counted.')),
      pausedDays: count('Whole days it stood still, of 30 that Apple allows.'),
    })
  ),
})

const polled = object('How the store is read.', {
  at: nullable(instant('When the last read of all its versions began, in UTC; null before any.')),
  failure: nullable(
    object('The reads that failed since; null without any.', {
      at: instant('When the last of them failed, in UTC.'),
      times: count('How many failed, one after the other.'),
      reason: text('What was said.', 500),
    })
  ),
})

const stopped = object('Who stopped it, and why; null for what is not stopped.', {
  how: words(
    ['redButton', 'guard', 'policy', 'person', 'outside'],
    'By what: the red button, a guard that found it unhealthy, a hold of a policy or its guard, somebody here, or somebody in the console of the store.'
  ),
  by: described('Who decided it.', ActorEntity),
  at: instant('When it was decided, in UTC.'),
  reason: nullable(text('Why; null if nobody said.', 4000)),
  triageIssueId: nullable(id('Id of the triage issue about it; null without one.')),
})

const move = object('A move of the rollout.', {
  at: nullable(instant('When, in UTC; null if it waits for something else than time.')),
  what: nonEmpty(
    'What comes: `rolloutStage`, `rolloutHeld`, `rolloutResumed`, `rolloutStop`, `storeCall` or `question`.',
    32
  ),
  percentage: nullable(percentage('The share of users that it leads to; null for none.')),
  message: nonEmpty('What comes, or what is waited for, for people.', 1000),
})

/** The rollout of a release, store by store. */
export const RolloutEntity = entity(
  'RolloutEntity',
  'The rollout of a release: what was decided, asked and observed in each store, what comes next, and its history.',
  {
    releaseId: releaseId(),
    version: nonEmpty('Version of the release.', 64),
    status: described('Status of the release.', ReleaseStatusSchema),
    stores: list(
      'Each store of the release, in the order of the app; empty without any.',
      object('The rollout in one store.', {
        destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
        integrationInstallationId: id('Id of the integration of that store.'),
        storeType: words(STORE_KINDS, 'The kind of store.'),
        phased: described('How far it is.', PhasedReleaseData),
        adoption: nullable(
          object('How many users have it by the analytics of the app; null if none report it.', {
            percentage: percentage('Share of users that had the version on the day before.'),
            at: instant('When that was asked, in UTC.'),
          })
        ),
        decided,
        asked: list('The last calls for the version, newest first.', call, 100),
        observed: nullable(observed),
        polled,
        stopped: nullable(stopped),
        whyNotStoppable: nullable(
          text(
            'Why a stop would be refused, and what people may do instead; null if one is possible.',
            1000
          )
        ),
        health: list('What a guard found; empty without one.', MonitoringStatisticEntity, 1000),
        ...courseMembers,
        next: list(
          'The moves to come, earliest first; empty before it begins and after it ended.',
          move,
          100
        ),
      }),
      100
    ),
    flagChanges: list(
      'Flags that changed since users got the version, newest first: they may be why the numbers did.',
      FlagChangeEntity,
      200
    ),
    history: list(
      'The timeline entries of the release about its rollouts, newest first.',
      object('An entry of the timeline.', {
        id: id('Id of the entry.'),
        type: nonEmpty('What happened, such as `rollout.held`.', 64),
        title: nonEmpty('What happened, for people.', 1000),
        occurredAt: instant('When it happened, in UTC.'),
        actor: described('Who did it.', ActorEntity),
      }),
      MOST_HISTORY
    ),
  }
)
export type RolloutEntity = Static<typeof RolloutEntity>
export type RolloutInStore = RolloutEntity['stores'][number]
