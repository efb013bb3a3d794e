import { percentText } from '../words/numbers.js'
import type { HeldStep } from '../words/obstacles.js'
import { ROLLOUT_STATES, STEP_STATUSES, statusLabel } from '../words/statuses.js'

/** A step as a bar. */
interface Bar {
  /** A class of the style sheet. */
  shape: 'ok' | 'on' | 'no' | 'off' | 'ro' | 'ro bad' | ''
  title: string
  /** The filled share of a rollout's bar; null for other bars. */
  percentage: number | null
}

/** The steps of a release as one line of bars. */
export interface RailView {
  /** The same in one sentence, for screen readers. */
  sentence: string
  /** Each group with a class of the style sheet for its width. */
  groups: { wide: string; bars: Bar[] }[]
}

const SHAPES: Readonly<Record<string, Bar['shape']>> = {
  notStarted: '',
  inProgress: 'on',
  blocked: 'no',
  complete: 'ok',
}

type Step = HeldStep & { groupIndex: number }

/** @param isIll whether the health guard found the version of the rollout unhealthy */
export function railOf(steps: readonly Step[], isIll: boolean): RailView {
  const groups: { wide: string; bars: Bar[] }[] = []
  for (const index of new Set(steps.map(({ groupIndex }) => groupIndex))) {
    const bars = steps
      .filter(({ groupIndex }) => groupIndex === index)
      .map((step) => barOf(step, isIll))
    groups.push({ wide: widthOf(bars.length), bars })
  }
  return { sentence: sentenceOf(steps), groups }
}

function widthOf(barCount: number): string {
  if (barCount > 2) return 'w3'
  return barCount > 1 ? 'w2' : ''
}

function barOf(step: Step, isIll: boolean): Bar {
  const { name, status, rollout, hidden } = step
  if (hidden) return { shape: 'off', title: `${name}: not part of this release`, percentage: null }
  if (rollout && rollout.state !== 'notStarted' && rollout.state !== 'completed') {
    const isBad = isIll || rollout.state === 'halted'
    const word = statusLabel(ROLLOUT_STATES, rollout.state).word.toLowerCase()
    const title = `${name}: ${word}, ${percentText(rollout.percentage)}`
    return { shape: isBad ? 'ro bad' : 'ro', title, percentage: rollout.percentage }
  }
  const word = statusLabel(STEP_STATUSES, status).word.toLowerCase()
  return { shape: SHAPES[status] ?? '', title: `${name}: ${word}`, percentage: null }
}

function sentenceOf(steps: readonly Step[]): string {
  const own = steps.filter(({ hidden }) => !hidden)
  const done = own.filter(({ status }) => status === 'complete').length
  const named = (status: string, words: string) => {
    const names = own.filter((step) => step.status === status).map(({ name }) => name)
    return names.length > 0 ? [`${words}: ${names.join(', ')}`] : []
  }
  const rollout = own.find((step) => step.rollout && step.rollout.state === 'active')?.rollout
  return [
    `${done} of ${own.length} steps complete`,
    ...named('blocked', 'blocked'),
    ...named('inProgress', 'in progress'),
    ...(rollout ? [`${percentText(rollout.percentage)} of users`] : []),
  ].join('; ')
}
