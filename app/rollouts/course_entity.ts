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
  words,
} from '#foundation/core/schemas'
import { CLOSED_BY, MOST_CLOSED } from './policy/closed_spans.js'
import { FORECAST_MOVES, MOST_FORECAST_MOVES, REASONS } from './policy/forecast.js'
import { MAX_FINDINGS } from './queries/guard_findings.js'
import { MOST, MOST_HISTORY } from './vocabulary.js'

const number = (description: string) => Type.Number({ description, minimum: 0 })

const command = object('What the store is asked for, until it shows it.', {
  what: words(
    ['submitted', 'withdrawn', 'released', 'pause', 'resume', 'halt', 'complete', 'set'],
    'What it is to do.'
  ),
  isUrgent: flag('Whether it waits for no other call of the store.'),
  decidedAt: instant('When it was decided, in UTC.'),
  tries: count('How often the store was asked for it.'),
  askedAt: nullable(instant('When it was last asked, in UTC; null before.')),
  retryAt: nullable(instant('When it is asked again, in UTC; null if time decides nothing.')),
  reason: nullable(text('What it waits for, or what the store said; null for neither.', 1000)),
})

const reached = object('A share of users that was seen.', {
  at: instant('When it was first seen so, in UTC; of a takeoff, when it was released.'),
  state: described('How far the rollout was.', PhasedReleaseData.properties.status),
  percentage: percentage('Share of users who could have it.'),
})

const rung = object('A rung.', {
  percentage: percentage('Share of users.'),
  hours: count('Hours that it lasts at least.'),
  reachedAt: nullable(instant('When it was reached, in UTC; null before.')),
  expectedAt: nullable(
    instant('When it is reached by the forecast, in UTC; null once it was, or where nothing moves.')
  ),
})

const foreseen = object('A move of the forecast.', {
  at: instant('When, in UTC. The store is asked then, and shows it some time later.'),
  what: words(FORECAST_MOVES, 'What becomes of the rollout.'),
  percentage: percentage('Share of users after it.'),
  because: words(
    REASONS,
    'What decides when: the time of the rung or day, or what allows no growth until then.'
  ),
})

const finding = object('A look of the guard.', {
  at: instant('When, in UTC.'),
  percentage: percentage('Share of users that had the version.'),
  verdict: described('What the numbers proved then.', MonitoringStatisticEntity.properties.verdict),
  value: nullable(number('Share of what went well, in percent; null without data.')),
  previousValue: nullable(number('The same of the version before, in percent; null without data.')),
  threshold: nullable(
    Type.Number({
      description: 'The value that it must not fall below, in percent; null without one.',
    })
  ),
  sample: object('What `value` is of.', {
    total: number('How many were counted.'),
    bad: number('How many of them went wrong.'),
  }),
})

/** The course of a rollout in a store: its past, its forecast, and the findings of the guard. */
export const courseMembers = {
  command: nullable(described('What is under way to the store; null for nothing.', command)),
  resume: nullable(
    object('How a stopped rollout goes on; null if it does not stand still, or cannot go on.', {
      action: words(['resume'], '`action` of `changeRollout`.'),
      percentage: percentage('Share of users that it goes on with.'),
    })
  ),
  pauseDaysLeft: nullable(
    count('Whole days that the App Store lets it stand still from now on; null in other stores.')
  ),
  reached: list(
    'The shares that it had, the oldest first, as the timeline has them: what was seen in the store.',
    reached,
    MOST_HISTORY
  ),
  ladder: list(
    'The rungs by the policy that stands, or the days of the App Store; empty if people decide.',
    rung,
    MOST.rungs
  ),
  forecast: entity('RolloutForecast', 'What comes if it stays healthy and nobody decides.', {
    moves: list(
      'The moves to come, earliest first; empty if nothing moves by itself.',
      foreseen,
      MOST_FORECAST_MOVES
    ),
    completeAt: nullable(instant('When all users have it, in UTC; null if there is no forecast.')),
    closed: list(
      'When it does not grow, from its takeoff to the last move: by the policy and the freezes that stand now.',
      object('A time in which it does not grow.', {
        from: instant('Its begin, in UTC.'),
        to: instant('Its end, which is not part of it, in UTC.'),
        why: words(CLOSED_BY, 'What allows no growth.'),
        name: nullable(nonEmpty('Name of the freeze; null for others.', 200)),
      }),
      MOST_CLOSED
    ),
  }),
  looks: list(
    'What the guard found, look by look, by metric; some are left out evenly where there are many.',
    object('The looks at a metric.', {
      metric: nonEmpty('Name of the metric.', 100),
      looks: list('The looks, the oldest first.', finding, MAX_FINDINGS),
    }),
    100
  ),
}
