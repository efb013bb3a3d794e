import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { events } from './events.js'
import { releasePart } from './release_part.js'

/** Versions in app stores: submission, review, rollout. */
export const stores: Module = {
  name: 'stores',
  events,
  extensions: [releaseParts.extend(releasePart)],
}
