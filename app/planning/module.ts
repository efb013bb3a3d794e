import { appParts } from '#apps/parts'
import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { planningPort } from '#releases/ports'
import { appPart } from './plans/app_part.js'
import { feedOperations, feedParameters } from './feeds/feed_routes.js'
import { events } from './events.js'
import { problems } from './problems.js'
import { planningOfReleases, releasePart } from './plans/release_part.js'
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
  tags: { Planning: 'When releases leave, and what happens by itself.' },
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
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
    planningPort.provide(planningOfReleases),
  ],
}
