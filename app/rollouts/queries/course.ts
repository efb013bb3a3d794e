import { later, type Instant } from '#foundation/core/clock'
import { WEEK } from '#foundation/core/durations'
import type { NamedFreeze } from '#planning/tables'
import type { ReleaseRow } from '#releases/queries/read_release'
import { LADDER } from '#stores/derive/seen'
import { ownRollout } from '#stores/derive/store_facts'
import type { StoreOfRelease } from '#stores/queries/store_state'
import type { StoreRecord } from '#stores/reconciler/record'
import { isApple, ladderAheadOf, pausedDaysOf, phaseAheadOf } from '../due_move.js'
import { closedSpans } from '../policy/closed_spans.js'
import type { ForeseenMove } from '../policy/forecast.js'
import { windowIn } from '../policy/growth_window.js'
import { PAUSE_BUDGET } from '../policy/next_phase.js'
import type { RolloutPolicy } from '../policy/policy.js'
import type { RolloutInStore } from '../rollout_entity.js'
import type { RolloutRow } from '../tables.js'
import type { Reached } from './history.js'
import type { findingsOf } from './guard_findings.js'

/** The range in which closed spans are listed if there is no forecast, in milliseconds. */
const AHEAD = WEEK

type StoredFinding = Awaited<ReturnType<typeof findingsOf>>[number]
export type Course = Pick<
  RolloutInStore,
  'command' | 'resume' | 'pauseDaysLeft' | 'reached' | 'ladder' | 'forecast' | 'looks'
>

/** A rollout in a store, with all that its course is made of. */
export interface Driven {
  release: Pick<ReleaseRow, 'status' | 'createType'>
  store: StoreOfRelease
  row: RolloutRow | null
  policy: RolloutPolicy | null
  freezes: readonly NamedFreeze[]
  /** True if automations are paused. */
  isHeld: boolean
  record: StoreRecord | null
  /** The shares in the timeline, the oldest first. */
  seen: readonly Reached[]
  findings: readonly StoredFinding[]
}

/** Returns the course of a rollout. Pure. */
export function courseOf(driven: Driven, now: Instant): Course {
  const { store, policy, freezes, findings } = driven
  const reached = reachedOf(driven)
  const moves = movesAhead(driven, now)
  const completion = moves.find(({ percentage }) => percentage === 100)
  const from = reached.at(0)?.at ?? null
  const end = moves.at(-1)?.at ?? (isUnderWay(store) ? later(now, AHEAD) : reached.at(-1)?.at)
  const window = policy && windowIn(policy, isApple(store))
  return {
    command: commandOf(driven),
    resume: resumeOf(store),
    pauseDaysLeft:
      isApple(store) && ownRollout(store.version?.known ?? null)
        ? Math.max(0, PAUSE_BUDGET - pausedDaysOf(store))
        : null,
    reached,
    ladder: ladderOf(driven, reached, moves),
    forecast: {
      moves,
      completeAt: completion?.at ?? null,
      closed: window && from && end ? closedSpans(window, freezes, from, end) : [],
    },
    looks: [...Map.groupBy(findings, ({ metric }) => metric)].map(([metric, own]) => ({
      metric,
      looks: own.map(shownFinding),
    })),
  }
}

const isUnderWay = ({ facts }: StoreOfRelease) =>
  facts.rollout.state === 'active' || facts.rollout.state === 'paused'

/** Returns the shares that were seen in the store, or else the share at the takeoff. */
function reachedOf({ store, seen }: Driven): Course['reached'] {
  const { rollout, dates } = store.facts
  const { releasedAt } = dates
  if (seen.length > 0 || releasedAt === null || rollout.state === null) return [...seen]
  return [{ at: releasedAt, state: rollout.state, percentage: rollout.percentage }]
}

/** Returns the moves to expect if the version is healthy, and nobody decides otherwise. */
function movesAhead(driven: Driven, now: Instant): ForeseenMove[] {
  const { release, store, row, policy, isHeld } = driven
  if (isApple(store)) return phaseAheadOf(driven, now)
  const isAtOnce = release.createType === 'hotfix' && policy?.hotfix === 'atOnce'
  if (row === null || policy === null || isHeld || isAtOnce) return []
  return ladderAheadOf({ ...driven, row, policy }, now)
}

function commandOf({ store, record }: Driven): Course['command'] {
  const { wanted = null, rollout = null } = store.plan ?? {}
  const decided = [rollout, wanted].find((each) => each?.status === 'underWay')
  if (!decided) return null
  const calls = (record?.calls ?? []).filter(({ generation }) => generation === decided.generation)
  const last = calls.at(-1)
  return {
    what: 'to' in decided ? decided.to.action : decided.what,
    isUrgent: 'to' in decided && decided.isUrgent === true,
    decidedAt: decided.at,
    tries: calls.length,
    askedAt: last?.beganAt ?? null,
    retryAt: last?.outcome?.kind === 'refused' ? last.outcome.retryAt : null,
    reason: decided.reason,
  }
}

function resumeOf({ facts, version }: StoreOfRelease): Course['resume'] {
  const { state, percentage } = facts.rollout
  const isStopped = state === 'paused' || state === 'halted'
  if (!isStopped || version?.known?.state === 'removed') return null
  return { action: 'resume', percentage }
}

/** The hours of a day on Apple's ladder. */
const APPLE_HOURS = 24

function ladderOf(
  { store, policy }: Driven,
  reached: Course['reached'],
  moves: readonly ForeseenMove[]
): Course['ladder'] {
  return rungsOf(store, policy).map(({ percentage, hours }) => {
    const isThere = (each: { percentage: number }) => each.percentage >= percentage
    const reachedAt = reached.find(isThere)?.at ?? null
    const expectedAt = reachedAt === null ? (moves.find(isThere)?.at ?? null) : null
    return { percentage, hours, reachedAt, expectedAt }
  })
}

function rungsOf(store: StoreOfRelease, policy: RolloutPolicy | null) {
  if (!isApple(store)) return policy?.ladder ?? []
  const isPhased = ownRollout(store.version?.known ?? null) !== null
  if (!isPhased) return []
  return LADDER.map((percentage) => ({ percentage, hours: percentage < 100 ? APPLE_HOURS : 0 }))
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4
const percent = (rate: number | null) => (rate === null ? null : rounded(100 * rate))

function shownFinding({
  at,
  percentage,
  verdict,
  rate,
  baselineRate,
  harmBudget,
  ...counts
}: StoredFinding) {
  return {
    at,
    percentage,
    verdict,
    value: percent(rate),
    previousValue: percent(baselineRate),
    threshold:
      baselineRate === null || harmBudget === null
        ? null
        : rounded(100 * (baselineRate - harmBudget)),
    sample: { total: counts.total, bad: counts.bad },
  }
}
