import type { Module } from '#foundation/api/module'
import { appParts } from '#apps/parts'
import { appPart } from './app_part.js'
import { ReleaseVerify } from './commands/release_verify.js'
import { events } from './events.js'
import { evaluateOnTime } from './lifecycle/evaluate_on_time.js'
import { releaseParts } from './parts.js'
import { problems } from './problems.js'
import { operations } from './routes.js'
import { storeTextsPart } from './store_texts_part.js'

/** Releases, their steps and their timeline. */
export const releases: Module = {
  name: 'releases',
  operations,
  events,
  problems,
  parameters: {
    releaseId: {
      description: 'Id of the release, `<appId>:<version>`; the colon raw or as `%3A`.',
      example: 'acme-ios:1.4.0',
      moves: 'The release has another version now; the same request at Location works.',
    },
    stepId: { description: 'Id of the step within the release.', example: 'step_1' },
    stepRunId: { description: 'Id of one attempt at a step.', example: 'run_1' },
  },
  tags: { Release: 'Releases, their steps and their timeline.' },
  commands: [ReleaseVerify],
  work: [evaluateOnTime],
  extensions: [appParts.extend(appPart), releaseParts.extend(storeTextsPart)],
}
