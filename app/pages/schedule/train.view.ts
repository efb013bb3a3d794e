import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { ReleaseScheduleEntryEntity, ScheduleCadenceEntity } from '#planning/entities'
import { addresses, addressOf } from '../addresses.js'
import { fieldView, type FieldView } from '../components/field.view.js'
import { FormState, isUntouched, typedInstant } from '../frame/fields.js'
import type { Fault, Reader, Refused, Typed } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { TARGETS } from './answers.js'

/** The form that changes one train. */
interface TrainChange {
  action: string
  /** The entity tag of the release; null for a train without one. */
  tag: string | null
  hidden: readonly { name: string; value: string }[]
  fields: readonly FieldView[]
  buttons: readonly { value: string; verb: string }[]
  /** True if the form was sent and is shown again. */
  isAgain: boolean
  errors: readonly Fault[]
}

interface About {
  appId: string
  cadence: ScheduleCadenceEntity
  /** Entity tags of releases, by id. */
  tags: Readonly<Record<string, string>>
  typed: Typed | Refused | null
  reader: Reader
}

/**
 * Returns the forms with which a reader changes one train: that of a release by its dates, a predicted
 * one by an exception to the cadence.
 */
export function changesOf(entry: ReleaseScheduleEntryEntity, about: About): TrainChange[] {
  const { appId, tags, typed, reader } = about
  const { releaseId, status } = entry
  if (releaseId === null) return trainChange(entry, about)
  if (status === 'completed') return []
  const idOf = (name: string) => `${releaseId}-${name}`
  const changeAt = (address: string) => {
    const action = addressOf(address, { appId, releaseId })
    const state = new FormState(typed, action, (pointer) => idOf(pointer.slice(1)))
    const isAgain = typed?.action === action
    const tag = seenTag(tags[releaseId] ?? null, action, typed)
    return { state, change: { action, tag, hidden: [], fields: [], isAgain, errors: state.errors } }
  }
  if (status === 'skipped') {
    if (!reader.may('unskipRelease')) return []
    const buttons = [{ value: '', verb: 'Un-skip it' }]
    return [{ ...changeAt(addresses.unskip).change, buttons }]
  }
  const changes: TrainChange[] = []
  if (reader.may('updateRelease')) {
    const { state, change } = changeAt(addresses.targetDates)
    const dates = TARGETS.map(([label, name]) => {
      const stored = entry[name] === null ? '' : typedInstant(entry[name], reader.zone)
      const field = fieldView(state, {
        id: idOf(name),
        name,
        label,
        stored,
        type: 'datetime-local',
      })
      // A date that the reader did not change is shown as it is now.
      const value = isUntouched(state.typed, name) ? stored : field.value
      return { stored, field: { ...field, value } }
    })
    changes.push({
      ...change,
      hidden: dates.map(({ stored, field }) => ({ name: `${field.name}Before`, value: stored })),
      fields: dates.map(({ field }) => field),
      buttons: [{ value: '', verb: 'Set the dates' }],
    })
  }
  if (reader.may('skipRelease')) {
    const { state, change } = changeAt(addresses.skip)
    const reason = { id: idOf('reason'), name: 'reason', label: 'Why it is skipped (optional)' }
    const fields = [fieldView(state, reason)]
    changes.push({ ...change, fields, buttons: [{ value: '', verb: 'Skip it' }] })
  }
  return changes
}

function trainChange(
  { trainDate: date }: ReleaseScheduleEntryEntity,
  { appId, cadence, typed, reader }: About
): TrainChange[] {
  const isOwn = cadence.followsAppId === null && reader.may('setScheduleCadence')
  if (!isOwn || date === null) return []
  const movedTo = cadence.exceptions.find((each) => each.date === date)?.movedTo ?? null
  const action = addressOf(addresses.train, { appId })
  const isAgain = typed?.action === action && typed.fields.date === date
  const id = `train-${date}`
  const state = new FormState(isAgain ? typed : null, action, () => id)
  return [
    {
      ...{ action, tag: null, isAgain, errors: state.errors },
      hidden: [{ name: 'date', value: date }],
      fields: [
        fieldView(state, {
          ...{ id, name: 'movedTo', label: 'Begins on', type: 'date' },
          stored: movedTo ?? date,
        }),
      ],
      buttons: [
        { value: 'move', verb: 'Move it' },
        { value: 'skip', verb: 'Skip it' },
        ...(movedTo !== null ? [{ value: 'restore', verb: 'Move it back' }] : []),
      ],
    },
  ]
}

function exceptionText(skipped: boolean, movedTo: string | null, pilotId: string | null): string {
  if (skipped) return 'is skipped'
  if (movedTo) return `begins on ${movedTo}`
  return pilotId ? 'has its own pilot' : 'has no change'
}

/** Returns the exceptions to the cadence, each with the form that undoes it. */
export const exceptionsOf = ({
  appId,
  cadence,
  reader,
}: Pick<About, 'appId' | 'cadence' | 'reader'>) =>
  cadence.exceptions
    .toSorted((one, other) => compareTexts(one.date, other.date))
    .map(({ date, skipped, movedTo, releasePilotId }) => ({
      text: `The train of ${date} ${exceptionText(skipped, movedTo, releasePilotId)}.`,
      date,
      action:
        (skipped || movedTo) &&
        cadence.undecidedFrom !== null &&
        date >= cadence.undecidedFrom &&
        cadence.followsAppId === null &&
        reader.may('setScheduleCadence')
          ? addressOf(addresses.train, { appId })
          : null,
    }))
