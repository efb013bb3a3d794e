import { healthChart } from '../charts/health_chart.js'
import { axisOf, rolloutChart } from '../charts/rollout_chart.js'
import type { ChartView } from '../charts/chart.js'
import { later } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import type { IconName } from '../frame/icon_names.js'
import type { Reader } from '../frame/page.js'
import { countText, percentText } from '../words/numbers.js'
import { ROLLOUT_STATES, VERDICTS, wordsOf } from '../words/statuses.js'
import { relativeText, secondsText, sinceText, timeOf, timeText } from '../words/times.js'
import type { Rollout } from './answers.js'
import { storeOfStep, type ShownStep } from './read.js'

const STORES = { apple: 'App Store', google: 'Google Play', ota: 'Over the air' } as const

const storeName = (storeType: RolloutInStore['storeType']): string => STORES[storeType]

/** Tries, and time since the press, after which a store is late to confirm. */
const USUAL_TRIES = 1
const USUAL_MS = 30 * SECOND

/** What the red button is at: it shows only what was observed. */
export interface RedButtonView {
  state: 'ready' | 'asking' | 'unconfirmed' | 'stopped' | 'none'
  label: string
  icon: IconName
  /** What is the case, in one line. */
  note: string | null
  action: string
}

const isRolling = ({ phased }: RolloutInStore) => phased.status === 'active'
const isStopped = ({ phased }: RolloutInStore) =>
  phased.status === 'halted' || phased.status === 'paused'
const isAskedToStop = ({ command }: RolloutInStore) =>
  command?.what === 'halt' || command?.what === 'pause'

/**
 * Returns the red button of a release: ready while anything rolls out, asking until every store
 * was seen to have stopped, then stopped.
 */
export function redButtonOf(rollout: Rollout | null, base: string, reader: Reader): RedButtonView {
  const about = { icon: 'octagon-x', note: null, action: `${base}/redButton` } as const
  const live = (rollout?.stores ?? []).filter((store) => isRolling(store) || isStopped(store))
  if (live.length === 0 || !reader.may('pressRedButton'))
    return { ...about, state: 'none', label: '' }
  const asked = live.filter((store) => isRolling(store) && isAskedToStop(store))
  if (asked.length > 0) return { ...about, ...askingOf(asked, reader) }
  if (live.some(isRolling)) return { ...about, state: 'ready', label: 'Stop the rollout' }
  const seen = live.flatMap(({ reached }) => reached.at(-1)?.at ?? []).sort()
  const at = seen.length > 0 ? ` ${secondsText(seen.at(-1)!, reader)}` : ''
  const stores = live.map(({ storeType }) => storeName(storeType)).join(' and ')
  return { ...about, state: 'stopped', label: `Stopped${at}, confirmed by ${stores}` }
}

function askingOf(asked: readonly RolloutInStore[], reader: Reader) {
  const [{ storeType, command }] = asked
  const { tries, askedAt, retryAt, decidedAt, reason } = command!
  const name = storeName(storeType)
  const label = 'Stopping…'
  const icon: IconName = 'loader'
  // Of requests that a store refused alike, the last one is known.
  const isLate = retryAt !== null || decidedAt < later(reader.now, -USUAL_MS)
  if (isLate || tries > USUAL_TRIES) {
    const again = retryAt
      ? ` It is asked again ${relativeText(retryAt, reader.now) ?? 'soon'}.`
      : ''
    const why = reason ? ` ${reason}` : ''
    const times = tries > USUAL_TRIES ? `: asked ${tries} times` : ''
    const note = `${name} has not confirmed yet${times}.${again}${why}`
    return { state: 'unconfirmed' as const, label, icon, note }
  }
  const began = askedAt
    ? `${name} was asked ${agoText(askedAt, reader)}.`
    : `${name} is asked next.`
  const note = `${began} It is stopped when the store confirms.`
  return { state: 'asking' as const, label, icon, note }
}

/** The rollout in each store that has one, as a card. */
export function storesOf(
  rollout: Rollout | null,
  about: About,
  base: string,
  steps: readonly Pick<ShownStep, 'type' | 'destinationId' | 'stepRunId'>[],
  reader: Reader
) {
  return (rollout?.stores ?? [])
    .filter(({ phased }) => phased.status !== 'notStarted')
    .map((store) => {
      const step = steps.find((each) => storeOfStep(rollout, each) === store)
      const run = step?.stepRunId
      // Without a run the whole release is meant.
      const action = run ? `${base}/stepRun/${encodeURIComponent(run)}/rollout` : `${base}/rollout`
      return storeOf(store, about, action, reader)
    })
}

function storeOf(store: RolloutInStore, about: About, action: string, reader: Reader) {
  const { phased, observed, polled, health, resume, command } = store
  const { failure } = polled
  return {
    id: `store-${store.destinationId ?? 'first'}`,
    name: storeName(store.storeType),
    status: wordsOf(ROLLOUT_STATES, phased.status),
    verdict: worstOf(health),
    confirmed: observed
      ? `Confirmed by the store ${agoText(observed.beganAt, reader)}`
      : 'Not confirmed yet',
    failure: failure
      ? `${storeName(store.storeType)} could not be read, ${failure.times} times: ${failure.reason}`
      : null,
    command: command && commandText(store, reader),
    figures: figuresOf(store, reader),
    charts: chartsOf(store, about, reader),
    stopped: stoppedText(store, reader),
    ladder: store.ladder.map((rung) => ({
      percentage: percentText(rung.percentage),
      shape: rung.reachedAt === null ? '' : rung.percentage >= phased.percentage ? 'on' : 'ok',
      text: rung.reachedAt
        ? timeText(rung.reachedAt, reader)
        : rung.expectedAt
          ? timeText(rung.expectedAt, reader)
          : 'no date',
    })),
    rows: health.map((each) => ({
      metric: metricName(each.metric),
      value: each.value === null ? '–' : percentText(each.value),
      before: each.previousValue === null ? '–' : percentText(each.previousValue),
      counted: each.sample.total.toLocaleString('en'),
      verdict: wordsOf(VERDICTS, each.verdict),
    })),
    completeAt: store.forecast.completeAt && timeOf(store.forecast.completeAt, reader),
    resume: resume ? `Resume at ${percentText(resume.percentage)}` : null,
    isRolling: isRolling(store),
    action,
    may: reader.may('changeRollout'),
    isOver: phased.status === 'completed' || phased.status === 'replaced',
  }
}

/** A version, the one that it is compared with, and flags that changed meanwhile. */
interface About {
  version: string
  before: string
  flagChanges: Rollout['flagChanges']
}

/** The share of users over time, with the health of the version beside it on the same axis. */
function chartsOf(store: RolloutInStore, { version, before, flagChanges }: About, reader: Reader) {
  const { looks } = store
  if (store.reached.length === 0) return []
  const all = looks.flatMap((each) => each.looks)
  const axis = axisOf(store, all, reader)
  const id = store.destinationId ?? 'first'
  const share = rolloutChart(store, flagChanges, { id: `share-${id}`, axis, reader })
  const health = looks
    .filter((each) => each.looks.length > 1)
    .map((each, index) => {
      const names = { metric: metricName(each.metric), version, before }
      const chart = healthChart(each.looks, names, { id: `health-${id}-${index}`, axis, reader })
      return chartOf(names.metric, chart)
    })
  return [chartOf('Share of users', share), ...health]
}

const chartOf = (name: string, { svg, keys, table, title }: ChartView) => ({
  name: name[0].toUpperCase() + name.slice(1),
  title,
  svg: svg.toString(),
  keys,
  table,
})

type Health = RolloutInStore['health']

function worstOf(health: Health) {
  const verdicts = health.map(({ verdict }) => verdict)
  const worst = (['unhealthy', 'notEnoughData', 'healthy'] as const).find((each) =>
    verdicts.includes(each)
  )
  return worst ? wordsOf(VERDICTS, worst) : null
}

const agoText = (at: string, { now }: Reader) =>
  relativeText(at, now) ?? `${sinceText(at, now)} ago`

function commandText({ command, storeType }: RolloutInStore, reader: Reader): string {
  const { what, tries, askedAt, reason } = command!
  const asked = askedAt ? `asked ${agoText(askedAt, reader)}` : 'not asked yet'
  const times = tries > 1 ? `, ${tries} times` : ''
  return `${storeName(storeType)} is to ${DOES[what]}: ${asked}${times}.${reason ? ` ${reason}` : ''}`
}

const DOES = {
  submitted: 'review it',
  withdrawn: 'give it back',
  released: 'release it',
  pause: 'pause',
  resume: 'resume',
  halt: 'stop',
  complete: 'give it to all users',
  set: 'change the share',
} as const

function figuresOf({ phased, health, adoption, reached }: RolloutInStore, reader: Reader) {
  const last = reached.at(-1)
  const main = health.find(({ value }) => value !== null)
  const before =
    typeof main?.previousValue !== 'number' ? '' : `, before ${percentText(main.previousValue)}`
  return [
    {
      value: percentText(phased.percentage),
      text: last ? `of users, since ${timeText(last.at, reader)}` : 'of users can have it',
    },
    ...(main
      ? [
          { value: percentText(main.value!), text: `${metricName(main.metric)}${before}` },
          { value: countText(main.sample.total), text: 'counted of this version' },
        ]
      : []),
    ...(adoption ? [{ value: percentText(adoption.percentage), text: 'of users have it' }] : []),
  ]
}

/** Who stopped it, once the store was seen to have. */
function stoppedText(store: RolloutInStore, reader: Reader) {
  const { stopped, pauseDaysLeft, storeType } = store
  if (!stopped || !isStopped(store)) return null
  const reason = stopped.reason ? `: ${stopped.reason}` : ''
  const days =
    storeType === 'apple' && pauseDaysLeft !== null
      ? ` A stop is a pause on the App Store: ${pauseDaysLeft} of 30 days are left.`
      : ''
  const at = timeText(stopped.at, reader)
  return `Stopped by ${stopped.by.name}, ${at}${reason.replace(/\.?$/, '.')}${days}`
}

/** Returns the name of a metric in words: `crashFreeSessions` is `crash-free sessions`. */
function metricName(metric: string): string {
  const words = metric.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace('crash free', 'crash-free')
}
