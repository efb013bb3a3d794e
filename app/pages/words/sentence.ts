import type { Principal } from '#foundation/core/principal'
import type { IconName } from '../frame/icon_names.js'
import { counted, numberWord, percentText } from './numbers.js'
import {
  nextMoveOf,
  obstaclesOf,
  rolloutOf,
  type HeldRelease,
  type NextMove,
  type Obstacle,
} from './obstacles.js'
import { HEALTH_VERDICTS, statusLabel } from './statuses.js'
import { inSentence, relativeText, sinceText, type TimeReader } from './times.js'
import { namesOf, within } from './who.js'
import { reachOf, withoutStop } from './now.js'

/** Most obstacles that the sentence lists. */
const MAX_LISTED = 5

/** The sentence at the top of a release: why it does not move, and what comes next. */
export interface SentenceView {
  tone: 'good' | 'plain' | 'warn' | 'bad'
  icon: IconName
  /** The first part, in bold. */
  head: string
  rest: string
  /** One line: since when, and who. */
  detail: string
  /** Several obstacles, each with who acts. */
  list: { text: string; who: string; isYours: boolean }[]
  /** The number of further obstacles that are not listed. */
  more: number
}

/** Returns the sentence of a release. */
export function sentenceOf(
  release: HeldRelease,
  reader: Principal,
  times: TimeReader
): SentenceView {
  const plain = { list: [], more: 0 }
  if (release.status === 'completed' || release.status === 'skipped') {
    return { ...plain, ...ended(release, times) }
  }
  const obstacles = obstaclesOf(release, reader)
  const rollout = rolloutOf(release)
  const isStopped = rollout?.state === 'halted' || rollout?.state === 'paused'
  if (rollout && isStopped) return { ...plain, ...stopped(rollout, obstacles, times) }
  const others = obstacles.filter(({ condition }) => condition.code !== 'rolling_out')
  if (others.length === 0) return { ...plain, ...free(release, times) }
  if (others.length === 1) return { ...plain, ...one(others[0], release, times) }
  return {
    tone: others[0].isBlocking ? 'bad' : toneOf(others[0]),
    icon: others[0].isBlocking ? 'octagon-alert' : iconOf(others[0]),
    head: `${numberWord(others.length)} things are holding it up.`,
    rest: nextText(release.whyNotMoving.next, times),
    detail: '',
    list: others.slice(0, MAX_LISTED).map(({ condition, turn }) => ({
      text: withoutStop(condition.message),
      who: namesOf(condition.who),
      isYours: turn === 'yours',
    })),
    more: Math.max(0, others.length - MAX_LISTED),
  }
}

const TURN_ICONS = { yours: 'hand', somebody: 'loader', system: 'hourglass' } as const

const iconOf = ({ turn }: Obstacle): IconName => TURN_ICONS[turn]

const toneOf = ({ turn }: Obstacle) => (turn === 'yours' ? ('warn' as const) : ('plain' as const))

function ended(release: HeldRelease, times: TimeReader) {
  const { status, releasedAt, completedAt } = release
  const { to, text } = reachOf(release)
  if (status === 'skipped') {
    return {
      tone: 'plain' as const,
      icon: 'skip-forward' as const,
      head: to === 'some' ? `It was skipped; ${text}.` : 'It was skipped.',
      rest: { none: 'No user gets it.', some: '', all: 'All users have it.' }[to],
      detail: to === 'some' ? 'Nobody has to act.' : '',
    }
  }
  // `releasedAt` may be when the first share of users got it.
  const since = to === 'all' ? (completedAt ?? releasedAt) : null
  const done = to === 'some' ? `It is complete; ${text}.` : 'It is complete.'
  return {
    tone: to === 'some' ? ('plain' as const) : ('good' as const),
    icon: 'circle-check' as const,
    head: since ? `All users have had it since ${inSentence(since, times)}.` : done,
    rest: to === 'none' && releasedAt === null ? 'It was not released.' : '',
    detail: 'Nobody has to act.',
  }
}

function free({ whyNotMoving, health, steps }: HeldRelease, times: TimeReader) {
  const rollout = rolloutOf({ steps })
  const verdict =
    health === null ? '' : ` (${statusLabel(HEALTH_VERDICTS, health).word.toLowerCase()})`
  const where = rollout ? `${percentText(rollout.percentage)} of users have it${verdict}. ` : ''
  return {
    tone: health === 'unhealthy' ? ('bad' as const) : ('plain' as const),
    icon: rollout ? ('trending-up' as const) : ('loader' as const),
    head: 'Nothing is holding it up.',
    rest: `${where}${nextText(whyNotMoving.next, times)}`,
    // Without a policy, people decide when a rollout grows.
    detail:
      rollout?.state === 'active' && nextMoveOf(whyNotMoving.next) === null
        ? 'It grows when somebody sets a higher share.'
        : 'Nobody has to act.',
  }
}

function one(obstacle: Obstacle, { whyNotMoving }: HeldRelease, times: TimeReader) {
  const { condition, step, turn, isBlocking } = obstacle
  const since = step.statusChangedAt ? `For ${sinceText(step.statusChangedAt, times.now)}. ` : ''
  const who = namesOf(condition.who)
  return {
    tone: isBlocking ? ('bad' as const) : toneOf(obstacle),
    icon: isBlocking ? ('octagon-alert' as const) : iconOf(obstacle),
    head: `${withoutStop(condition.message)}.`,
    rest: nextText(whyNotMoving.next, times),
    detail: `${since}${turn === 'yours' ? 'It is waiting for you.' : `It is waiting for ${within(who)}.`}`,
  }
}

function stopped(
  { percentage, state }: NonNullable<ReturnType<typeof rolloutOf>>,
  obstacles: readonly Obstacle[],
  times: TimeReader
) {
  const first = obstacles[0]
  const isPaused = state === 'paused'
  const since = first?.step.statusChangedAt
  return {
    tone: isPaused ? ('warn' as const) : ('bad' as const),
    icon: isPaused ? ('pause' as const) : ('octagon-x' as const),
    head: `The rollout is ${state} at ${percentText(percentage)}.`,
    rest: 'Users who have this version keep it. Nobody else gets it.',
    detail: [
      since ? `For ${sinceText(since, times.now)}.` : '',
      first
        ? `${first.turn === 'yours' ? 'You' : namesOf(first.condition.who)} can resume it.`
        : '',
      obstacles.length > 1 ? `${counted(obstacles.length - 1, 'more thing')} to look at.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  }
}

/** Returns the next automatic move in one sentence. */
function nextText(next: readonly NextMove[], times: TimeReader): string {
  const first = nextMoveOf(next)
  if (!first) return 'Nothing is planned.'
  const relative = relativeText(first.at, times.now)
  const when = `${inSentence(first.at, times)}${relative ? `, ${relative}` : ''}`
  return `Next: ${withoutStop(first.message)} (${when}).`
}
