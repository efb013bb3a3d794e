import { refuse } from '#foundation/core/problems/problem'
import type { Instant } from '#foundation/core/clock'
import type { LifecycleFreezeSetEntity, ScheduleCadenceEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import type { Ask } from '../ask.js'
import { instantIn, isTicked, listIn, numberIn, textOf } from '../frame/fields.js'
import { form, type Fields, type FormCall } from '../frame/page.js'
import { counted } from '../words/numbers.js'
import { weeksFrom } from './answers.js'
import { cadencePreviewPage, schedulePage } from './page.js'

type Params = Record<string, string>

const ofApp = ({ appId }: Params) => ({ appId })
const onSchedule = { page: schedulePage, params: ofApp }

/** Reads a local time and its offset in days from the start of a train; null if both are empty. */
function momentIn(fields: Fields, name: string) {
  const [dayOffset, time] = [numberIn(fields, `${name}Day`), textOf(fields, `${name}Time`)]
  return dayOffset === null && time === null ? null : { dayOffset: dayOffset ?? 0, time }
}

/** Reads the cadence; for an app that follows another, only the members of its own. */
function cadenceIn(fields: Fields) {
  const own = { enabled: isTicked(fields, 'enabled'), paused: isTicked(fields, 'paused') }
  if (isTicked(fields, 'follows')) return own
  return {
    ...own,
    intervalWeeks: numberIn(fields, 'intervalWeeks') ?? '',
    startDate: textOf(fields, 'startDate') ?? '',
    timezone: textOf(fields, 'timezone') ?? '',
    targets: [
      {
        kickoff: momentIn(fields, 'kickoff'),
        submit: momentIn(fields, 'submit'),
        release: momentIn(fields, 'release'),
      },
    ],
    skipFrozenDates: isTicked(fields, 'skipFrozenDates'),
    draftWeeksAhead: numberIn(fields, 'draftWeeksAhead') ?? '',
  }
}

const cadenceRequest = ({ params, fields }: FormCall) => ({
  params: ofApp(params),
  body: cadenceIn(fields),
})

/** Previews the trains of a cadence before it is set. */
export const cadencePreviewForm = form({
  path: addresses.cadencePreview,
  operation: 'foreseeSchedule',
  request: (call) => ({ ...cadenceRequest(call), query: weeksFrom(call.now, call.zone) }),
  shownOn: onSchedule,
  shows: cadencePreviewPage,
})

const DRAFTS = { moved: 'moved', removed: 'removed', kept: 'left as it is' } as const

/** Sets the cadence. */
export const cadenceForm = form({
  path: addresses.cadence,
  operation: 'setScheduleCadence',
  request: cadenceRequest,
  shownOn: onSchedule,
  done({ answer }) {
    const { drafts } = answer as ScheduleCadenceEntity
    const outcomes = (['moved', 'removed', 'kept'] as const).flatMap((what) => {
      const count = drafts?.[what].length ?? 0
      return count > 0 ? [`${counted(count, 'draft')} ${DRAFTS[what]}`] : []
    })
    return {
      said:
        outcomes.length > 0
          ? `The cadence was set: ${outcomes.join(', ')}.`
          : 'The cadence was set.',
    }
  },
})

type Freeze = Pick<LifecycleFreezeSetEntity, 'name' | 'startAt' | 'endAt' | 'phases'>

/** Returns a request that replaces the freezes of an app with changed ones. */
async function changedFreezes(
  ask: Ask,
  params: Params,
  change: (all: readonly LifecycleFreezeSetEntity[]) => readonly Freeze[]
) {
  const appParams = { params: ofApp(params) }
  const { body, etag } = await ask<LifecycleFreezeSetEntity[]>('listLifecycleFreezes', appParams)
  const freezes = change(body).map(({ name, startAt, endAt, phases }) => {
    return { name, startAt, endAt, phases }
  })
  return { ...appParams, ifMatch: etag, body: { freezes } }
}

/** Adds a freeze. It comes first, so that index 0 identifies its errors. */
export const freezeForm = form({
  path: addresses.freezes,
  operation: 'updateLifecycleFreezes',
  request: ({ ask, params, fields, zone }) =>
    changedFreezes(ask, params, (all) => [
      {
        name: textOf(fields, 'name') ?? '',
        startAt: instantIn(fields, 'startAt', zone) ?? '',
        endAt: instantIn(fields, 'endAt', zone) ?? '',
        phases: listIn(fields, 'phases') as Freeze['phases'],
      },
      ...all,
    ]),
  shownOn: onSchedule,
  done: ({ fields }) => ({ said: `Frozen: ${textOf(fields, 'name')}.` }),
})

/** Ends a freeze now; removes one that has not begun. */
export const endFreezeForm = form({
  path: addresses.endFreeze,
  operation: 'updateLifecycleFreezes',
  request: ({ ask, params, now }) =>
    changedFreezes(ask, params, (all) => ended(all, params.freezeId, now)),
  shownOn: onSchedule,
  done: () => ({ said: 'The freeze is over.' }),
})

function ended(all: readonly LifecycleFreezeSetEntity[], id: string, now: Instant): Freeze[] {
  if (!all.some((each) => each.id === id)) throw refuse('not_found')
  return all.flatMap((freeze) => {
    if (freeze.id !== id) return [freeze]
    if (freeze.endAt <= now) return [freeze]
    return freeze.active ? [{ ...freeze, endAt: now }] : []
  })
}
