import { actions, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { twoSteps } from '#foundation/api/operation/steps'
import { StepRunEntity } from '#releases/entities'
import { exampleTestedRun } from '../examples.js'
import { testersValidator } from './testers_input.js'

const testers = lazyController(
  async () => new (await import('./testers_controller.js')).TestersController()
)

export const operations = [
  operation({
    id: 'distributeBetaBuild',
    callsOthers: true,
    steps: twoSteps('reaches testers'),
    method: 'PUT',
    path: '/app/{appId}/release/{releaseId}/stepRun/{stepRunId}/testers',
    tag: 'Release',
    summary: 'Give a build to testers',
    description:
      'Distributes a build of the release to TestFlight groups or Google Play testing tracks, with test notes, and submits it for beta review where required. The response is the current run: `distributions` shows the progress, and the step is complete once testers have a build. Repeating a request changes nothing; one that the store refuses remains, with its reason. No group loses a build that it has.',
    beyond: true,
    access: actions('PromoteBetaBuildToTestingTrack'),
    body: {
      kind: 'json',
      name: 'DistributeBetaBuildRequestBody',
      description: 'The build and its testers.',
      validator: testersValidator,
      example: {
        groups: ['Everybody'],
        notes: [{ locale: 'en-US', text: 'Log in, and stay so.' }],
      },
    },
    responses: {
      200: { description: 'The run.', schema: StepRunEntity, example: exampleTestedRun },
    },
    errors: [409],
    precondition: { of: 'getStepRun' },
    check: (call, errors) => testers.check(call, errors),
    handle: (call) => testers.distribute(call),
  }),
]
