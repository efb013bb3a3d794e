import {
  type CRASH_MEASURES,
  type HOTFIX_ROLLOUTS,
  type METRIC_SOURCES,
  MAX_ENTRIES,
  type STOPS,
  type WHEN_UNSURE,
} from '#rollouts/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { headOf } from '../app/head.js'
import { budgetChart, type KnownOutlook } from '../charts/budget_chart.js'
import { shownChart } from '../charts/chart.js'
import { ladderChart } from '../charts/ladder_chart.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { appName, WEEKDAYS } from '../words/names.js'
import { countText, counted, percentText } from '../words/numbers.js'
import { inSentence } from '../words/times.js'
import type { Policy, PolicyAnswers } from './answers.js'

type Call = Pick<PageCall, 'reader' | 'refused'>

/** Returns the view of a rollout policy, with its form and the outlook for rollouts. */
export function policyView(answers: PolicyAnswers, { reader, refused }: Call) {
  const { app, destinationId, stored, tag, outlook, isPreview, typed } = answers
  const of = { appId: app.id }
  const actions = {
    set: addressOf(addresses.policy, of),
    preview: addressOf(addresses.policyPreview, of),
  }
  const state = new FormState(typed, Object.values(actions), fieldFor)
  const may = reader.may('setRolloutPolicy')
  return {
    title: `Rollout policy · ${appName(app)}`,
    place: null,
    pollSeconds: null,
    ...changedMeanwhile(refused, reader),
    ...(state.errors.length > 0 && { places: state.errors }),
    head: headOf(app, reader, 'policy'),
    stores: storesOf(app, destinationId),
    destinationId: destinationId ?? '',
    actions,
    tag: seenTag(tag, Object.values(actions), typed),
    may,
    note: may ? null : 'People who may change automations or settings of apps can change it.',
    form: formOf(state, stored, outlook.isApple, reader.zone),
    outlook: outlookOf(answers, reader),
    isPreview,
  } satisfies PageView & Record<string, unknown>
}

/** Returns the field of the form that a pointer into the body leads to. */
function fieldFor(pointer: string): string {
  const [, first, second = '', third = ''] = pointer.split('/')
  if (first !== 'policy') return first
  if (second === 'officeHours') return third === 'to' ? 'officeTo' : 'officeFrom'
  if (second === 'guard') return third === '' ? 'metrics' : third
  return second === '' ? 'by' : second
}

/** Returns the stores of an app as tabs, as each has its own policy; empty for a single store. */
function storesOf({ id, destinations }: PolicyAnswers['app'], here: string | null) {
  if (destinations.length < 2) return []
  const path = addressOf(addresses.policy, { appId: id })
  return destinations.map(({ id: destinationId, name }, index) => ({
    name,
    href: index === 0 ? path : `${path}?${new URLSearchParams({ destinationId })}`,
    isHere: destinationId === here || (index === 0 && here === null),
  }))
}

const SOURCES: Readonly<Record<(typeof METRIC_SOURCES)[number], string>> = {
  events: 'Custom events',
  crashMonitoring: 'Crash monitoring',
  productAnalytics: 'Product analytics',
  appReviews: 'Reviews in the store',
}

const MEASURES: Readonly<Record<(typeof CRASH_MEASURES)[number], string>> = {
  crashFreeUsers: 'Crash-free users',
  crashFreeSessions: 'Crash-free sessions',
  crashes: 'Crashes in all sessions',
}

const UNSURE: Readonly<Record<(typeof WHEN_UNSURE)[number], string>> = {
  hold: 'It is held, and people are notified',
  grow: 'It grows as scheduled',
}

const HOTFIXES: Readonly<Record<(typeof HOTFIX_ROLLOUTS)[number], string>> = {
  atOnce: 'To all users at once',
  ladder: 'Along the ladder, like other releases',
}

const STOP_WORDS: Readonly<Record<(typeof STOPS)[number], string>> = {
  own: 'Its own rollout',
  release: 'The release in all stores',
  appGroup: 'That version in all apps of the group',
}

const optionsOf = <Value extends string>(
  words: Readonly<Record<Value, string>>,
  chosen: string | undefined
) =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label, isOn: value === chosen }))

/** Empty rows at the end of the ladder, to add rungs. */
const SPARE_RUNGS = 3

/** Returns the form with typed values, else with the stored policy. */
function formOf(state: FormState, stored: Policy | null, isApple: boolean, zone: string) {
  const { guard = null } = stored ?? {}
  const number = (id: string, label: string, hint: string, value: number | null | undefined) =>
    fieldView(state, { id, label, hint, type: 'number', stored: value?.toString() })
  const choice = <Value extends string>(
    id: string,
    label: string,
    words: Readonly<Record<Value, string>>,
    chosen: Value
  ) => choicesView(state, { id, label, options: optionsOf(words, chosen) })
  const by = state.text('by', stored ? 'policy' : 'people')
  return {
    byPolicy: by === 'policy',
    byError: state.error('by'),
    isSet: stored !== null,
    ladder: isApple ? null : ladderOf(state, stored),
    // The App Store grows by its own days, at any hour.
    hours: isApple ? [] : hoursOf(state, stored),
    finishWithinDays: number(
      'finishWithinDays',
      'Days within which all users have it (optional)',
      'Stages are shortened for this, but none is skipped.',
      stored?.finishWithinDays
    ),
    timezone: fieldView(state, {
      id: 'timezone',
      label: 'Time zone',
      hint: isApple
        ? 'Of days, such as Europe/Berlin.'
        : 'Of hours and days, such as Europe/Berlin.',
      stored: stored?.timezone ?? zone,
    }),
    weekdays: choicesView(state, {
      id: 'weekdays',
      label: 'Grows on',
      options: WEEKDAYS.map((label, index) => ({
        value: String(index + 1),
        label,
        isOn: stored?.weekdays.includes(index + 1) ?? true,
      })),
    }),
    quietDays: fieldView(state, {
      id: 'quietDays',
      label: 'Quiet days (optional)',
      hint: 'Days on which nothing grows, such as 2026-12-24, one per line.',
      type: 'area',
      stored: stored?.quietDays.join('\n'),
    }),
    call: fieldView(state, {
      id: 'call',
      label: 'Notify when it is held (optional)',
      hint: 'E-mail addresses of people of the organization, one per line. Default: the pilot.',
      type: 'area',
      stored: stored?.call.join('\n'),
    }),
    judges: state.has('judges', 'true', stored === null || guard !== null),
    metrics: metricsOf(state, guard),
    metricsError: state.error('metrics'),
    harmBudget: number(
      'harmBudget',
      'Harm budget in percent',
      'The largest share of all users that a new version may harm. Default: 0.5.',
      guard?.harmBudget
    ),
    errorBound: number(
      'errorBound',
      'Error bound',
      'How often a version without a drop may be stopped, 0 to 1. Default: 0.01.',
      guard?.errorBound
    ),
    whenUnsure: choice('whenUnsure', 'Without any data', UNSURE, guard?.whenUnsure ?? 'hold'),
    hotfix: choice('hotfix', 'Hotfixes go', HOTFIXES, stored?.hotfix ?? 'atOnce'),
    stops: choice('stops', 'An unhealthy version stops', STOP_WORDS, stored?.stops ?? 'own'),
  }
}

const hoursOf = (state: FormState, stored: Policy | null) => [
  fieldView(state, {
    ...{ id: 'healthyHours', label: 'Hours of a healthy stage (optional)', type: 'number' },
    hint: 'A stage lasts no longer while the version is healthy.',
    stored: stored?.healthyHours?.toString(),
  }),
  fieldView(state, {
    ...{ id: 'officeFrom', label: 'Grows from (optional)', type: 'time' },
    stored: stored?.officeHours?.from,
  }),
  fieldView(state, {
    ...{ id: 'officeTo', label: 'Grows until (optional)', type: 'time' },
    stored: stored?.officeHours?.to,
  }),
]

/** The ladder that the form proposes if none is stored. */
const FIRST_LADDER = [
  { percentage: 1, hours: 24 },
  { percentage: 5, hours: 24 },
  { percentage: 20, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]

function ladderOf(state: FormState, stored: Policy | null) {
  const ladder = stored?.ladder ?? FIRST_LADDER
  const shares = state.list(
    'percentage',
    ladder.map(({ percentage }) => String(percentage))
  )
  const hours = state.list(
    'hours',
    ladder.map((rung) => String(rung.hours))
  )
  const filled = shares.findLastIndex((share) => share.trim() !== '') + 1
  const count = Math.min(MAX_ENTRIES.rungs, filled + SPARE_RUNGS)
  return {
    error: state.error('ladder'),
    rows: Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      percentage: shares[index] ?? '',
      hours: hours[index] ?? '',
    })),
  }
}

function metricsOf(state: FormState, guard: Policy['guard']) {
  const stored = guard?.metrics ?? FIRST_METRICS
  const listOf = (name: string, of: (metric: (typeof stored)[number]) => string | undefined) =>
    state.list(
      name,
      stored.map((metric) => of(metric) ?? '')
    )
  const names = listOf('metric', ({ name }) => name)
  const sources = listOf('source', ({ source }) => source)
  const measures = listOf('measure', ({ measure }) => measure)
  const totals = listOf('total', ({ total }) => total)
  const bads = listOf('bad', ({ bad }) => bad)
  const filled = names.findLastIndex((name) => name.trim() !== '') + 1
  return Array.from({ length: Math.min(MAX_ENTRIES.metrics, filled + 1) }, (_, index) => ({
    isSpare: index >= filled,
    name: names[index] ?? '',
    sources: optionsOf(SOURCES, sources[index] || 'crashMonitoring'),
    measures: optionsOf({ '': 'None', ...MEASURES }, measures[index] ?? ''),
    total: totals[index] ?? '',
    bad: bads[index] ?? '',
  }))
}

/** The metrics that the form proposes if none are stored. */
const FIRST_METRICS: NonNullable<Policy['guard']>['metrics'] = [
  { name: 'crashFreeUsers', source: 'crashMonitoring', measure: 'crashFreeUsers' },
]

/** Returns the expected course of a rollout under the policy, as far as it is known. */
function outlookOf({ outlook, isPreview }: PolicyAnswers, reader: Reader) {
  const { policy, startsAt, rungs, closed, metrics, isApple } = outlook
  if (policy === null || startsAt === null) {
    const lines = ['People steer rollouts: nothing grows and nothing stops automatically.']
    return { heading: 'How it goes', lines, ladder: null, metrics: [] }
  }
  const last = rungs.at(-1)
  const starts = `If it starts ${inSentence(startsAt, reader)} and stays healthy`
  const end = last?.expectedAt
  const ladder = ladderChart(rungs, closed, { id: 'ladder-chart', reader })
  return {
    heading: isPreview ? 'How it would go' : 'How it goes',
    lines: [
      end
        ? `${starts}, all users have it ${inSentence(end, reader)}.`
        : `${starts}, it never reaches all users: ${neverText(rungs)}.`,
      ...(rungs.some(({ because }) => because === 'numbers')
        ? ['Each stage waits for the numbers that justify the next, as far as this app is known.']
        : []),
      ...(isApple ? ['The ladder is that of the App Store, with a day for each stage.'] : []),
      ...(policy.guard === null
        ? ['No guard judges it: no number of crashes stops it automatically.']
        : []),
    ],
    ladder: rungs.length > 0 ? shownChart('Share of users', ladder) : null,
    metrics: metrics.map((metric, index) => metricOf(metric, policy, `budget-${index}`)),
  }
}

function neverText(rungs: PolicyAnswers['outlook']['rungs']): string {
  const reached = rungs.findLast(({ expectedAt }) => expectedAt !== null)
  const share = reached ? ` beyond ${percentText(reached.percentage)}` : ''
  return `no number of users that this app has justifies growth${share}`
}

function metricOf(
  {
    name,
    unit: words,
    knownDays,
    daily,
    harmedAtMost,
    rungs,
  }: PolicyAnswers['outlook']['metrics'][number],
  policy: Policy,
  id: string
) {
  const budget = percentText(policy.guard!.harmBudget)
  if (daily === null || harmedAtMost === null) {
    const known =
      knownDays === 0
        ? `It is not known yet how many ${words} this app has in this store.`
        : `The number of ${words} that this app has in this store is known for ${counted(knownDays, 'day')} only, which is too few.`
    return {
      name,
      plot: null,
      lines: [
        `${known} The guard counts them in rollouts.`,
        `Until then nobody can know how many ${words} a stage reaches, how long the numbers take, and how many crashes stop it. The budget stands: ${budget} of all.`,
      ],
    }
  }
  const known: KnownOutlook = { daily, harmedAtMost, rungs }
  const usual = percentText((100 * daily.bad) / daily.of)
  return {
    name,
    lines: [
      `${countText(Math.round(daily.of))} ${words} a day, of which ${usual} went wrong in the version before: counted in the last rollouts.`,
      rungs.some(({ growsUpTo }) => growsUpTo === null)
        ? `They stop a version but let none grow: the budget does not apply to ${words}.`
        : `The budget of ${budget} lets a new version harm ${countText(Math.round(harmedAtMost))} of them a day at most.`,
      ...(rungs.every(({ stopsAt }) => stopsAt === null)
        ? ['So few are counted in each stage that no number of crashes stops it there.']
        : []),
    ],
    plot:
      rungs.length > 0 ? shownChart('Crashes until it stops', budgetChart(known, words, id)) : null,
  }
}
