import { appExtensions } from '#apps/extensions'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseExtensions } from '#releases/extensions'
import { candidatesPort } from '#releases/ports'
import { appExtension } from './app_extension.js'
import { events } from './events.js'
import { fetchArtifact } from './fetch_artifact.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { candidateCommit } from './release_candidate.js'
import { releaseExtension } from './release_extension.js'
import { operations } from './routes.js'
import { discoverRuns } from './work/discover_runs.js'
import { discoverWanted } from './work/discover_wanted.js'
import { followBuild } from './work/follow_build.js'
import { ciObserver } from './work/ci_observer.js'
import { triggerBuild } from './work/trigger_build.js'

/** Builds of CI systems: reported, requested and observed. */
export const builds: Module = {
  name: 'builds',
  operations,
  events,
  problems,
  parameters,
  work: [triggerBuild, followBuild, discoverRuns, discoverWanted, fetchArtifact],
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    candidatesPort.provide({ shippedCommit: candidateCommit }),
    integrationObservers.extend(ciObserver),
  ],
}
