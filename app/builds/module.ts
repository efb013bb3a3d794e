import { appParts } from '#apps/parts'
import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { appPart } from './app_part.js'
import { events } from './events.js'
import { fetchArtifact } from './fetch_artifact.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { releasePart } from './release_part.js'
import { operations } from './routes.js'

/** Builds: those of CI and those in stores. */
export const builds: Module = {
  name: 'builds',
  operations,
  events,
  problems,
  parameters,
  work: [fetchArtifact],
  extensions: [appParts.extend(appPart), releaseParts.extend(releasePart)],
}
