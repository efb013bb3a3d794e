import { DateTime } from 'luxon'
import type { RolloutPolicyEntity } from '#rollouts/entities'
import type { ScheduleCadenceEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { WEEKS, type ScheduleAnswers } from './answers.js'
import { scheduleView } from './view.js'

const NO_DRAFTS = { moved: [], removed: [], kept: [] }

async function read(call: PageCall, isPreview: boolean): Promise<ScheduleAnswers> {
  const { ask, params, reader, refused, typed = null, answer } = call
  const of = { params: { appId: params.appId } }
  const first = DateTime.fromISO(reader.now, { zone: reader.zone }).startOf('week')
  const [from, to] = [first, first.plus({ weeks: WEEKS })].map((each) => each.toUTC().toISO()!)
  const [app, entries, freezes, cadence, policy] = await Promise.all([
    ask<ScheduleAnswers['app']>('getApp', of),
    ask<ScheduleAnswers['entries']>('getReleaseSchedule', { ...of, query: { from, to } }),
    ask<ScheduleAnswers['freezes']>('listLifecycleFreezes', { ...of, query: { from } }),
    ask<ScheduleCadenceEntity>('getScheduleCadence', of),
    ask<RolloutPolicyEntity>('getRolloutPolicy', of),
  ])
  const { drafts = NO_DRAFTS } = isPreview ? (answer as ScheduleCadenceEntity) : {}
  return {
    ...{ app: app.body, from, to, entries: entries.body, freezes: freezes.body },
    ...{ cadence: cadence.body, tag: cadence.etag, policy: policy.body.policy },
    preview: isPreview ? drafts : null,
    typed: refused ?? typed,
  }
}

const shared = { path: addresses.schedule, template: 'schedule/page', view: scheduleView }

/** Twelve weeks of an app: its trains, its freezes, and the cadence that they follow from. */
export const schedulePage = page({ ...shared, read: (call: PageCall) => read(call, false) })

/** The same with what becomes of drafts by a cadence that is typed, and not set. */
export const cadencePreviewPage = page({ ...shared, read: (call: PageCall) => read(call, true) })
