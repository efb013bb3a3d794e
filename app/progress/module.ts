import { appExtensions } from '#apps/extensions'
import { testRunExtensions } from '#checklists/extensions'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseExtensions } from '#releases/extensions'
import { appExtension } from './app_extension.js'
import { observer } from './observer.js'
import { releaseExtension } from './release_extension.js'
import { operations } from './routes.js'
import { shownTestRuns } from './test_runs.js'
import { observeTestRuns } from './work/observe_test_runs.js'
import { observeTranslations } from './work/observe_translations.js'

/** Progress of translations and test runs, as their providers report it. */
export const progress: Module = {
  name: 'progress',
  operations,
  work: [observeTranslations, observeTestRuns],
  extensions: [
    appExtensions.extend(appExtension),
    releaseExtensions.extend(releaseExtension),
    testRunExtensions.extend(shownTestRuns),
    integrationObservers.extend(observer),
  ],
}
