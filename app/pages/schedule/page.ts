import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import type { ScheduleCadenceEntity, ScheduleOutlookEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { weeksFrom, type ScheduleAnswers } from './answers.js'
import { scheduleView } from './view.js'

async function read(call: PageCall, isPreview: boolean): Promise<ScheduleAnswers> {
  const { ask, params, reader, refused, typed = null, answer } = call
  const of = { params: { appId: params.appId } }
  const { from, to } = weeksFrom(reader.now, reader.zone)
  const outlook = isPreview ? (answer as ScheduleOutlookEntity) : null
  const [app, entries, freezes, cadence, rollouts] = await Promise.all([
    ask<ScheduleAnswers['app']>('getApp', of),
    outlook
      ? { body: outlook.releases }
      : ask<ScheduleAnswers['entries']>('getReleaseSchedule', { ...of, query: { from, to } }),
    ask<ScheduleAnswers['freezes']>('listLifecycleFreezes', { ...of, query: { from } }),
    ask<ScheduleCadenceEntity>('getScheduleCadence', of),
    ask<RolloutOutlookEntity>('getRolloutOutlook', { ...of, query: { from, to } }),
  ])
  return {
    app: app.body,
    from,
    to,
    entries: entries.body,
    freezes: freezes.body,
    cadence: cadence.body,
    tag: cadence.etag,
    rollouts: rollouts.body,
    preview: outlook && outlook.drafts,
    typed: refused ?? typed,
  }
}

const shared = { path: addresses.schedule, template: 'schedule/page', view: scheduleView }

/** Twelve weeks of an app: its trains, its freezes, and the cadence that they follow from. */
export const schedulePage = page({ ...shared, read: (call: PageCall) => read(call, false) })

/** The same by a cadence that is typed, and not set. */
export const cadencePreviewPage = page({ ...shared, read: (call: PageCall) => read(call, true) })
