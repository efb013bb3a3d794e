import type { ReleaseScheduleEntryEntity, ScheduleCadenceEntity } from '#planning/entities'
import { addresses, addressOf } from '../addresses.js'
import { headOf } from '../app/head.js'
import { scheduleChart } from '../charts/schedule_chart.js'
import { choicesView, fieldView, type FieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { initialsOf } from '../frame/places.js'
import type { Policy } from '../policy/answers.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { appName, WEEKDAYS } from '../words/names.js'
import { listed } from '../words/plain.js'
import { inSentence, timeOf, zoneName } from '../words/times.js'
import { MAX_LISTED, TARGETS, WEEKS, type ScheduleAnswers } from './answers.js'
import { changesOf, exceptionsOf } from './train.view.js'

type Call = Pick<PageCall, 'reader' | 'refused'>

/** Returns the view of the schedule of an app, for twelve weeks. */
export function scheduleView(answers: ScheduleAnswers, { reader, refused }: Call) {
  const { app, from, to, entries, freezes, rollouts, preview, typed } = answers
  const params = { appId: app.id }
  const actions = {
    set: addressOf(addresses.cadence, params),
    preview: addressOf(addresses.cadencePreview, params),
    freeze: addressOf(addresses.freezes, params),
  }
  const cadenceActions = [actions.set, actions.preview]
  const cadence = new FormState(typed, cadenceActions, cadenceField)
  const freeze = new FormState(typed, actions.freeze, freezeField)
  const freezeNames = new Map(freezes.map(({ id, name }) => [id, name]))
  const about = {
    appId: app.id,
    cadence: answers.cadence,
    tags: answers.releaseTags,
    typed,
    reader,
  }
  // A cadence that is not set yet has no trains to change.
  const rows = entries.slice(0, MAX_LISTED).map((entry) => ({
    ...rowOf(entry, app.id, freezeNames, reader),
    changes: preview === null ? changesOf(entry, about) : [],
  }))
  const trainErrors = rows.flatMap(({ changes }) => changes.flatMap((change) => change.errors))
  const errors = [...cadence.errors, ...freeze.errors, ...trainErrors]
  const trains = entries.map((entry) => trainOf(entry, freezeNames))
  const spans = freezes
    .filter(({ startAt }) => startAt < to)
    .map(({ name, startAt, endAt }) => ({ name, from: startAt, to: endAt }))
  const quiet = rollouts.closed.filter(({ why }) => why === 'quietDay')
  const chart = scheduleChart(
    { from, weeks: WEEKS, trains, freezes: spans, quiet },
    { id: 'schedule-chart', reader }
  )
  return {
    title: `Schedule · ${appName(app)}`,
    place: null,
    pollSeconds: null,
    ...changedMeanwhile(refused, reader),
    ...(errors.length > 0 && { places: errors }),
    head: headOf(app, reader, 'schedule'),
    times: `Times: ${zoneName(reader.zone)}`,
    chart: { svg: chart.svg.toString() },
    trains: rows,
    more: Math.max(0, entries.length - MAX_LISTED),
    empty: emptyText(answers.cadence),
    quietText: rollouts.policy && quietText(rollouts.policy, rollouts.isApple, app.destinations),
    freezes: freezes.map(({ id, name, startAt, endAt, phases, active }) => ({
      name,
      isActive: active,
      isOver: endAt <= reader.now,
      phases: phasesText(phases),
      from: timeOf(startAt, reader),
      to: timeOf(endAt, reader),
      action: addressOf(addresses.endFreeze, { ...params, freezeId: id }),
    })),
    mayFreeze: reader.may('updateLifecycleFreezes'),
    freezeForm: freezeFormOf(freeze),
    actions,
    ...cadenceFormOf(answers, cadence, cadenceActions, reader),
    preview: preview && previewOf(preview, app.id, reader),
  } satisfies PageView & Record<string, unknown>
}

const versionOf = ({ version }: Pick<ReleaseScheduleEntryEntity, 'version'>) =>
  version ?? 'Next release'

function trainOf(entry: ReleaseScheduleEntryEntity, freezeNames: ReadonlyMap<string, string>) {
  return {
    name: versionOf(entry),
    isPredicted: entry.predicted,
    isFrozen: frozenIn(entry, freezeNames).length > 0,
    kickoffAt: entry.targetKickoffAt,
    submitAt: entry.targetSubmitAt,
    releaseAt: entry.targetReleaseAt,
  }
}

const frozenIn = (
  { frozenBy }: Pick<ReleaseScheduleEntryEntity, 'frozenBy'>,
  freezeNames: ReadonlyMap<string, string>
) => frozenBy.flatMap((id) => freezeNames.get(id) ?? [])

const STATUSES: Readonly<Record<string, string>> = {
  upcoming: 'Upcoming',
  active: 'Active',
  completed: 'Completed',
  skipped: 'Skipped',
}

/** Returns the row of a train. */
function rowOf(
  entry: ReleaseScheduleEntryEntity,
  appId: string,
  freezeNames: ReadonlyMap<string, string>,
  reader: Reader
) {
  const { releaseId, predicted, pilot, status } = entry
  const who = pilot && (pilot.name ?? pilot.email)
  const frozen = frozenIn(entry, freezeNames)
  return {
    version: versionOf(entry),
    href: releaseId && addressOf(addresses.release, { appId, releaseId }),
    status: predicted ? 'Predicted' : (STATUSES[status] ?? status),
    isPredicted: predicted,
    dates: TARGETS.flatMap(([name, member]) => {
      const at = entry[member]
      return at === null ? [] : [{ name, time: timeOf(at, reader) }]
    }),
    pilot:
      pilot === null || !who
        ? null
        : { name: who, initials: initialsOf(who), isPredicted: pilot.predicted },
    conflict: frozen.length > 0 ? `A date falls into ${listed(frozen)}` : null,
  }
}

/** Describes when rollouts grow. The App Store grows them itself, without office hours. */
function quietText(
  { weekdays, officeHours, timezone, quietDays }: Policy,
  isApple: boolean,
  [first, ...others]: ScheduleAnswers['app']['destinations']
): string {
  const days =
    weekdays.length === WEEKDAYS.length
      ? 'on all days'
      : `on ${listed(weekdays.map((day) => WEEKDAYS[day - 1]))}`
  const hours = officeHours && !isApple ? ` from ${officeHours.from} to ${officeHours.to}` : ''
  const except = quietDays.length > 0 ? ', except on quiet days' : ''
  const where = others.length > 0 ? ` in ${first.name}` : ''
  return `Rollouts${where} grow ${days}${hours}${except} (${zoneName(timezone)}).`
}

function emptyText({ enabled, paused, startDate }: ScheduleCadenceEntity): string {
  if (startDate === null) return 'No cadence is set, and no release has a date in these weeks.'
  if (!enabled) return 'The cadence is switched off, and no release has a date in these weeks.'
  return paused
    ? 'The cadence is paused, and no release has a date in these weeks.'
    : 'No release has a date in these weeks.'
}

/** Returns the field of the cadence form for a JSON pointer into the body. */
function cadenceField(pointer: string): string {
  const [, first, , target, member] = pointer.split('/')
  if (first !== 'targets') return first
  return target === undefined ? 'kickoffDay' : `${target}${member === 'time' ? 'Time' : 'Day'}`
}

/** Returns the field of the freeze form for a pointer. The added freeze is the first of the body. */
function freezeField(pointer: string): string {
  const [, , index, member = 'name'] = pointer.split('/')
  return index === '0' ? member : 'name'
}

const PHASES = [
  ['kickoff', 'Kickoffs', null],
  ['submit', 'Submissions', null],
  ['release', 'Releases', 'Rollouts do not grow, either.'],
] as const

/** Returns the phases that a freeze holds back, in words. */
function phasesText(phases: readonly string[]): string {
  const named = PHASES.filter(([phase]) => phases.includes(phase)).map(([, name]) => name)
  return listed(named.map((name, index) => (index === 0 ? name : name.toLowerCase())))
}

const freezeFormOf = (state: FormState) => ({
  name: fieldView(state, { id: 'name', label: 'What it is for' }),
  startAt: fieldView(state, { id: 'startAt', label: 'From', type: 'datetime-local' }),
  endAt: fieldView(state, { id: 'endAt', label: 'Until', type: 'datetime-local' }),
  phases: choicesView(state, {
    id: 'phases',
    label: 'What is frozen',
    hint: 'Its automations do not run during the freeze. People may still act, and are warned.',
    options: PHASES.map(([value, label, hint]) => ({ value, label, hint, isOn: true })),
  }),
})

function cadenceFormOf(
  { app, cadence, tag, typed }: ScheduleAnswers,
  state: FormState,
  actions: readonly string[],
  reader: Reader
) {
  const { followsAppId } = cadence
  return {
    may: reader.may('setScheduleCadence'),
    note: 'People who may update the schedule can change it.',
    tag: seenTag(tag, actions, typed),
    follows:
      followsAppId === null
        ? null
        : {
            text: `This app follows the cadence of ${followsAppId}.`,
            href: addressOf(addresses.schedule, { appId: followsAppId }),
          },
    enabled: state.has('enabled', 'true', cadence.enabled || cadence.startDate === null),
    paused: state.has('paused', 'true', cadence.paused),
    skipFrozenDates: state.has('skipFrozenDates', 'true', cadence.skipFrozenDates),
    fields: followsAppId === null ? fieldsOf(state, cadence, reader) : null,
    exceptions: exceptionsOf({ appId: app.id, cadence, reader }),
  }
}

function fieldsOf(state: FormState, cadence: ScheduleCadenceEntity, { zone }: Reader) {
  const [targets] = cadence.targets
  const target = (name: 'kickoff' | 'submit' | 'release', label: string): FieldView[] => {
    const stored = targets?.[name]
    const optional = name === 'kickoff' ? '' : ' (optional)'
    return [
      fieldView(state, {
        ...{ id: `${name}Day`, label: `${label}: days after it begins${optional}`, type: 'number' },
        stored: stored?.dayOffset.toString() ?? (name === 'kickoff' ? '0' : undefined),
      }),
      fieldView(state, {
        ...{ id: `${name}Time`, label: `${label}: at${optional}`, type: 'time' },
        stored: stored?.time ?? (name === 'kickoff' ? '10:00' : undefined),
      }),
    ]
  }
  return {
    basics: [
      fieldView(state, {
        ...{ id: 'startDate', label: 'The first train begins', type: 'date' },
        stored: cadence.startDate ?? undefined,
      }),
      fieldView(state, {
        ...{ id: 'intervalWeeks', label: 'Weeks between trains', type: 'number' },
        stored: String(cadence.intervalWeeks),
      }),
    ],
    targets: [
      ...target('kickoff', 'Kickoff'),
      ...target('submit', 'Submit'),
      ...target('release', 'Release'),
    ],
    rest: [
      fieldView(state, {
        ...{ id: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin.' },
        stored: cadence.startDate === null ? zone : cadence.timezone,
      }),
      fieldView(state, {
        ...{ id: 'draftWeeksAhead', label: 'Draft releases this many weeks ahead', type: 'number' },
        stored: String(cadence.draftWeeksAhead),
      }),
    ],
  }
}

const DRAFTS = {
  moved: 'Moved',
  removed: 'Removed: the cadence has no date for it',
  kept: 'Stays: edited by hand, or its train has left',
} as const

function previewOf(drafts: NonNullable<ScheduleAnswers['preview']>, appId: string, reader: Reader) {
  const rows = (['moved', 'removed', 'kept'] as const).flatMap((what) =>
    drafts[what].map(({ releaseId, version, targetKickoffAt, previousTargetKickoffAt }) => ({
      version,
      href: addressOf(addresses.release, { appId, releaseId }),
      what: DRAFTS[what],
      text: datesText(targetKickoffAt, previousTargetKickoffAt ?? null, reader),
    }))
  )
  return { rows, empty: 'No draft is affected. Trains that are not drafted yet are shown above.' }
}

function datesText(at: string | null, before: string | null, reader: Reader): string {
  const to = at ? `kickoff ${inSentence(at, reader)}` : 'no kickoff date'
  return before && before !== at ? `${to}, was ${inSentence(before, reader)}` : to
}
