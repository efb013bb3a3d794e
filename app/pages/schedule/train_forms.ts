import type { ScheduleCadenceEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import { instantIn, isUntouched, textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import { TARGETS } from './answers.js'
import { schedulePage } from './page.js'

type Exceptions = ScheduleCadenceEntity['exceptions']

const onSchedule = {
  page: schedulePage,
  params: ({ appId }: Record<string, string>) => ({ appId }),
}

const ofRelease = ({ appId, releaseId }: Record<string, string>) => ({ appId, releaseId })

/** Returns the exceptions with that of one train changed. It comes first, so its index is known. */
function changed(all: Exceptions, fields: Fields): Partial<Exceptions[number]>[] {
  const [date, what] = [textOf(fields, 'date') ?? '', textOf(fields, 'change')]
  const before = all.find((each) => each.date === date)
  const others = all.filter((each) => each !== before)
  const releasePilotId = before?.releasePilotId ?? null
  const own = { date, releasePilotId }
  if (what === 'skip') return [{ ...own, skipped: true }, ...others]
  const movedTo = textOf(fields, 'movedTo') ?? ''
  if (what === 'move' && movedTo !== date) return [{ ...own, movedTo }, ...others]
  return releasePilotId === null ? others : [own, ...others]
}

/** Moves or skips a train that is not drafted yet, or undoes that. */
export const trainForm = form({
  path: addresses.train,
  operation: 'setScheduleCadence',
  async request({ ask, params: { appId }, fields }) {
    const of = { params: { appId } }
    const { body, etag } = await ask<ScheduleCadenceEntity>('getScheduleCadence', of)
    return { ...of, ifMatch: etag, body: { exceptions: changed(body.exceptions, fields) } }
  },
  shownOn: onSchedule,
  done({ fields }) {
    const train = `The train of ${textOf(fields, 'date')}`
    const what = textOf(fields, 'change')
    if (what === 'skip') return { said: `${train} is skipped.` }
    if (what === 'move') return { said: `${train} begins on ${textOf(fields, 'movedTo')}.` }
    return { said: `${train} follows the cadence.` }
  },
})

/** Sets the target dates of a release that the reader has changed. */
export const targetDatesForm = form({
  path: addresses.targetDates,
  operation: 'updateRelease',
  request: ({ params, fields, zone }) => ({
    params: ofRelease(params),
    body: Object.fromEntries(
      TARGETS.map(([, name]) => name)
        .filter((name) => name in fields && !isUntouched(fields, name))
        .map((name) => [name, instantIn(fields, name, zone)])
    ),
  }),
  shownOn: onSchedule,
  done: ({ answer }) => ({ said: `${(answer as { version: string }).version} has new dates.` }),
})

/** Skips a release. */
export const skipForm = form({
  path: addresses.skip,
  operation: 'skipRelease',
  request: ({ params, fields }) => ({
    params: ofRelease(params),
    body: { reason: textOf(fields, 'reason') },
  }),
  shownOn: onSchedule,
  done: ({ answer }) => ({ said: `${(answer as { version: string }).version} is skipped.` }),
})

/** Undoes skipping a release. */
export const unskipForm = form({
  path: addresses.unskip,
  operation: 'unskipRelease',
  request: ({ params }) => ({ params: ofRelease(params) }),
  shownOn: onSchedule,
  done: ({ answer }) => ({
    said: `${(answer as { version: string }).version} is no longer skipped.`,
  }),
})
