import { healthChart } from '../charts/health_chart.js'
import { axisOf, rolloutChart } from '../charts/rollout_chart.js'
import type { ChartView } from '../charts/chart.js'
import { later } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import type { IconName } from '../frame/icon_names.js'
import type { Reader, Refused } from '../frame/page.js'
import { FormState } from '../frame/fields.js'
import { countText, percentText } from '../words/numbers.js'
import { actorName, plainText } from '../words/plain.js'
import type { SentenceView } from '../words/sentence.js'
import { ROLLOUT_STATES, VERDICTS, wordsOf } from '../words/statuses.js'
import {
  inSentence,
  relativeText,
  secondsText,
  sinceText,
  timeOf,
  timeText,
} from '../words/times.js'
import type { Rollout, ShownStep } from './answers.js'
import { storeOfStep } from './read.js'
import { seenTag, tagOf, type Tags } from './tags.js'

const STORES = { apple: 'App Store', google: 'Google Play', ota: 'Over the air' } as const

/** Stores after `in`. */
const PLACES = { apple: 'the App Store', google: 'Google Play', ota: 'the channel' } as const
const placesOf = (stores: readonly RolloutInStore[]) =>
  stores.map(({ storeType }) => PLACES[storeType]).join(' and ')

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
  /** Whether the reader has signed in to press it: the keyboard is there already. */
  isFocused: boolean
  /** Who may press it, where that is not the reader. */
  who: string | null
}

const isRolling = ({ phased }: RolloutInStore) => phased.status === 'active'
const isStopped = ({ phased }: RolloutInStore) =>
  phased.status === 'halted' || phased.status === 'paused'
const isAskedToStop = (store: RolloutInStore) =>
  isRolling(store) && (store.command?.what === 'halt' || store.command?.what === 'pause')

/**
 * Returns whether a rollout was stopped rather than paused. On the App Store a stop is a pause, so
 * that it is who stopped it that tells.
 */
const isStop = ({ decided, stopped }: RolloutInStore) =>
  decided.rollout?.action === 'halt' || stopped?.how === 'redButton' || stopped?.how === 'guard'

/** Stores in which something rolls out, or was stopped. */
const liveIn = (rollout: Rollout | null) =>
  (rollout?.stores ?? []).filter((store) => isRolling(store) || isStopped(store))

interface Pressing {
  base: string
  reader: Reader
  /** Who may press it, where the reader may not. */
  stoppers: string | null
  isFocused: boolean
}

/**
 * Returns the red button of a release: ready while anything rolls out that nobody has stopped,
 * asking until every store was seen to have stopped, then stopped.
 */
export function redButtonOf(
  rollout: Rollout | null,
  { base, reader, stoppers, isFocused }: Pressing
): RedButtonView {
  const who = stoppers === null ? null : `${stoppers} may stop it.`
  const about = {
    icon: 'octagon-x',
    note: null,
    action: `${base}/redButton`,
    isFocused,
    who,
  } as const
  const live = liveIn(rollout)
  if (live.length === 0 || !reader.may('pressRedButton'))
    return { ...about, state: 'none', label: '' }
  const asked = live.filter((store) => isAskedToStop(store) && isStop(store))
  const rolling = live.filter((store) => isRolling(store) && !asked.includes(store))
  if (rolling.length > 0) return { ...about, state: 'ready', label: 'Stop the rollout' }
  if (asked.length > 0) return { ...about, ...askingOf(asked, reader) }
  const seen = live.flatMap(({ reached }) => reached.at(-1)?.at ?? []).sort()
  const at = seen.length > 0 ? ` ${secondsText(seen.at(-1)!, reader)}` : ''
  const stores = live.map(({ storeType }) => storeName(storeType)).join(' and ')
  const [word, icon] = live.some(isStop)
    ? (['Stopped', 'octagon-x'] as const)
    : (['Paused', 'pause'] as const)
  return { ...about, icon, state: 'stopped', label: `${word}${at}, confirmed by ${stores}` }
}

function askingOf(asked: readonly RolloutInStore[], reader: Reader) {
  const notes = asked.map((store) => askedNote(store, reader))
  const isLate = notes.some((note) => note.isLate)
  return {
    state: isLate ? ('unconfirmed' as const) : ('asking' as const),
    label: 'Stopping…',
    icon: 'loader' as const,
    note: notes.map(({ text }) => text).join(' '),
  }
}

/** What a store was asked that it has not confirmed. */
function askedNote({ storeType, command }: RolloutInStore, reader: Reader) {
  const { tries, askedAt, retryAt, decidedAt, reason } = command!
  const name = storeName(storeType)
  // Of requests that a store refused alike, the last one is known.
  const isLate = retryAt !== null || decidedAt < later(reader.now, -USUAL_MS) || tries > USUAL_TRIES
  if (isLate) {
    const again = retryAt
      ? ` It is asked again ${relativeText(retryAt, reader.now) ?? 'soon'}.`
      : ''
    const why = reason ? ` ${plainText(reason)}` : ''
    const times = tries > USUAL_TRIES ? `: asked ${tries} times` : ''
    return { isLate, text: `${name} has not confirmed yet${times}.${again}${why}` }
  }
  const began = askedAt
    ? `${name} was asked ${agoText(askedAt, reader)}.`
    : `${name} is asked next.`
  return { isLate, text: `${began} It is done when the store confirms.` }
}

/** Whether a store is asked to stop or pause: the page is asked for more often meanwhile. */
export const isBeingStopped = (rollout: Rollout | null): boolean =>
  liveIn(rollout).some(isAskedToStop)

/**
 * Returns what is true of a rollout that was stopped or paused, store by store: what was asked,
 * and what was seen. Null while nobody has.
 */
export function stopSentence(
  rollout: Rollout | null,
  reader: Reader
): Omit<SentenceView, 'detail' | 'more'> | null {
  const live = liveIn(rollout)
  const asked = live.filter(isAskedToStop)
  const stopped = live.filter(isStopped)
  if (asked.length + stopped.length === 0) return null
  const list = live.length > 1 ? live.map((store) => stateIn(store, reader)) : []
  if (asked.length > 0) {
    const isOfStop = asked.some(isStop)
    return {
      tone: isOfStop ? 'bad' : 'warn',
      icon: 'loader',
      head: `The rollout is being ${isOfStop ? 'stopped' : 'paused'}.`,
      rest:
        live.length > 1
          ? `It reaches users in ${placesOf(live.filter(isRolling))} until that is confirmed.`
          : 'It reaches users until the store confirms.',
      list,
    }
  }
  const isOfStop = stopped.some(isStop)
  const word = isOfStop ? 'stopped' : 'paused'
  const look = {
    tone: isOfStop ? ('bad' as const) : ('warn' as const),
    icon: isOfStop ? ('octagon-x' as const) : ('pause' as const),
    list,
  }
  if (stopped.length < live.length) {
    return {
      ...look,
      head: `It is ${word} in ${placesOf(stopped)}.`,
      rest: `It still reaches users in ${placesOf(live.filter(isRolling))}.`,
    }
  }
  const shares = [...new Set(stopped.map(({ phased }) => percentText(phased.percentage)))]
  return {
    ...look,
    head: `The rollout is ${word}${shares.length === 1 ? ` at ${shares[0]}` : ''}.`,
    rest: 'Who has this version keeps it. Nobody else gets it.',
  }
}

/** What is the case in one store of several. */
function stateIn(store: RolloutInStore, reader: Reader): SentenceView['list'][number] {
  const { phased, storeType, observed } = store
  const name = storeName(storeType)
  const share = percentText(phased.percentage)
  const told = { isYours: false }
  if (isAskedToStop(store)) {
    const { askedAt } = store.command!
    const when = askedAt ? `asked ${agoText(askedAt, reader)}` : 'asked next'
    const what = isStop(store) ? 'is to stop' : 'is to pause'
    return { ...told, text: `${name} ${what} at ${share}`, who: `${when}, not confirmed` }
  }
  const seen = observed ? `confirmed ${agoText(observed.beganAt, reader)}` : 'not confirmed'
  if (!isStopped(store)) return { ...told, text: `${name} rolls out at ${share}`, who: seen }
  const word = isStop(store) ? 'stopped' : 'paused'
  return { ...told, text: `${name} is ${word} at ${share}`, who: seen }
}

/** How all that stands still goes on at once; null while anything rolls out, or cannot go on. */
export function resumeOf(rollout: Rollout | null) {
  const live = liveIn(rollout)
  if (live.length === 0 || !live.every((store) => isStopped(store) && store.resume)) return null
  const shares = [...new Set(live.map(({ resume }) => percentText(resume!.percentage)))]
  return shares.length === 1 ? `Resume at ${shares[0]}` : 'Resume'
}

/** How the forms of rollouts are made. */
interface Steering {
  base: string
  steps: readonly Pick<ShownStep, 'type' | 'destinationId' | 'stepRunId'>[]
  tags: Tags
  reader: Reader
  refused: Refused | null
}

/** The rollout in each store that has one, as a card. */
export function storesOf(rollout: Rollout | null, about: About, steering: Steering) {
  const { base, steps, tags, refused } = steering
  const isAlone = liveIn(rollout).length === 1
  return (rollout?.stores ?? [])
    .filter(({ phased }) => phased.status !== 'notStarted')
    .map((store) => {
      const step = steps.find((each) => storeOfStep(rollout, each) === store)
      const run = step?.stepRunId
      // Without a run the whole release is meant.
      const action = run ? `${base}/stepRun/${encodeURIComponent(run)}/rollout` : `${base}/rollout`
      const operation = run ? 'changeStepRunRollout' : 'changeRollout'
      const tag = seenTag(tagOf(operation, tags, run ?? null), action, refused)
      const form = { action, tag, isAlone }
      return storeOf(store, about, form, steering)
    })
}

function storeOf(
  store: RolloutInStore,
  about: About,
  form: { action: string; tag: string | null; isAlone: boolean },
  { reader, refused }: Steering
) {
  const { phased, observed, polled, health, resume, command } = store
  const { failure } = polled
  const state = new FormState(refused, form.action)
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
          : '',
    })),
    rows: health.map((each) => ({
      metric: metricName(each.metric),
      value: each.value === null ? '–' : percentText(each.value),
      before: each.previousValue === null ? '–' : percentText(each.previousValue),
      counted: each.sample.total.toLocaleString('en'),
      verdict: wordsOf(VERDICTS, each.verdict),
    })),
    completeAt: store.forecast.completeAt && timeOf(store.forecast.completeAt, reader),
    // What stands still in one store alone is resumed on top.
    resume: resume && !form.isAlone ? `Resume at ${percentText(resume.percentage)}` : null,
    isRolling: isRolling(store),
    // The App Store has shares of its own.
    maySet: store.storeType !== 'apple',
    action: form.action,
    tag: form.tag,
    typed: state.text('percentage'),
    fault: state.error('percentage'),
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
  return `${storeName(storeType)} is to ${DOES[what]}: ${asked}${times}.${reason ? ` ${plainText(reason)}` : ''}`
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
      text: last ? `of users, since ${inSentence(last.at, reader)}` : 'of users can have it',
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
  const at = inSentence(stopped.at, reader)
  return `${isStop(store) ? 'Stopped' : 'Paused'} by ${actorName(stopped.by)}, ${at}${reason.replace(/\.?$/, '.')}${days}`
}

/** Returns the name of a metric in words: `crashFreeSessions` is `crash-free sessions`. */
function metricName(metric: string): string {
  const words = metric.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace('crash free', 'crash-free')
}
