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
  enumOf,
} from '#foundation/core/schemas'
import { ReleaseStatusSchema, releaseId } from '#releases/entities'
import { rolloutMembers, decisionMembers, stageMembers } from '#stores/decisions/decision_members'
import { FlagChangeEntity, MonitoringStatisticEntity, PhasedReleaseData } from '#stores/entities'
import { courseMembers } from './course_entity.js'
import { MAX_HISTORY } from './vocabulary.js'

const numberedDecision = {
  generation: count('Number of the decision in its store; later decisions have greater numbers.'),
  ...decisionMembers,
}

const decided = object('Decisions about the version in the store.', {
  generation: count('Number of the newest decision in the store, for any version.'),
  stage: nullable(
    object('Latest decision about the version; null if none.', {
      ...stageMembers,
      ...numberedDecision,
    })
  ),
  rollout: nullable(
    object('Latest decision about the rollout; null if none.', {
      ...rolloutMembers,
      isUrgent: flag('Whether it bypasses other calls to the store.'),
      ...numberedDecision,
    })
  ),
  share: nullable(percentage('Target share of users; null if the store sets it.')),
  isStopped: flag('Whether the rollout is to be stopped.'),
})

const call = object('A call to the store.', {
  method: enumOf(['prepare', 'submit', 'cancelReview', 'release', 'setRollout'], 'Method called.'),
  what: nonEmpty('Summary of the request.', 200),
  generation: count('Number of the decision it carries out.'),
  attempt: count('Number of the attempt, from 1.'),
  isUrgent: flag('Whether it bypassed other calls.'),
  beganAt: instant('When the call began, in UTC.'),
  deadline: instant('Deadline for the response, in UTC.'),
  endedAt: nullable(instant('When the call ended, in UTC; null while unknown.')),
  outcome: enumOf(
    ['inFlight', 'applied', 'refused', 'unknown'],
    'Result of the call; `unknown` if the response was lost.'
  ),
  reason: nullable(text('Message from store or connection; null if none.', 500)),
  retryAt: nullable(instant('When the call is retried, in UTC; null if not set by time.')),
  mayArriveUntil: nullable(
    instant('Until when the call may still reach the store, in UTC; null if it cannot.')
  ),
})

const observed = object('Latest observation; null while the store has no such version.', {
  state: nonEmpty('Normalized state; `unknown` if unrecognized.', 64),
  raw: text('State as reported by the store.', 64),
  beganAt: instant('When the observation began, in UTC.'),
  lagSeconds: count('Maximum lag of the observed state, in seconds.'),
  isAnswer: flag('Whether it is the response to a call rather than a read.'),
  isCurrent: flag('Whether it cannot be older than the last call for the version.'),
  rollout: nullable(
    object('Rollout; null if none.', {
      state: nonEmpty('Normalized state.', 64),
      percentage: percentage('Share of users offered the version.'),
      day: nullable(count('Day of an App Store phased release; null if none is counted.')),
      pausedDays: count('Whole days paused, out of 30 that Apple allows.'),
    })
  ),
})

const polled = object('Reads of the store.', {
  at: nullable(instant('When the last read of all its versions began, in UTC; null if none.')),
  failure: nullable(
    object('Reads that failed since; null if none.', {
      at: instant('When the last of them failed, in UTC.'),
      times: count('Number of consecutive failures.'),
      reason: text('Error message.', 500),
    })
  ),
})

const stopped = object('Who stopped the rollout, and why; null if it is not stopped.', {
  how: enumOf(
    ['redButton', 'guard', 'policy', 'person', 'outside'],
    'Cause of the stop: the red button, an unhealthy verdict of a guard, a hold by a policy or its guard, a person in Tarmac, or a person in the store’s console.'
  ),
  by: described('Who decided the stop.', ActorEntity),
  at: instant('When the stop was decided, in UTC.'),
  reason: nullable(text('Reason; null if none was given.', 4000)),
  triageIssueId: nullable(id('Id of the triage issue; null if none.')),
})

const move = object('An expected change of the rollout.', {
  at: nullable(instant('When it is due, in UTC; null if it does not depend on time.')),
  what: nonEmpty(
    'Kind of change: `rolloutStage`, `rolloutHeld`, `rolloutResumed`, `rolloutStop`, `storeCall` or `question`.',
    32
  ),
  percentage: nullable(percentage('Resulting share of users; null if none.')),
  message: nonEmpty('Summary of the change or of what it waits for.', 1000),
})

/** The rollout of a release, store by store. */
export const RolloutEntity = entity(
  'RolloutEntity',
  'The rollout of a release: decisions, calls and observations in each store, expected changes, and history.',
  {
    releaseId: releaseId(),
    version: nonEmpty('Version of the release.', 64),
    status: described('Status of the release.', ReleaseStatusSchema),
    stores: list(
      'Stores of the release, in the order of the app; empty if none.',
      object('The rollout in one store.', {
        destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
        integrationInstallationId: id('Id of the store’s integration.'),
        storeType: enumOf(STORE_KINDS, 'Kind of store.'),
        phased: described('Status of the rollout.', PhasedReleaseData),
        adoption: nullable(
          object('Adoption according to the app’s analytics; null if not reported.', {
            percentage: percentage('Share of users who had the version on the day before.'),
            at: instant('When the analytics were queried, in UTC.'),
          })
        ),
        decided,
        asked: list('Latest calls for the version, newest first.', call, 100),
        observed: nullable(observed),
        polled,
        stopped: nullable(stopped),
        whyNotStoppable: nullable(
          text('Why a stop would be refused, and what to do instead; null if it would not.', 1000)
        ),
        health: list('Findings of the guard; empty without one.', MonitoringStatisticEntity, 1000),
        ...courseMembers,
        next: list(
          'Expected changes, earliest first; empty before the rollout begins and after it ends.',
          move,
          100
        ),
      }),
      100
    ),
    flagChanges: list(
      'Flags that changed since users got the version, newest first; they may explain the numbers.',
      FlagChangeEntity,
      200
    ),
    history: list(
      'Timeline entries about the release’s rollouts, newest first.',
      object('A timeline entry.', {
        id: id('Id of the entry.'),
        type: nonEmpty('Type of entry, such as `rollout.held`.', 64),
        title: nonEmpty('Title of the entry.', 1000),
        occurredAt: instant('When it happened, in UTC.'),
        actor: described('Who caused it.', ActorEntity),
      }),
      MAX_HISTORY
    ),
  }
)
export type RolloutEntity = Static<typeof RolloutEntity>
export type RolloutInStore = RolloutEntity['stores'][number]
