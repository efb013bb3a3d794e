import type { Instant } from '#foundation/core/clock'
import type { Principal } from '#foundation/core/principal'
import { plainText } from './plain.js'
import { inZone, type TimeReader } from './times.js'
import { isOfSystems, isYours, type Who } from './who.js'

/** A condition that is not met yet, as `whyNotMoving` returns it. */
export interface Condition {
  code: string
  message: string
  subject?: { type: string; id: string; name: string }
  who: readonly Who[]
  approvalsMissing?: number
}

/** A step and the conditions that hold it. */
export interface HeldStep {
  id: string
  name: string
  type: string
  status: string
  required: boolean
  hidden: boolean
  /** The destination that it is for; null or absent for all. */
  destinationId?: string | null
  statusChangedAt: Instant | null
  unmet: readonly Condition[]
  rollout: { state: string; percentage: number } | null
}

/** A release and what holds it. */
export interface HeldRelease {
  status: string
  phase: string
  completedAt: Instant | null
  releasedAt: Instant | null
  health: string | null
  steps: readonly HeldStep[]
  whyNotMoving: {
    release: readonly Condition[]
    warnings: readonly Warning[]
    next: readonly NextMove[]
  }
}

/** A notice for somebody that does not hold the release. */
export interface Warning {
  code: string
  message: string
  subject: { type: string; id: string; name: string }
  who: readonly Who[]
}

/** Something that happens without a person. */
export interface NextMove {
  at: Instant
  what: string
  message: string
  /** Parties that can act on it before; absent if nobody has to. */
  who?: readonly Who[]
}

/** Returns whether a move is only a reminder and changes nothing. */
const isReminder = ({ what }: NextMove) => /reminder$/i.test(what)

/** Returns the next move that changes something by itself; null if none is planned. */
export const nextMoveOf = (next: readonly NextMove[]): NextMove | null =>
  next.find((move) => !isReminder(move) && !move.who && !move.what.startsWith('target')) ?? null

/** A condition that holds a release. */
export interface Obstacle {
  /** Its step; for a condition of no step, the one that matters. */
  step: HeldStep
  condition: Condition
  /** The party that has to act: the reader, another person, or a system. */
  turn: 'yours' | 'somebody' | 'system'
  isBlocking: boolean
}

/** Codes of conditions of stopped rollouts. */
const STOPPED = new Set(['rollout_paused', 'rollout_halted'])

/** Codes of conditions that are of no step: requested commits and the release before it. */
const OF_NO_STEP = new Set(['cherry_pick_open', 'cherry_pick_failed', 'train_held'])

/** Types of steps before which a release waits for the other one of its pair. */
const OF_PAIR = new Set(['takeoff', 'rollout'])

const isShown = ({ hidden }: HeldStep) => !hidden

/** Returns whether steps can be for the same destination. */
const shareDestination = (...steps: readonly HeldStep[]) =>
  new Set(steps.flatMap(({ destinationId }) => destinationId ?? [])).size < 2

/**
 * Returns whether a step is a submission for which only the build is chosen, although steps before
 * it are not complete. The release waits for those first.
 */
function isSubmittedLater(step: HeldStep, steps: readonly HeldStep[]): boolean {
  if (step.type !== 'submission' || step.status === 'blocked') return false
  if (step.unmet.some(({ code }) => code !== 'not_submitted')) return false
  return steps
    .slice(0, steps.indexOf(step))
    .some((before) => before.status !== 'complete' && shareDestination(before, step))
}

/**
 * Returns the required steps that matter now: those that are blocked or in progress, else the first
 * one that is not complete.
 */
function stepsThatMatter(release: Pick<HeldRelease, 'steps'>): HeldStep[] {
  const shown = release.steps.filter((step) => isShown(step) && step.required)
  const moving = shown.filter(
    (step) =>
      step.status === 'blocked' || (step.status === 'inProgress' && !isSubmittedLater(step, shown))
  )
  if (moving.length > 0) return moving
  const next = shown.find(({ status }) => status !== 'complete')
  return next ? [next] : []
}

/**
 * Returns the step to show first: a blocked one, else one in progress, else the next. Returns the
 * last one if nothing is left to do.
 */
export function stepThatMatters(release: Pick<HeldRelease, 'steps' | 'status'>): HeldStep | null {
  const steps = release.status === 'completed' ? [] : stepsThatMatter(release)
  const last = release.steps.findLast(isShown) ?? release.steps.at(-1)
  return steps.find(({ status }) => status === 'blocked') ?? steps[0] ?? last ?? null
}

/**
 * Returns what holds a release, the most urgent first: blocking obstacles before others, and among
 * both those of the reader before those of other people and of systems.
 */
export function obstaclesOf(
  release: Pick<HeldRelease, 'steps' | 'whyNotMoving'>,
  reader: Principal
): Obstacle[] {
  const isAutomatic = nextMoveOf(release.whyNotMoving.next) !== null
  const steps = stepsThatMatter(release)
  const ofSteps = steps.flatMap((step) =>
    step.unmet.map((condition): Obstacle => ({
      step,
      condition,
      // While a rollout grows by itself, nobody has to act.
      turn:
        isAutomatic && condition.code === 'rolling_out' ? 'system' : turnOf(condition.who, reader),
      isBlocking: step.status === 'blocked' || STOPPED.has(condition.code),
    }))
  )
  const step = steps[0] ?? release.steps.findLast(isShown) ?? release.steps.at(-1)
  if (!step) return []
  const ofNoStep = conditionsOfNoStep(release.whyNotMoving.release, steps).map(
    (condition): Obstacle => ({
      // A pair waits since the step, everything else for a time of its own.
      step: condition.code === 'pair_waits' ? step : { ...step, statusChangedAt: null },
      condition,
      turn: turnOf(condition.who, reader),
      isBlocking: condition.code === 'cherry_pick_failed',
    })
  )
  return [...ofNoStep, ...ofSteps].sort((a, b) => rankOf(a) - rankOf(b))
}

/**
 * Returns the conditions of a release beside those of the steps that matter: what holds it from
 * outside, and if nothing but the rollout is left, everything.
 */
function conditionsOfNoStep(all: readonly Condition[], steps: readonly HeldStep[]) {
  const shown = steps.flatMap(({ unmet }) => unmet)
  const isFree = shown.every(({ code }) => code === 'rolling_out')
  if (isFree) return all.filter(({ code }) => code !== 'rolling_out')
  // The other release of the pair matters once nothing of its own is missing.
  const isPairNext = steps.every(({ type }) => OF_PAIR.has(type))
  const isPairShown = shown.some(({ code }) => code === 'pair_waits')
  return all.filter(
    ({ code }) => OF_NO_STEP.has(code) || (code === 'pair_waits' && isPairNext && !isPairShown)
  )
}

const TURNS = ['yours', 'somebody', 'system'] as const

const rankOf = ({ isBlocking, turn }: Obstacle) =>
  (isBlocking ? 0 : TURNS.length) + TURNS.indexOf(turn)

function turnOf(who: readonly Who[], reader: Principal): Obstacle['turn'] {
  if (isYours(who, reader)) return 'yours'
  return isOfSystems(who) ? 'system' : 'somebody'
}

/** Returns the rollout with the lowest percentage; null before any begins. */
export function rolloutOf({ steps }: Pick<HeldRelease, 'steps'>) {
  const begun = steps.filter(({ rollout }) => rollout && rollout.state !== 'notStarted')
  const least = begun.sort((a, b) => a.rollout!.percentage - b.rollout!.percentage)[0]
  return least ? { step: least, ...least.rollout! } : null
}

/**
 * Returns a release whose messages are plain text, with times in the reader's time zone.
 */
export function localized<Release extends HeldRelease>(
  release: Release,
  reader: TimeReader
): Release {
  const translated = <Each extends { message: string }>(each: Each): Each => ({
    ...each,
    message: plainText(inZone(each.message, reader)),
  })
  const { whyNotMoving: why, steps } = release
  return {
    ...release,
    steps: steps.map((step) => ({ ...step, unmet: step.unmet.map(translated) })),
    whyNotMoving: {
      ...why,
      release: why.release.map(translated),
      warnings: why.warnings.map(translated),
      next: why.next.map(translated),
    },
  }
}
