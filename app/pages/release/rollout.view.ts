import { isRolling, isStop, isStopped, liveIn } from '#rollouts/red_button'
import { healthChart } from '../charts/health_chart.js'
import { axisOf, rolloutChart } from '../charts/rollout_chart.js'
import { shownChart } from '../charts/chart.js'
import { STORE_NAMES } from '#apps/vocabulary'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import { FormState } from '../frame/fields.js'
import type { Reader, Refused } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { countText, healthText, percentText } from '../words/numbers.js'
import { actorName, capital, metricName, plainText } from '../words/plain.js'
import { ROLLOUT_STATES, HEALTH_VERDICTS, statusLabel } from '../words/statuses.js'
import { inSentence, timeText } from '../words/times.js'
import type { Rollout, ShownStep } from './answers.js'
import { storeOfStep } from './held.js'
import { agoText } from './stops.view.js'
import { tagOf, type Tags } from './tags.js'

/** The context of the forms of rollouts. */
interface Steering {
  base: string
  steps: readonly Pick<ShownStep, 'type' | 'destinationId' | 'stepRunId'>[]
  tags: Tags
  reader: Reader
  refused: Refused | null
}

/** Returns the rollout in each store that has one, as a card. */
export function storesOf(rollout: Rollout | null, about: About, steering: Steering) {
  const { base, steps, tags, refused } = steering
  const isAlone = liveIn(rollout).length === 1
  return (rollout?.stores ?? [])
    .filter(({ phased }) => phased.status !== 'notStarted')
    .map((store) => {
      const step = steps.find((each) => storeOfStep(rollout, each) === store)
      const run = step?.stepRunId
      // Without a run, the form changes the rollout of the whole release.
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
    name: STORE_NAMES[store.storeType],
    status: statusLabel(ROLLOUT_STATES, phased.status),
    verdict: worstOf(health),
    confirmed: observed
      ? `Confirmed by the store ${agoText(observed.beganAt, reader)}`
      : 'Not confirmed yet',
    failure: failure
      ? `${STORE_NAMES[store.storeType]} could not be read${failure.times > 1 ? `, ${failure.times} times` : ''}: ${failure.reason}`
      : null,
    command: command && commandText(store, reader),
    figures: figuresOf(store, reader),
    charts: chartsOf(store, about, reader),
    stopped: stoppedText(store, reader),
    // Only then is the reason of interest.
    whyNotStoppable: phased.status === 'completed' ? store.whyNotStoppable : null,
    ladder: store.ladder.map(({ percentage, reachedAt, expectedAt }) => {
      const shape = percentage >= phased.percentage ? 'on' : 'ok'
      const at = reachedAt ?? expectedAt
      return {
        percentage: percentText(percentage),
        shape: reachedAt === null ? '' : shape,
        text: at ? timeText(at, reader) : '',
      }
    }),
    rows: health.map((each) => ({
      metric: capital(metricName(each.metric)),
      value: each.value === null ? '–' : healthText(each.value),
      before: each.previousValue === null ? '–' : healthText(each.previousValue),
      halts: each.threshold === null ? '–' : healthText(each.threshold.value),
      counted: each.sample.total.toLocaleString('en'),
      verdict: statusLabel(HEALTH_VERDICTS, each.verdict),
    })),
    complete: completeOf(store.forecast.completeAt, reader),
    // If only one store has a rollout, it is resumed at the top.
    resume: resume && !form.isAlone ? `Resume at ${percentText(resume.percentage)}` : null,
    isRolling: isRolling(store),
    maySet: maySet(store),
    action: form.action,
    tag: form.tag,
    typed: state.text('percentage'),
    fault: state.error('percentage'),
    may: reader.may('changeRollout'),
    isOver: phased.status === 'completed' || phased.status === 'replaced',
  }
}

/** Returns when all users have it, for use within a sentence. */
const completeOf = (at: string | null, reader: Reader) =>
  at === null ? null : { at, text: inSentence(at, reader) }

/**
 * Returns whether a person can set another share in a store. The App Store has fixed shares. A rollout
 * that is stopped, or about to be, has to be resumed first, unless all users had it.
 */
function maySet(store: RolloutInStore): boolean {
  const { storeType, phased, command } = store
  if (storeType === 'apple') return false
  if (phased.status === 'halted') return phased.percentage >= 100
  return isRolling(store) && command?.what !== 'halt' && command?.what !== 'pause'
}

/** A version, the one that it is compared with, and feature flags that have changed since. */
interface About {
  version: string
  before: string
  flagChanges: Rollout['flagChanges']
}

/** Returns the charts of the share of users and of the version's health, on the same time axis. */
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
      return shownChart(names.metric, chart)
    })
  return [shownChart('Share of users', share), ...health]
}

type Health = RolloutInStore['health']

function worstOf(health: Health) {
  const verdicts = health.map(({ verdict }) => verdict)
  const worst = (['unhealthy', 'notEnoughData', 'healthy'] as const).find((each) =>
    verdicts.includes(each)
  )
  return worst ? statusLabel(HEALTH_VERDICTS, worst) : null
}

function commandText({ command, storeType }: RolloutInStore, reader: Reader): string {
  const { what, tries, askedAt, reason } = command!
  const asked = askedAt ? `asked ${agoText(askedAt, reader)}` : 'not asked yet'
  const times = tries > 1 ? `, ${tries} times` : ''
  return `${STORE_NAMES[storeType]} is to ${DOES[what]}: ${asked}${times}.${reason ? ` ${plainText(reason)}` : ''}`
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

/** Returns a percentage as a figure, whose unit stands smaller beside it. */
const percentFigure = (text: string) => ({ value: text.slice(0, -1), unit: '%' })

function figuresOf({ phased, health, adoption, reached }: RolloutInStore, reader: Reader) {
  const last = reached.at(-1)
  const main = health.find(({ value }) => value !== null)
  const before =
    typeof main?.previousValue !== 'number' ? '' : `, before ${healthText(main.previousValue)}`
  return [
    {
      ...percentFigure(percentText(phased.percentage)),
      text: last ? `of users, since ${inSentence(last.at, reader)}` : 'of users can have it',
    },
    ...(main
      ? [
          {
            ...percentFigure(healthText(main.value!)),
            text: `${metricName(main.metric)}${before}`,
          },
          { value: countText(main.sample.total), unit: '', text: 'counted of this version' },
        ]
      : []),
    ...(adoption
      ? [{ ...percentFigure(percentText(adoption.percentage)), text: 'of users have it' }]
      : []),
  ]
}

/** Says who stopped the rollout, once the store shows the stop. */
function stoppedText(store: RolloutInStore, reader: Reader) {
  const { stopped, pauseDaysLeft, storeType } = store
  if (!stopped || !isStopped(store)) return null
  const reason = stopped.reason ? `: ${plainText(stopped.reason)}` : ''
  const days =
    storeType === 'apple' && pauseDaysLeft !== null
      ? ` A stop is a pause on the App Store: ${pauseDaysLeft} of 30 days are left.`
      : ''
  const at = inSentence(stopped.at, reader)
  return `${isStop(store) ? 'Stopped' : 'Paused'} by ${actorName(stopped.by)}, ${at}${reason.replace(/\.?$/, '.')}${days}`
}
