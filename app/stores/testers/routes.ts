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
      'Has a build of the release given to groups of testers of TestFlight, or to testing tracks of Google Play, with what is to be tested; where that needs a beta review it is sent there. The answer is the run as it stands: `distributions` says what becomes of it, and the step is complete once testers have a build. The same again changes nothing; what the store refuses stays, with its reason. A build is taken from no group that has it.',
    beyond: true,
    access: actions('PromoteBetaBuildToTestingTrack'),
    body: {
      kind: 'json',
      name: 'DistributeBetaBuildRequestBody',
      description: 'Who gets which build.',
      validator: testersValidator,
      example: {
        groups: ['Everybody'],
        notes: [{ locale: 'en-US', text: 'Log in, and stay so.' }],
      },
    },
    answers: {
      200: { description: 'The run.', schema: StepRunEntity, example: exampleTestedRun },
    },
    errors: [409],
    precondition: { of: 'getStepRun' },
    check: (call, errors) => testers.check(call, errors),
    handle: (call) => testers.distribute(call),
  }),
]
