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
  description: 'What to do to the rollout.',
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
    description:
      'The release, with `warnings` where something stood against it, or where a stop leaves something to users.',
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
    description: 'How rollouts grow in the first store of the app, or that of a destination.',
    beyond: true,
    access: read,
    query: ofDestinationValidator,
    answers: policyAnswer,
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
      'Says how rollouts grow where nobody looks, from those that are under way on. On Google Play the service raises the percentage; the App Store climbs by itself, and is paused and resumed. One that could never finish is 422 `never_finishes`.',
    beyond: true,
    access: actions('EditAutomations', 'UpdateAppSettings'),
    body: policyBody,
    answers: policyAnswer,
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
      'How a version goes up the ladder that does as well as the one before, and what stops it on each rung, by what is known of the traffic of the app.',
    access: read,
    query: outlookValidator,
    answers: outlookAnswer,
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
    description: 'The same by a policy that nobody has set.',
    access: actions('EditAutomations', 'UpdateAppSettings'),
    body: { ...policyBody, example: { policy: { ...examplePolicyInput.policy, guard: null } } },
    answers: outlookAnswer,
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
      'What was decided about the rollout in each store of the release and by whom, what the store was asked and what came of it, what it showed and since when, who stopped it and why and how it goes on, the shares it had and those to come if it stays healthy, what the guard found look by look, and the history. One that has not begun has empty lists. An observation that is not `isCurrent` may be older than the last call.',
    beyond: true,
    access: read,
    answers: rolloutAnswer,
    handle: (call) => rollouts.show(call),
  }),
  operation({
    id: 'getStepRunRollout',
    method: 'GET',
    path: `${RELEASE}/stepRun/{stepRunId}/rollout`,
    tag,
    summary: 'Get the rollout of a step run',
    description: 'The same of the stores of one rollout step, by the id of any of its runs.',
    beyond: true,
    access: read,
    answers: rolloutAnswer,
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
      'Has the rollout stopped, resumed, completed or, on Google Play, set to a percentage, in each store of the release where one is under way. The answer is the release as it stands; `storePlans` shows what the store is asked for, and `appStoreVersion.phasedReleaseUpdated` follows once it has confirmed it. What stops a rollout goes before all else that is asked of the store, and is tried until it is confirmed. What lets one go on works in a freeze, and warns; of a release that was skipped it is refused.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: steerBody,
    answers: steeredAnswer,
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
      'The same for the stores of one rollout step, by the id of its current run: what is stopped in one store goes on in the others.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: steerBody,
    answers: {
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
      'Halts or pauses every rollout of the release, pauses its automations and opens a triage issue. It asks for no confirmation, and pressed again changes nothing. It waits behind nothing that is asked of the store, goes where a connection is given a rest, and is tried until the store has confirmed it or somebody lets the rollout go on; `whyNotMoving` shows when it is tried next.',
    beyond: true,
    access: actions('SubmitForReview', 'RejectSubmission'),
    body: {
      kind: 'json',
      name: 'PressRedButtonRequestBody',
      description: 'Why it is stopped.',
      validator: redButtonValidator,
      example: { reason: 'Crashes at start on Android 14' },
      optional: true,
    },
    answers: {
      200: {
        ...steeredAnswer[200],
        description:
          'The release. `warnings` say which version users are offered now, what a store does not stop, which other releases of the app are live, and that the other one of its pair goes on.',
      },
    },
    errors: [409],
    precondition: { of: 'getRelease' },
    isUrgent: true,
    handle: (call) => rollouts.pressRedButton(call),
  }),
]
