import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { exampleRelease } from '#releases/examples'
import { ReleaseEntity, StepRunEntity, WarnedReleaseEntity } from '#releases/entities'
import { RolloutPolicyEntity } from './entities.js'
import {
  exampleOutlook,
  examplePolicy,
  examplePolicyInput,
  exampleRollout,
  exampleRolloutRun,
} from './examples.js'
import { RolloutOutlookEntity } from './outlook_entity.js'
import { RolloutEntity } from './rollout_entity.js'
import {
  ofDestinationValidator,
  outlookValidator,
  setPolicyValidator,
} from './validators/policy_input.js'
import { redButtonValidator, steerRolloutValidator } from './validators/rollout_input.js'
import { oneStep, oneStepIf, twoSteps, type SentBody } from '#foundation/api/operation/steps'

const stops = ({ action }: SentBody) => action === 'pause' || action === 'halt'

/** The number of steps that a change of a rollout takes, for a release or one step run. */
const steering = oneStepIf(
  stops,
  'pause and halt',
  'a pause and a halt are stops; all else lets more users get it, or ends it'
)

const rollouts = lazyController(
  async () => new (await import('./controllers/rollouts_controller.js')).RolloutsController()
)
const tag = 'Release'
const RELEASE = '/app/{appId}/release/{releaseId}'

const steerBody = {
  kind: 'json',
  name: 'ChangeRolloutRequestBody',
  description: 'Change of the rollout.',
  validator: steerRolloutValidator,
  example: { action: 'set', percentage: 20 },
} as const

const releaseAnswer = {
  200: {
    description: 'The release.',
    schema: ReleaseEntity,
    example: () => exampleRelease('released'),
  },
}
const steeredAnswer = {
  200: {
    ...releaseAnswer[200],
    description: 'The release, with any `warnings`, also of what a stop leaves with users.',
    schema: WarnedReleaseEntity,
  },
}

const policyAnswer = {
  200: { description: 'The policy.', schema: RolloutPolicyEntity, example: examplePolicy },
}

const policyBody = {
  kind: 'json',
  name: 'SetRolloutPolicyRequestBody',
  description: 'The policy of one store.',
  validator: setPolicyValidator,
  example: examplePolicyInput,
} as const

const outlookAnswer = {
  200: { description: 'The outlook.', schema: RolloutOutlookEntity, example: exampleOutlook },
}

const rolloutAnswer = {
  200: { description: 'The rollout.', schema: RolloutEntity, example: exampleRollout },
}

export const operations = [
  operation({
    id: 'getRolloutPolicy',
    method: 'GET',
    path: '/app/{appId}/rolloutPolicy',
    tag: 'App',
    summary: 'Get the policy of rollouts',
    description:
      'Returns how rollouts grow in the first store of the app, or in that of a destination.',
    beyond: true,
    access: read,
    query: ofDestinationValidator,
    responses: policyAnswer,
    handle: (call) => rollouts.showPolicy(call),
  }),
  operation({
    id: 'setRolloutPolicy',
    steps: twoSteps('rollouts grow by it'),
    method: 'PUT',
    path: '/app/{appId}/rolloutPolicy',
    tag: 'App',
    summary: 'Set the policy of rollouts',
    description:
      'Sets how rollouts grow automatically, including those under way. On Google Play, the service raises the percentage; the App Store raises it itself, and is paused and resumed. A policy that could never finish is refused: 422 `never_finishes`.',
    beyond: true,
    access: actions('EditAutomations', 'UpdateAppSettings'),
    body: policyBody,
    responses: policyAnswer,
    precondition: {
      of: 'getRolloutPolicy',
      query: (_params, _query, { destinationId }): Record<string, string> =>
        typeof destinationId === 'string' ? { destinationId } : {},
    },
    check: (call, errors) => rollouts.checkPolicy(call, errors),
    handle: (call) => rollouts.setPolicy(call),
  }),
  operation({
    id: 'getRolloutOutlook',
    surface: 'pages',
    method: 'GET',
    path: '/app/{appId}/rolloutPolicy/outlook',
    tag: 'App',
    summary: 'Preview rollouts under the current policy',
    description:
      'Forecasts from the app’s known traffic how a version as good as the previous one climbs the ladder, and what would stop it at each stage.',
    access: read,
    query: outlookValidator,
    responses: outlookAnswer,
    handle: (call) => rollouts.showOutlook(call),
  }),
  operation({
    id: 'foreseeRollouts',
    surface: 'pages',
    // This operation writes nothing.
    apart: true,
    method: 'POST',
    path: '/app/{appId}/rolloutPolicy/outlook',
    tag: 'App',
    summary: 'Preview rollouts under another policy',
    description: 'Forecasts rollouts under a policy that is not set.',
    access: actions('EditAutomations', 'UpdateAppSettings'),
    body: { ...policyBody, example: { policy: { ...examplePolicyInput.policy, guard: null } } },
    responses: outlookAnswer,
    check: (call, errors) => rollouts.checkPolicy(call, errors),
    handle: (call) => rollouts.foresee(call),
  }),
  operation({
    id: 'getRollout',
    method: 'GET',
    path: `${RELEASE}/rollout`,
    tag,
    summary: 'Get the rollout of a release',
    description:
      'Returns, for each store of the release, decisions and who made them, calls and their results, what the store showed and since when, who stopped the rollout, why and how to resume it, past shares and those expected if it stays healthy, and each check by the guard; also the history. A rollout that has not begun has empty lists. An observation that is not `isCurrent` may be older than the last call.',
    beyond: true,
    access: read,
    responses: rolloutAnswer,
    handle: (call) => rollouts.show(call),
  }),
  operation({
    id: 'getStepRunRollout',
    method: 'GET',
    path: `${RELEASE}/stepRun/{stepRunId}/rollout`,
    tag,
    summary: 'Get the rollout of a step run',
    description:
      'Returns the rollout in the stores of one rollout step, by the id of any of its runs.',
    beyond: true,
    access: read,
    responses: rolloutAnswer,
    errors: [409],
    handle: (call) => rollouts.showRun(call),
  }),
  operation({
    id: 'changeRollout',
    callsOthers: true,
    steps: steering,
    method: 'PUT',
    path: `${RELEASE}/rollout`,
    tag,
    summary: 'Change the rollout of a release',
    description:
      'Stops, resumes or completes the rollout or, on Google Play, sets its percentage, in each store of the release where one is under way. The response is the current release; `storePlans` of `getRelease` shows what is requested of the store, and `appStoreVersion.phasedReleaseUpdated` follows once it has confirmed it. A stop takes precedence over all other requests to the store and is retried until confirmed. Letting a rollout continue succeeds during a freeze, with a warning; for a skipped release it is refused.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: steerBody,
    responses: steeredAnswer,
    errors: [409],
    precondition: { of: 'getRelease' },
    check: (call, errors) => rollouts.check(call, errors),
    handle: (call) => rollouts.steer(call),
  }),
  operation({
    id: 'changeStepRunRollout',
    callsOthers: true,
    steps: steering,
    method: 'PUT',
    path: `${RELEASE}/stepRun/{stepRunId}/rollout`,
    tag,
    summary: 'Change the rollout of a step run',
    description:
      'Changes the rollout in the stores of one rollout step, by the id of its current run, otherwise as for the whole release; a stop in one store does not affect the others.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: steerBody,
    responses: {
      200: { description: 'The run.', schema: StepRunEntity, example: exampleRolloutRun },
    },
    errors: [409],
    precondition: { of: 'getStepRun' },
    check: (call, errors) => rollouts.check(call, errors),
    handle: (call) => rollouts.steerRun(call),
  }),
  operation({
    id: 'pressRedButton',
    callsOthers: true,
    steps: oneStep('a stop'),
    method: 'PUT',
    path: `${RELEASE}/redButton`,
    tag,
    summary: 'Stop a release at once',
    description:
      'Halts or pauses every rollout of the release, pauses its automations and opens a triage issue. No confirmation is required, and repeating the request changes nothing. The stop bypasses other requests to the store and any backoff of its connection, and is retried until the store has confirmed it or somebody resumes the rollout; `whyNotMoving` shows when it is next tried.',
    beyond: true,
    access: actions('SubmitForReview', 'RejectSubmission'),
    body: {
      kind: 'json',
      name: 'PressRedButtonRequestBody',
      description: 'Reason for the stop.',
      validator: redButtonValidator,
      example: { reason: 'Crashes at start on Android 14' },
      optional: true,
    },
    responses: {
      200: {
        ...steeredAnswer[200],
        description:
          'The release. `warnings` tell which version users are offered now, what a store does not stop, which other releases of the app are live, and that the paired release continues.',
      },
    },
    errors: [409],
    precondition: { of: 'getRelease' },
    isUrgent: true,
    handle: (call) => rollouts.pressRedButton(call),
  }),
]
