import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { events } from './events.js'
import { releasePart } from './release_part.js'

/** Builds: those of CI and those in stores. */
export const builds: Module = {
  name: 'builds',
  events,
  extensions: [releaseParts.extend(releasePart)],
}
