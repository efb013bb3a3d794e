import { DateTime } from 'luxon'
import { later, type Instant } from '#foundation/core/clock'
import { WEEK } from '#foundation/core/durations'
import { daysAfter, instantOf } from '#planning/calendar/local_time'
import type { ReleaseScheduleEntryEntity, ScheduleCadenceEntity } from '#planning/entities'
import { addresses, addressOf } from '../addresses.js'
import { typedInstant } from '../frame/fields.js'
import type { Reader, Refused, Typed } from '../frame/page.js'
import { TARGETS } from './answers.js'

/** The form that changes one train. */
interface TrainChange {
  action: string
  hidden: readonly { name: string; value: string }[]
  fields: readonly {
    id: string
    name: string
    label: string
    type: 'date' | 'datetime-local' | 'text'
    value: string
  }[]
  buttons: readonly { value: string; verb: string }[]
}

type Exception = ScheduleCadenceEntity['exceptions'][number]

interface About {
  appId: string
  cadence: ScheduleCadenceEntity
  typed: Typed | Refused | null
  reader: Reader
}

/**
 * Returns the forms by which a reader changes one train: a draft by its dates, any other by what the
 * cadence makes of it.
 */
export function changesOf(
  entry: ReleaseScheduleEntryEntity,
  { appId, cadence, typed, reader }: About
): TrainChange[] {
  const { releaseId, status } = entry
  if (releaseId === null) return trainChange(entry, { appId, cadence, typed, reader })
  const of = { appId, releaseId }
  if (status === 'skipped') {
    if (!reader.may('unskipRelease')) return []
    const buttons = [{ value: '', verb: 'Do not skip it' }]
    return [{ action: addressOf(addresses.unskip, of), hidden: [], fields: [], buttons }]
  }
  if (status === 'completed') return []
  const changes: TrainChange[] = []
  if (reader.may('updateRelease')) {
    const action = addressOf(addresses.targetDates, of)
    const again = typed?.action === action ? typed.fields : null
    const dates = TARGETS.map(([label, name]) => {
      const stored = entry[name] === null ? '' : typedInstant(entry[name], reader.zone)
      const value = String(again?.[name] ?? stored)
      const field = { id: `${releaseId}-${name}`, name, label, type: 'datetime-local', value }
      return { stored, field: field as TrainChange['fields'][number] }
    })
    changes.push({
      action,
      hidden: dates.map(({ stored, field }) => ({ name: `${field.name}Before`, value: stored })),
      fields: dates.map(({ field }) => field),
      buttons: [{ value: '', verb: 'Set its dates' }],
    })
  }
  if (reader.may('skipRelease')) {
    const id = `${releaseId}-reason`
    changes.push({
      action: addressOf(addresses.skip, of),
      hidden: [],
      fields: [
        { id, name: 'reason', label: 'Why it is skipped (optional)', type: 'text', value: '' },
      ],
      buttons: [{ value: '', verb: 'Skip it' }],
    })
  }
  return changes
}

function trainChange(
  { targetKickoffAt }: ReleaseScheduleEntryEntity,
  { appId, cadence, typed, reader }: About
): TrainChange[] {
  const isOwn = cadence.followsAppId === null && reader.may('setScheduleCadence')
  if (!isOwn || targetKickoffAt === null) return []
  const { begins, date, isMoved } = trainOf(targetKickoffAt, cadence)
  const action = addressOf(addresses.train, { appId })
  const isAgain = typed?.action === action && typed.fields.date === date
  const value = isAgain ? String(typed.fields.movedTo ?? '') : begins
  return [
    {
      action,
      hidden: [{ name: 'date', value: date }],
      fields: [{ id: `train-${date}`, name: 'movedTo', label: 'Begins on', type: 'date', value }],
      buttons: [
        { value: 'move', verb: 'Move it' },
        { value: 'skip', verb: 'Leave it out' },
        ...(isMoved ? [{ value: 'restore', verb: 'Back to its own day' }] : []),
      ],
    },
  ]
}

/** The day that a train begins, and the one that it begins by the cadence. */
function trainOf(kickoffAt: string, { timezone, targets, exceptions }: ScheduleCadenceEntity) {
  const days = targets[0]?.kickoff.dayOffset ?? 0
  const begins = DateTime.fromISO(kickoffAt, { zone: timezone }).minus({ days }).toISODate()!
  const moved = exceptions.find(({ skipped, movedTo }) => !skipped && movedTo === begins)
  return { begins, date: moved?.date ?? begins, isMoved: moved !== undefined }
}

/**
 * Returns whether a train is still to be decided: drafted, or left out. One that is decided does not
 * run again by the cadence.
 */
function isUndecided({ date, movedTo }: Exception, cadence: ScheduleCadenceEntity, now: Instant) {
  const { enabled, paused, timezone, targets, draftWeeksAhead } = cadence
  const [{ kickoff }] = targets
  const kickoffAt = instantOf(timezone, daysAfter(movedTo ?? date, kickoff.dayOffset), kickoff.time)
  return (enabled && !paused ? later(kickoffAt, -draftWeeksAhead * WEEK) : kickoffAt) > now
}

/** The exceptions of single trains, with the form that takes each back. */
export const exceptionsOf = ({ appId, cadence, reader }: Omit<About, 'typed'>) =>
  cadence.exceptions
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .map((each) => ({ ...each, isUndecided: isUndecided(each, cadence, reader.now) }))
    .map(({ date, skipped, movedTo, releasePilotId, ...each }) => ({
      text: skipped
        ? `The train of ${date} is left out.`
        : movedTo
          ? `The train of ${date} begins on ${movedTo}.`
          : `The train of ${date} has ${releasePilotId ? 'a pilot of its own' : 'no change'}.`,
      date,
      action:
        (skipped || movedTo) &&
        each.isUndecided &&
        cadence.followsAppId === null &&
        reader.may('setScheduleCadence')
          ? addressOf(addresses.train, { appId })
          : null,
    }))
