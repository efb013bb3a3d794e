import type { IconName } from '../frame/icon_names.js'
import type { Reader } from '../frame/page.js'
import { addresses, addressOf } from '../addresses.js'
import { countText, percentText } from '../words/numbers.js'
import { ROLLOUT_STATES, VERDICTS, wordsOf } from '../words/statuses.js'
import { relativeText, secondsText, sinceText, timeOf, type TimeReader } from '../words/times.js'
import type { Asked, Rollout, StoreRollout } from './answers.js'

const STORES: Readonly<Record<string, string>> = {
  apple: 'App Store',
  google: 'Google Play',
  ota: 'Over the air',
}

/** Days that the App Store lets a phased release be paused. */
const DAYS_OF_PAUSE = 30

export const storeName = (storeType: string): string => STORES[storeType] ?? storeType

/** What the red button is at: it shows only what was observed. */
export interface RedButtonView {
  state: 'ready' | 'asking' | 'unconfirmed' | 'stopped' | 'none'
  label: string
  icon: IconName
  /** What is the case, in one line. */
  note: string | null
  action: string
}

const isRolling = ({ phased }: StoreRollout) => phased?.status === 'active'
const isHeld = ({ phased }: StoreRollout) =>
  phased?.status === 'halted' || phased?.status === 'paused'

/** The last command that asks a store to stop and that it has not confirmed; null for none. */
function openStop({ stopped, decided, asked, phased }: StoreRollout): Asked | null {
  const isWanted = decided.isStopped || stopped !== null
  if (!isWanted || phased === null || phased.status === 'halted' || phased.status === 'paused')
    return null
  return asked[0] ?? null
}

/**
 * Returns the red button of a release: ready while anything rolls out, asking until every store
 * was seen to have stopped, then stopped.
 */
export function redButtonOf(
  rollout: Rollout | null,
  { reader, appId, releaseId }: { reader: Reader; appId: string; releaseId: string }
): RedButtonView {
  const action = `${addressOf(addresses.release, { appId, releaseId })}/redButton`
  const none = { state: 'none', label: '', icon: 'octagon-x', note: null, action } as const
  if (!rollout || !reader.may('pressRedButton')) return none
  const live = rollout.stores.filter((store) => isRolling(store) || isHeld(store))
  if (live.length === 0) return none
  const asking = live.filter(
    (store) => isRolling(store) && (store.decided.isStopped || store.stopped)
  )
  if (asking.length > 0) return askingOf(asking, reader, action)
  const rolling = live.filter(isRolling)
  if (rolling.length > 0) {
    return { state: 'ready', label: 'Stop the rollout', icon: 'octagon-x', note: null, action }
  }
  const last = live
    .map(({ observed }) => observed?.beganAt ?? '')
    .sort()
    .at(-1)
  const stores = live.map(({ storeType }) => storeName(storeType)).join(' and ')
  const at = last ? ` ${secondsText(last, reader)}` : ''
  const label = `Stopped${at}, confirmed by ${stores}`
  return { state: 'stopped', label, icon: 'octagon-x', note: null, action }
}

function askingOf(asking: readonly StoreRollout[], reader: Reader, action: string): RedButtonView {
  const [store] = asking
  const asked = openStop(store)
  const name = storeName(store.storeType)
  const began = asked ? relativeText(asked.beganAt, reader.now) : null
  const isLate = asked !== null && asked.attempt > 1
  if (isLate) {
    const again = asked.retryAt
      ? ` It is asked again ${relativeText(asked.retryAt, reader.now) ?? 'soon'}.`
      : ''
    const note = `${name} has not confirmed yet: asked ${asked.attempt} times.${again}`
    return { state: 'unconfirmed', label: 'Stopping…', icon: 'loader', note, action }
  }
  const note = `Asked ${name}${began ? ` ${began}` : ''}. It is stopped when the store confirms.`
  return { state: 'asking', label: 'Stopping…', icon: 'loader', note, action }
}

/** The rollout in each store, as a card. */
export function storesOf(
  rollout: Rollout | null,
  base: string,
  steps: readonly { type: string; destinationId: string | null; stepRunId: string | null }[],
  reader: Reader
) {
  return (rollout?.stores ?? [])
    .filter(({ phased }) => phased !== null && phased.status !== 'notStarted')
    .map((store) => {
      const step = steps.find(
        (each) => each.type === 'rollout' && each.destinationId === store.destinationId
      )
      return storeOf(store, step?.stepRunId ?? null, base, reader)
    })
}

function storeOf(store: StoreRollout, runId: string | null, base: string, reader: Reader) {
  const times: TimeReader = reader
  const phased = store.phased!
  const status = wordsOf(ROLLOUT_STATES, phased.status)
  const confirmed = store.observed
  const verdicts = store.health.map(({ verdict }) => verdict)
  const worst = ['unhealthy', 'notEnoughData', 'healthy'].find((each) => verdicts.includes(each))
  const isStopped = phased.status === 'halted' || phased.status === 'paused'
  const main = store.health.find(({ value }) => value !== null)
  return {
    id: `store-${store.destinationId ?? 'first'}`,
    name: storeName(store.storeType),
    status,
    verdict: worst ? wordsOf(VERDICTS, worst) : null,
    confirmed: confirmed
      ? `Confirmed by the store ${relativeText(confirmed.beganAt, times.now) ?? sinceText(confirmed.beganAt, times.now) + ' ago'}`
      : 'Not confirmed by the store yet',
    failure: store.polled?.failure ?? null,
    percentage: percentText(phased.percentage),
    figures: [
      { value: percentText(phased.percentage), text: 'of users can have it' },
      ...(main
        ? [
            {
              value: percentText(main.value!),
              text:
                main.previousValue === null
                  ? metricName(main.metric)
                  : `${metricName(main.metric)}, before ${percentText(main.previousValue)}`,
            },
            ...(main.sample
              ? [{ value: countText(main.sample.total), text: 'counted of this version' }]
              : []),
          ]
        : []),
    ],
    isStopped,
    stopped: store.stopped
      ? `Stopped by ${store.stopped.by.name}, ${timeOf(store.stopped.at, times).text}${store.stopped.reason ? `: ${store.stopped.reason}` : '.'}`
      : null,
    apple:
      store.storeType === 'apple' && phased.status === 'paused'
        ? `A stop is a pause on the App Store: ${Math.max(0, DAYS_OF_PAUSE - (store.observed?.rollout?.pausedDays ?? 0))} of ${DAYS_OF_PAUSE} days are left.`
        : null,
    resume: `Resume at ${percentText(phased.percentage)}`,
    rows: store.health.map((each) => ({
      metric: metricName(each.metric),
      value: each.value === null ? '–' : percentText(each.value),
      before: each.previousValue === null ? '–' : percentText(each.previousValue),
      counted: each.sample ? each.sample.total.toLocaleString('en') : '–',
      verdict: wordsOf(VERDICTS, each.verdict),
    })),
    next: store.next.map((move) => ({ text: move.message, time: timeOf(move.at, times) })),
    // Without a run the whole release is meant.
    action: runId ? `${base}/stepRun/${encodeURIComponent(runId)}/rollout` : `${base}/rollout`,
    may: reader.may('changeRollout'),
    isOver: phased.status === 'completed' || phased.status === 'replaced',
  }
}

/** Returns the name of a metric in words: `crashFreeSessions` is `crash-free sessions`. */
export function metricName(metric: string): string {
  return metric
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('crash free', 'crash-free')
}
