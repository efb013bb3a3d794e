import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { events } from './events.js'
import { releasePart } from './release_part.js'

/** Late changes of a release: fix requests. */
export const fixes: Module = {
  name: 'fixes',
  events,
  extensions: [releaseParts.extend(releasePart)],
}
