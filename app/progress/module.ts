import { appParts } from '#apps/parts'
import { testRunParts } from '#checklists/parts'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseParts } from '#releases/parts'
import { appPart } from './app_part.js'
import { observer } from './observer.js'
import { releasePart } from './release_part.js'
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
    appParts.extend(appPart),
    releaseParts.extend(releasePart),
    testRunParts.extend(shownTestRuns),
    integrationObservers.extend(observer),
  ],
}
