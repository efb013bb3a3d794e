import type { Principal } from '#foundation/core/principal'
import type { IconName } from '../frame/icon_names.js'
import { percentText } from './numbers.js'
import { obstaclesOf, rolloutOf, type HeldRelease, type Obstacle } from './obstacles.js'
import { HEALTH_VERDICTS, statusLabel } from './statuses.js'
import { inSentence, sinceText, type TimeReader } from './times.js'
import { faceOf, namesOf } from './who.js'

/** The current activity of a release, and who acts. */
export interface NowView {
  icon: IconName
  colour: 'green' | 'blue' | 'red' | 'amber' | 'hint'
  text: string
  /** A second line: who acts, the step, since when. */
  sub: string
  face: { initials: string; isGroup: boolean } | null
  isYours: boolean
}

/** The share of users that a past release reached. The text is empty for all and none. */
interface Reach {
  to: 'all' | 'some' | 'none'
  text: string
}

/** Returns how many users a past release reached, by all of its rollouts. */
export function reachOf({ steps }: Pick<HeldRelease, 'steps'>): Reach {
  const begun = steps.flatMap(({ rollout }) =>
    rollout && rollout.state !== 'notStarted' ? [rollout] : []
  )
  if (begun.length === 0) return { to: 'none', text: '' }
  if (begun.every(({ state }) => state === 'completed')) return { to: 'all', text: '' }
  const sharesOf = (rollouts: typeof begun) =>
    [...new Set(rollouts.map(({ percentage }) => percentText(percentage)))].join(' and ')
  const replaced = sharesOf(begun.filter(({ state }) => state === 'replaced'))
  const current = sharesOf(begun.filter(({ state }) => state !== 'replaced'))
  const text = [
    current && `${current} of users have it`,
    replaced && `${current && 'in another store '}replaced at ${replaced}`,
  ]
  return { to: 'some', text: text.filter(Boolean).join(', ') }
}

/** Returns the current state of a release: its most urgent obstacle, or its rollout. */
export function nowOf(release: HeldRelease, reader: Principal, times: TimeReader): NowView {
  const calm = { face: null, isYours: false }
  const reach = reachOf(release)
  if (release.status === 'completed') {
    const since = reach.to === 'all' ? (release.completedAt ?? release.releasedAt) : null
    const done = reach.to === 'some' ? `Completed; ${reach.text}` : 'Completed'
    const text = since ? `All users have had it since ${inSentence(since, times)}` : done
    return { ...calm, icon: 'circle-check', colour: 'green', text, sub: 'Nothing left to do' }
  }
  if (release.status === 'skipped') {
    const text = reach.to === 'some' ? `Skipped; ${reach.text}` : 'Skipped'
    const sub = reach.to === 'all' ? 'All users have it' : 'Abandoned'
    return { ...calm, icon: 'skip-forward', colour: 'hint', text, sub }
  }
  const [first, ...others] = obstaclesOf(release, reader)
  const rollout = rolloutOf(release)
  if (rollout?.state === 'active' && !first?.isBlocking) {
    return { ...calm, ...rolling(release, rollout, times) }
  }
  if (!first) {
    return {
      ...calm,
      icon: 'loader',
      colour: 'blue',
      text: 'Nothing is holding it up',
      sub: 'It continues automatically',
    }
  }
  return held(first, others, times)
}

function rolling(
  { health }: HeldRelease,
  { percentage, step }: NonNullable<ReturnType<typeof rolloutOf>>,
  times: TimeReader
) {
  const isIll = health === 'unhealthy'
  const verdict =
    health === null ? '' : `, ${statusLabel(HEALTH_VERDICTS, health).word.toLowerCase()}`
  const since = step.statusChangedAt ? ` · since ${inSentence(step.statusChangedAt, times)}` : ''
  return {
    icon: isIll ? ('heart-crack' as const) : ('trending-up' as const),
    colour: isIll ? ('red' as const) : ('blue' as const),
    text: `${percentText(percentage)} of users${verdict}`,
    sub: `${step.name}${since}`,
  }
}

const LOOKS = {
  yours: ['hand', 'amber'],
  somebody: ['loader', 'blue'],
  system: ['hourglass', 'hint'],
} as const

function held(first: Obstacle, others: readonly Obstacle[], { now }: TimeReader): NowView {
  const { condition, step, turn, isBlocking } = first
  const [icon, colour] = isBlocking ? (['octagon-alert', 'red'] as const) : LOOKS[turn]
  const more = others.length > 0 ? ` · ${others.length} more` : ''
  const since = step.statusChangedAt ? sinceText(step.statusChangedAt, now) : ''
  const who =
    turn === 'somebody' ? namesOf(condition.who) : [step.name, since].filter(Boolean).join(' · ')
  return {
    icon,
    colour,
    text: withoutStop(condition.message),
    sub: `${who}${more}`,
    face: turn === 'somebody' ? faceOf(condition.who) : null,
    isYours: turn === 'yours' || others.some((each) => each.turn === 'yours'),
  }
}

/** Returns a message as a heading, without its full stop. */
export const withoutStop = (message: string): string => message.replace(/\.$/, '')
