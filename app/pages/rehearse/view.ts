import { DateTime } from 'luxon'
import { DAY, hoursText, MINUTE } from '#foundation/core/durations'
import { storeKindOf } from '#apps/vocabulary'
import type { ListedRehearsalEntity, RehearsalEntity } from '#simulation/rehearsals/entities'
import {
  APP_STORE_SCENARIOS,
  MAX_WEEKS,
  SCENARIO_NAMES,
  SCENARIOS,
  DEFAULT_SCENARIO,
  DEFAULT_WEEKS,
} from '#simulation/rehearsals/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import type { AppAnswers } from '../app/answers.js'
import { headOf } from '../app/head.js'
import { shownChart } from '../charts/chart.js'
import { lanes, waitsOf } from '../charts/lanes.js'
import { choicesView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appName } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { plainText } from '../words/plain.js'
import { PHASES, statusLabel } from '../words/statuses.js'
import { within } from '../words/who.js'
import { dayText, inZone, timeOf, inSentence, timeText } from '../words/times.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>
type Reader = PageCall['reader']
type App = AppAnswers['app']
type Result = NonNullable<RehearsalEntity['result']>
type Story = Result['story']['releases'][number]

const STATES = {
  waiting: { word: 'Begins', colour: 'blue', icon: 'clock' },
  playing: { word: 'Running', colour: 'blue', icon: 'loader' },
  played: { word: 'Played', colour: 'green', icon: 'circle-check' },
  failed: { word: 'Failed', colour: 'red', icon: 'circle-x' },
  stopped: { word: 'Stopped', colour: 'hint', icon: 'circle-minus' },
} as const satisfies Record<string, { word: string; colour: string; icon: IconName }>

const isUnderWay = ({ state }: Pick<ListedRehearsalEntity, 'state'>) =>
  state === 'waiting' || state === 'playing'

const scenarioText = (name: string) =>
  Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name as keyof typeof SCENARIOS] : name

/** Returns the view of the form that starts a rehearsal, and of the last rehearsals. */
export function rehearsalsView(
  { app, rehearsals }: { app: App; rehearsals: readonly ListedRehearsalEntity[] },
  { reader, refused }: Call
) {
  const action = addressOf(addresses.rehearsals, { appId: app.id })
  const state = new FormState(refused, action)
  const may = reader.may('startRehearsal')
  const [underWay] = rehearsals.filter(isUnderWay)
  const hrefOf = ({ id: rehearsalId }: ListedRehearsalEntity) =>
    addressOf(addresses.rehearsal, { appId: app.id, rehearsalId })
  const scenarios = SCENARIO_NAMES.filter(
    (name) => storeKindOf(app.platform) === 'apple' || !APP_STORE_SCENARIOS.includes(name)
  )
  return {
    title: `Rehearse · ${appName(app)}`,
    place: null,
    pollSeconds: null,
    isSecret: true,
    head: headOf(app, reader, 'rehearse'),
    underWay: underWay ? hrefOf(underWay) : null,
    form:
      may && !underWay
        ? {
            action,
            weeks: choicesView(state, {
              id: 'weeks',
              label: 'How long',
              options: Array.from({ length: MAX_WEEKS }, (_, index) => ({
                value: String(index + 1),
                label: counted(index + 1, 'week'),
                isOn: index + 1 === DEFAULT_WEEKS,
              })),
            }),
            scenario: choicesView(state, {
              id: 'scenario',
              label: 'What happens',
              options: scenarios.map((value) => ({
                value,
                label: SCENARIOS[value],
                isOn: value === DEFAULT_SCENARIO,
              })),
            }),
          }
        : null,
    rows: rehearsals.map((each) => ({
      href: hrefOf(each),
      text: scenarioText(each.scenario),
      weeks: counted(each.weeks, 'week'),
      by: each.createdBy.name,
      state: STATES[each.state],
      time: timeOf(each.createdAt, reader),
    })),
  } satisfies PageView & Record<string, unknown>
}

/** Seconds between polls while a rehearsal is under way. */
const POLL_SECONDS = 2

/** Returns the view of a rehearsal. */
export function rehearsalView(
  { app, rehearsal }: { app: App; rehearsal: RehearsalEntity },
  { reader, params, query }: Call & Pick<PageCall, 'query'>
) {
  const { result, weeks, scenario } = rehearsal
  const goesOn = isUnderWay(rehearsal)
  return {
    title: `Rehearsal · ${appName(app)}`,
    place: null,
    pollSeconds: goesOn ? POLL_SECONDS : null,
    isUnderWay: goesOn,
    app: { name: appName(app), href: addressOf(addresses.app, { appId: app.id }) },
    all: addressOf(addresses.rehearsals, { appId: app.id }),
    heading: `${counted(weeks, 'week')} of ${appName(app)}`,
    scenario: scenarioText(scenario),
    state: STATES[rehearsal.state],
    sentence: sentenceOf(rehearsal, reader),
    progress: goesOn ? progressOf(rehearsal) : null,
    stop:
      goesOn && reader.may('stopRehearsal')
        ? { action: addressOf(addresses.stopRehearsal, params) }
        : null,
    result: result && resultOf(result, { reader, params, chosen: query.day ?? null }),
  } satisfies PageView & Record<string, unknown>
}

function progressOf({ beginsAt, playedTo, weeks }: RehearsalEntity) {
  const days = 7 * weeks
  const done = playedTo === null ? 0 : (Date.parse(playedTo) - Date.parse(beginsAt)) / DAY
  const day = Math.min(days, Math.floor(done))
  return { days, day, text: `Day ${day} of ${days}` }
}

function sentenceOf(rehearsal: RehearsalEntity, reader: Reader) {
  const { state, result, failure, createdBy, createdAt } = rehearsal
  const asked = `${createdBy.name} requested it, ${inSentence(createdAt, reader)}.`
  switch (state) {
    case 'waiting':
      return {
        tone: 'plain',
        head: isLate(rehearsal, reader) ? 'It is waiting for its turn.' : 'It starts in a moment.',
        rest: isLate(rehearsal, reader) ? 'Another rehearsal is running on this machine.' : '',
        detail: asked,
      }
    case 'playing':
      return {
        tone: 'plain',
        head: 'It is running.',
        rest: 'Days pass in seconds, with simulated providers. Nothing real is touched.',
        detail: asked,
      }
    case 'failed':
      return { tone: 'bad', head: 'It could not be run.', rest: failure ?? '', detail: asked }
    case 'stopped':
      return {
        tone: 'plain',
        head: 'It was stopped.',
        rest: 'Nothing is kept of it.',
        detail: asked,
      }
    case 'played':
      return { ...playedSentence(result!, reader), detail: asked }
  }
}

/** Seconds after which a waiting rehearsal counts as late. */
const SOON = 20

const isLate = ({ createdAt }: RehearsalEntity, { now }: Reader) =>
  Date.parse(now) - Date.parse(createdAt) > SOON * 1000

function playedSentence({ story, begin, end }: Result, reader: Reader) {
  const span = `From ${dayText(begin, reader)} to ${dayText(end, reader)}`
  const { releases } = story
  if (releases.length === 0) {
    return {
      tone: 'warn',
      head: 'Nothing happened.',
      rest: `${span}, no release is drafted. Choose more weeks, or check that the cadence is switched on.`,
    }
  }
  const reached = releases.filter(({ releasedAt }) => releasedAt !== null).length
  const [longest] = longestOf(releases)
  return {
    tone: 'plain',
    head: `${span}, ${counted(reached, 'release')} of ${releases.length} ${reached === 1 ? 'reaches' : 'reach'} users.`,
    rest: longest
      ? `The longest wait: ${longest.step} of ${longest.version}, ${hoursText(longest.hours)}, for ${within(longest.who)}.`
      : '',
  }
}

/** Returns the waits of all releases, the longest first. */
const longestOf = (releases: Result['story']['releases']) =>
  releases.flatMap(waitsOf).sort((one, other) => other.hours - one.hours)

const SUBMITTED = 'is submitted'

/** Codes of the conditions of a release in review. */
const IN_REVIEW: readonly (string | null)[] = ['waiting_for_review', 'in_review']

/** Returns the earlier submissions of a release, which itself holds only the last one. */
const submittedBefore = ({ version, spans, submittedAt }: Story) =>
  spans.flatMap(({ from, code }, index) => {
    const before = spans[index - 1]?.code ?? null
    const isFirst = IN_REVIEW.includes(code) && !IN_REVIEW.includes(before)
    const isEarlier = submittedAt !== null && Date.parse(from) < Date.parse(submittedAt) - MINUTE
    return isFirst && isEarlier
      ? [{ at: from, text: `${version} ${SUBMITTED}`, icon: 'store' as const }]
      : []
  })

/** Milestones of a release, in their order. */
const MILESTONES = [
  ['kickedOffAt', 'is kicked off', 'plane-takeoff'],
  ['submittedAt', SUBMITTED, 'store'],
  ['approvedAt', 'is approved by the store', 'check'],
  ['releasedAt', 'reaches its first users', 'users'],
  ['completedAt', 'is complete', 'circle-check'],
] as const

/** Descriptions of the trouble of a release, by the code of the condition that holds it. */
const TROUBLE: Readonly<Record<string, string>> = {
  kickoff_failed: 'cannot be kicked off',
  cherry_pick_failed: 'misses a commit',
  features_missing: 'misses features',
  build_failed: 'has a build that failed',
  item_blocked: 'has an item that failed or is blocked',
  tests_failed: 'has tests that failed',
  beta_rejected: 'is rejected for testers',
  submission_failed: 'could not be submitted',
  invalid_binary: 'has a build that the store refuses',
  review_rejected: 'is rejected by the store',
  rollout_paused: 'is paused',
  rollout_halted: 'is stopped',
}

/** Returns the moments at which a release got into trouble. */
const troubleOf = ({ version, spans }: Story) =>
  spans.flatMap(({ from, code }, index) =>
    code !== null && Object.hasOwn(TROUBLE, code) && spans[index - 1]?.code !== code
      ? [{ at: from, text: `${version} ${TROUBLE[code]}`, icon: 'octagon-alert' as const }]
      : []
  )

const MARKS: Readonly<Partial<Record<string, string>>> = {
  submittedAt: 'submitted',
  releasedAt: 'released',
}

const ICONS = {
  happened: 'circle-dashed',
  did: 'user',
  refused: 'circle-alert',
  sent: 'bot',
  world: 'store',
} as const satisfies Record<Result['entries'][number]['kind'], IconName>

/** The maximum numbers of waits and of moments in the lists. */
const MAX_WAITS = 12
const MAX_MOMENTS = 60

interface Shown {
  reader: Reader
  params: Record<string, string>
  /** The day whose entries are shown. */
  chosen: string | null
}

function resultOf(result: Result, { reader, params, chosen }: Shown) {
  const { story, entries, left, sent, asked, standIns, begin, end } = result
  // A release that was not kicked off has no lane.
  const begun = story.releases.filter(({ spans }) => spans.length > 0)
  const all = begun.map((release) => ({
    ...{ version: release.version, spans: release.spans, steps: release.steps },
    phase: statusLabel(PHASES, release.phase).word,
    marks: MILESTONES.flatMap(([key]) => {
      const [at, what] = [release[key], MARKS[key]]
      return at === null || what === undefined ? [] : [{ what, at }]
    }),
  }))
  const moments = [
    ...story.releases.flatMap((release) =>
      MILESTONES.flatMap(([key, what, icon]) => {
        const at = release[key]
        return at === null ? [] : [{ at, text: `${release.version} ${what}`, icon }]
      })
    ),
    ...story.releases.flatMap(submittedBefore),
    ...story.releases.flatMap(troubleOf),
    ...entries
      .filter(({ kind }) => kind === 'world' || kind === 'refused')
      .map(({ at, kind, text }) => ({ at, text, icon: ICONS[kind] })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const shown = [...Map.groupBy(moments, ({ text }) => text).values()].map((same) => ({
    ...same[0],
    times: same.length,
  }))
  return {
    chart:
      all.length === 0
        ? null
        : shownChart(
            'Releases over time',
            lanes(all, story.freezes, { id: 'story', from: begin, to: end, reader })
          ),
    moments: shown.slice(0, MAX_MOMENTS).map(({ at, text, icon, times }) => ({
      icon,
      text: `${inZone(plainText(text), reader)}${times > 1 ? `, ${times} times` : ''}`,
      time: timeOf(at, reader),
    })),
    later: shown.length > MAX_MOMENTS ? `and ${shown.length - MAX_MOMENTS} more` : '',
    waits: longestOf(story.releases)
      .slice(0, MAX_WAITS)
      .map(({ hours, ...wait }) => ({ ...wait, text: hoursText(hours) })),
    days: daysOf(entries, { reader, params, chosen }),
    isChosen: chosen !== null,
    everything: `Everything that happened: ${counted(entries.length, 'entry', 'entries')}`,
    left: left > 0 ? `${counted(left, 'entry', 'entries')} after those are not kept.` : '',
    report: [
      {
        title: 'Sent',
        lines: sent.map(({ to, count, what }) => `${to}: ${count} ${what}`),
      },
      {
        title: 'Providers are asked to change',
        lines: asked.map(
          ({ provider, changes, refused }) =>
            `${provider}: ${counted(changes, 'call')}${refused > 0 ? `, ${refused} of them refused` : ''}`
        ),
      },
      {
        title: 'Simulated',
        lines: standIns.map(({ integration, type, standIn }) =>
          type === standIn ? `${integration}: ${standIn}` : `${integration} (${type}): ${standIn}`
        ),
      },
    ].filter(({ lines }) => lines.length > 0),
  }
}

/** Returns the days with their number of entries; the chosen day with its entries. */
function daysOf(all: Result['entries'], { reader, params, chosen }: Shown) {
  const byDay = Map.groupBy(all, ({ at }) =>
    DateTime.fromISO(at, { zone: reader.zone }).toISODate()!
  )
  return [...byDay].map(([day, own]) => ({
    day: dayText(own[0].at, reader),
    href: `${addressOf(addresses.rehearsal, params)}?day=${day}#everything`,
    count: counted(own.length, 'entry', 'entries'),
    entries: (day === chosen ? own : []).map(({ at, kind, text }) => ({
      icon: ICONS[kind],
      text: inZone(plainText(text), reader),
      time: timeText(at, reader),
    })),
  }))
}
