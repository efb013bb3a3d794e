import { appParts } from '#apps/parts'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseParts } from '#releases/parts'
import { candidatesPort } from '#releases/ports'
import { appPart } from './app_part.js'
import { events } from './events.js'
import { fetchArtifact } from './fetch_artifact.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { candidateCommit } from './release_candidate.js'
import { releasePart } from './release_part.js'
import { operations } from './routes.js'
import { discoverRuns } from './work/discover_runs.js'
import { discoverWanted } from './work/discover_wanted.js'
import { followBuild } from './work/follow_build.js'
import { ciObserver } from './work/ci_observer.js'
import { triggerBuild } from './work/trigger_build.js'

/** Builds: those of CI and those in stores. */
export const builds: Module = {
  name: 'builds',
  operations,
  events,
  problems,
  parameters,
  work: [triggerBuild, followBuild, discoverRuns, discoverWanted, fetchArtifact],
  extensions: [
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
    candidatesPort.provide({ shippedCommit: candidateCommit }),
    integrationObservers.extend(ciObserver),
  ],
}
