import type { Principal } from '#foundation/core/principal'
import type { IconName } from '../frame/icon_names.js'
import { percentText } from './numbers.js'
import { obstaclesOf, rolloutOf, type HeldRelease, type Obstacle } from './obstacles.js'
import { VERDICTS, wordsOf } from './statuses.js'
import { inSentence, sinceText, timeText, type TimeReader } from './times.js'
import { faceOf, namesOf } from './who.js'

/** What a release does now, and who acts. */
export interface NowView {
  icon: IconName
  colour: 'green' | 'blue' | 'red' | 'amber' | 'hint'
  text: string
  /** Who acts, or since when. */
  sub: string
  face: { initials: string; isGroup: boolean } | null
  isYours: boolean
}

/** Returns what a release does now: its first obstacle by weight, or how far its rollout is. */
export function nowOf(release: HeldRelease, reader: Principal, times: TimeReader): NowView {
  const calm = { face: null, isYours: false }
  if (release.status === 'completed') {
    const since = release.completedAt ?? release.releasedAt
    const text = since ? `With all users since ${inSentence(since, times)}` : 'Completed'
    return { ...calm, icon: 'circle-check', colour: 'green', text, sub: 'Nothing is left to do' }
  }
  if (release.status === 'skipped') {
    return { ...calm, icon: 'skip-forward', colour: 'hint', text: 'Skipped', sub: 'Given up' }
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
      text: 'Nothing holds it',
      sub: 'It goes on by itself',
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
  const verdict = health === null ? '' : `, ${wordsOf(VERDICTS, health).word.toLowerCase()}`
  const since = step.statusChangedAt ? ` · since ${timeText(step.statusChangedAt, times)}` : ''
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
  const since = step.statusChangedAt ? `${sinceText(step.statusChangedAt, now)}` : ''
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

/** A message as a heading: without its full stop. */
export const withoutStop = (message: string): string => message.replace(/\.$/, '')
