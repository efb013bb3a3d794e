import { Type } from '@sinclair/typebox'
import { MonitoringStatisticEntity, PhasedReleaseData } from '#stores/entities'
import {
  count,
  described,
  entity,
  flag,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { CLOSED_BY, MAX_CLOSED } from './policy/closed_spans.js'
import { FORECAST_MOVES, MAX_FORECAST_MOVES, REASONS } from './policy/forecast.js'
import { MAX_FINDINGS } from './queries/guard_findings.js'
import { MAX_ENTRIES, MAX_HISTORY } from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

const command = object('A request that the store has not yet confirmed.', {
  what: enumOf(
    ['submitted', 'withdrawn', 'released', 'pause', 'resume', 'halt', 'complete', 'set'],
    'Requested action.'
  ),
  isUrgent: flag('Whether it bypasses other calls to the store.'),
  decidedAt: instant('When the decision was made, in UTC.'),
  tries: count('Number of calls made so far.'),
  askedAt: nullable(instant('When the last call began, in UTC; null if none.')),
  retryAt: nullable(instant('When the call is retried, in UTC; null if not set by time.')),
  reason: nullable(text('What it waits for, or the store’s message; null if neither.', 1000)),
})

const reached = object('An observed share of users.', {
  at: instant('When it was first observed, in UTC; for a takeoff, the release time.'),
  state: described('Status of the rollout at that time.', PhasedReleaseData.properties.status),
  percentage: percentage('Share of users offered the version.'),
})

const rung = object('A stage of the ladder.', {
  percentage: percentage('Share of users.'),
  hours: count('Minimum duration, in hours.'),
  reachedAt: nullable(instant('When the stage was reached, in UTC; null until then.')),
  expectedAt: nullable(
    instant('When the stage should be reached, in UTC; null once reached, or if not forecast.')
  ),
})

const foreseen = object('A forecast change.', {
  at: instant('When it is due, in UTC. The store is called then and shows it some time later.'),
  what: enumOf(FORECAST_MOVES, 'Kind of change.'),
  percentage: percentage('Share of users after the change.'),
  because: enumOf(
    REASONS,
    'What sets the time: the duration of the stage or day, or what prevents growth until then.'
  ),
})

const finding = object('A check by the guard.', {
  at: instant('When the check was made, in UTC.'),
  percentage: percentage('Share of users offered the version.'),
  verdict: described(
    'Verdict on the numbers at that time.',
    MonitoringStatisticEntity.properties.verdict
  ),
  value: nullable(number('Success rate, in percent; null without data.')),
  previousValue: nullable(number('Rate of the previous version, in percent; null without data.')),
  threshold: nullable(
    Type.Number({
      description: 'Lower limit of `value`, in percent; null if none.',
    })
  ),
  sample: object('Sample behind `value`.', {
    total: number('Number of cases counted.'),
    bad: number('Number of failed cases.'),
  }),
})

/** The course of a rollout in a store: its past, its forecast, and the findings of the guard. */
export const courseMembers = {
  command: nullable(described('Request to the store under way; null if none.', command)),
  resume: nullable(
    object('How to resume a stopped rollout; null if it is not stopped or cannot be resumed.', {
      action: enumOf(['resume'], '`action` of `changeRollout`.'),
      percentage: percentage('Share of users after resuming.'),
    })
  ),
  pauseDaysLeft: nullable(
    count('Whole days of pause the App Store still allows; null without a phased release.')
  ),
  reached: list(
    'Shares observed in the store, oldest first, as in the timeline.',
    reached,
    MAX_HISTORY
  ),
  ladder: list(
    'Stages of the current policy, or days of the App Store; empty if people decide.',
    rung,
    MAX_ENTRIES.rungs
  ),
  forecast: entity(
    'RolloutForecast',
    'Forecast for a version that stays healthy, if nobody intervenes.',
    {
      moves: list(
        'Forecast changes, earliest first; empty if nothing changes automatically.',
        foreseen,
        MAX_FORECAST_MOVES
      ),
      completeAt: nullable(
        instant('When all users should have the version, in UTC; null if not forecast.')
      ),
      closed: list(
        'Periods without growth from the takeoff to the last change, by the current policy and freezes.',
        object('A period without growth.', {
          from: instant('Start of the period, in UTC.'),
          to: instant('End of the period (exclusive), in UTC.'),
          why: enumOf(CLOSED_BY, 'What prevents growth.'),
          name: nullable(nonEmpty('Name of the freeze; null if it is none.', 200)),
        }),
        MAX_CLOSED
      ),
    }
  ),
  looks: list(
    'Checks by the guard, by metric; if there are many, they are thinned out evenly.',
    object('Checks of one metric.', {
      metric: nonEmpty('Name of the metric.', 100),
      looks: list('Checks, oldest first.', finding, MAX_FINDINGS),
    }),
    100
  ),
}
