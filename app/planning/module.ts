import { appExtensions } from '#apps/extensions'
import type { Module } from '#foundation/api/module'
import { releaseExtensions } from '#releases/extensions'
import { planningPort } from '#releases/ports'
import { appExtension } from './plans/app_extension.js'
import { feedOperations, feedParameters } from './feeds/feed_routes.js'
import { events } from './events.js'
import { problems } from './problems.js'
import { planningOfReleases, releaseExtension } from './plans/release_extension.js'
import { operations } from './routes.js'
import { automations } from './work/automations.js'
import { draftTrains } from './work/drafting.js'
import { followCadences } from './work/follow_cadences.js'
import { followUps } from './work/follow_ups.js'
import { makeChannel } from './work/make_channel.js'
import { reminders } from './work/reminders.js'
import { resumeAutomations } from './work/resume.js'

/** Trains and their target dates: cadence, freezes, automations and reminders. */
export const planning: Module = {
  name: 'planning',
  operations: [...operations, ...feedOperations],
  parameters: feedParameters,
  events,
  problems,
  tags: { Planning: 'Release schedules, freezes and automations.' },
  work: [
    draftTrains,
    followCadences,
    resumeAutomations,
    ...automations,
    ...followUps,
    makeChannel,
    ...reminders,
  ],
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    planningPort.provide(planningOfReleases),
  ],
}
