import { RELEASE_ID, RUNS, STEPS } from './examples.js'
import type { Module } from '#foundation/api/module'
import { appExtensions } from '#apps/extensions'
import { derives } from '#foundation/core/derivation'
import { appExtension } from './lifecycle/app_extension.js'
import { events } from './events.js'
import { linkParameters } from './links/link_routes.js'
import { deriveRelease } from './lifecycle/derive_release.js'
import { evaluateOnTime } from './lifecycle/evaluate_on_time.js'
import Release from './models/release.js'
import { releaseExtensions } from './extensions.js'
import { problems, problemMembers } from './problems.js'
import { prefetchRelease } from './queries/read_release.js'
import { operations } from './routes.js'
import { storeTextsExtension } from './texts/store_texts_extension.js'
import { picksExtension } from './picks/picks_extension.js'

/** Releases, their steps and their timeline. */
export const releases: Module = {
  name: 'releases',
  operations,
  events,
  problems,
  problemMembers,
  parameters: {
    releaseId: {
      description: 'Id of the release, `<appId>:<version>`, with the colon raw or as `%3A`.',
      example: RELEASE_ID,
      moves: 'The version of the release has changed; repeat the request at Location.',
      prefetch: (asker, { appId, releaseId }) => prefetchRelease(asker, appId, releaseId),
    },
    hash: {
      description: 'Hash of the commit, as requested or with more or fewer of its digits.',
      example: '9c1f4b7e2a8d5063f1e4c7b0a9d8e2f635147c08',
    },
    stepId: { description: 'Id of the step within the release.', example: STEPS.regressionTesting },
    ...linkParameters,
    stepRunId: { description: 'Id of the step run.', example: RUNS.regressionTesting },
  },
  tags: { Release: 'Releases, their steps and their timeline.' },
  commands: () => import('./commands.js'),
  work: [evaluateOnTime],
  extensions: [
    derives({ model: Release, derive: deriveRelease }),
    appExtensions.extend(appExtension),
    releaseExtensions.extend(storeTextsExtension),
    releaseExtensions.extend(picksExtension),
  ],
}
