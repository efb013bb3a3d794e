import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import type { ScheduleCadenceEntity, ScheduleOutlookEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { MAX_LISTED, weeksFrom, type ScheduleAnswers } from './answers.js'
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
    releaseTags: outlook ? {} : await releaseTags(call, entries.body),
    freezes: freezes.body,
    cadence: cadence.body,
    tag: cadence.etag,
    rollouts: rollouts.body,
    preview: outlook && outlook.drafts,
    typed: refused ?? typed,
  }
}

/** Returns the entity tags of the releases that the reader may change. */
async function releaseTags({ ask, params, reader }: PageCall, all: ScheduleAnswers['entries']) {
  if (!['updateRelease', 'skipRelease', 'unskipRelease'].some(reader.may)) return {}
  const ids = all
    .slice(0, MAX_LISTED)
    .flatMap(({ releaseId, status }) => (status === 'completed' ? [] : (releaseId ?? [])))
  const tags = await Promise.all(
    ids.map(async (releaseId) => {
      const { etag } = await ask('getRelease', { params: { appId: params.appId, releaseId } })
      return [releaseId, etag] as const
    })
  )
  return Object.fromEntries(tags)
}

const shared = { path: addresses.schedule, template: 'schedule/page', view: scheduleView }

/** Twelve weeks of an app: its trains, its freezes and its cadence. */
export const schedulePage = page({ ...shared, read: (call: PageCall) => read(call, false) })

/** The same page with the trains of a typed cadence that is not set. */
export const cadencePreviewPage = page({ ...shared, read: (call: PageCall) => read(call, true) })
