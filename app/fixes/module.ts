import type { Module } from '#foundation/api/module'
import { eventFollowers } from '#foundation/core/events/followers'
import { releaseParts } from '#releases/parts'
import { events } from './events.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { releasePart } from './release_part.js'
import { operations } from './routes.js'
import { resolvedByRelease } from './triage_fixes.js'

/** Late changes of a release, and what calls for them: fix requests and triage issues. */
export const fixes: Module = {
  name: 'fixes',
  operations,
  events,
  parameters,
  problems,
  tags: { 'Triage issues': 'What went wrong, and what becomes of it.' },
  extensions: [releaseParts.extend(releasePart), eventFollowers.extend(resolvedByRelease)],
}
