import { Type, type TSchema } from '@sinclair/typebox'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import {
  AutomationEntity,
  AutomationPauseStateEntity,
  LifecycleFreezeSetEntity,
  ReleaseScheduleEntryEntity,
  ScheduleCadenceEntity,
  ScheduleOutlookEntity,
} from './entities.js'
import {
  exampleAutomation,
  exampleCadence,
  exampleCadenceInput,
  exampleFreeze,
  exampleFreezesInput,
  examplePause,
  exampleSchedule,
  exampleScheduleOutlook,
} from './examples.js'
import {
  dryRunValidator,
  ofReleaseValidator,
  setAutomationValidator,
  setCadenceValidator,
  setPauseValidator,
  updateFreezesValidator,
  windowValidator,
} from './validators/planning_input.js'
import { MAX_FREEZES } from './vocabulary.js'
import { keepsFreezes } from './automations/keeps_freezes.js'
import {
  oneStepIf,
  oneStepWhereItStops,
  says,
  type SentBody,
} from '#foundation/api/operation/steps'

/** Returns whether a body only stops automations: a pause with an end lets them act again. */
const pauses = (body: SentBody) => body.paused === true && !says(body, 'resumeAt')

/** Returns the query for the release that was set; empty if the whole app was. */
const ofRelease = ({ releaseId }: Readonly<Record<string, unknown>>): Record<string, string> =>
  typeof releaseId === 'string' ? { releaseId } : {}

/** Returns whether a body only stops drafting. */
const stopsDrafting = (body: SentBody) => {
  const { paused, enabled, ...others } = body
  const stops = paused === true || enabled === false
  return stops && paused !== false && enabled !== true && Object.keys(others).length === 0
}

/** Returns whether a body only switches an automation off. */
const switchesOff = (body: SentBody) => body.enabled === false && !says(body, 'config')

const planning = lazyController(
  async () => new (await import('./controllers/planning_controller.js')).PlanningController()
)
const tag = 'Planning'

const answer = (description: string, schema: TSchema, example: unknown) => ({
  200: { description, schema, example },
})
const freezes = answer(
  'The freezes, in the order they begin.',
  Type.Array(LifecycleFreezeSetEntity, { maxItems: MAX_FREEZES }),
  [exampleFreeze]
)
const cadenceBody = {
  kind: 'json',
  name: 'UpdateScheduleCadenceRequestBody',
  description: 'What to change; what is absent stays, a list given replaces.',
  like: ScheduleCadenceEntity,
  validator: setCadenceValidator,
  example: exampleCadenceInput,
} as const
const scheduleWindow = windowValidator(
  'Begin of the window; now by default.',
  'End of the window; twelve weeks after its begin by default.'
)
const cadence = answer('The cadence.', ScheduleCadenceEntity, exampleCadence)

export const operations = [
  operation({
    id: 'getScheduleCadence',
    method: 'GET',
    path: '/app/{appId}/scheduleCadence',
    tag,
    summary: 'Get release schedule cadence',
    description: 'How often releases leave; `enabled: false` where nobody set a cadence.',
    access: read,
    answers: cadence,
    handle: (call) => planning.showCadence(call),
  }),
  operation({
    id: 'setScheduleCadence',
    steps: oneStepIf(
      stopsDrafting,
      'pausing or disabling alone',
      'a pause is a stop; else releases are drafted with dates, on which automations act'
    ),
    method: 'PUT',
    path: '/app/{appId}/scheduleCadence',
    tag,
    summary: 'Set release schedule cadence',
    description:
      'Changes what is given; a first cadence needs `startDate` and `targets`. Local times that clocks leave out are as much later as they moved, those that come twice are the first. Releases that were drafted and that nobody edited follow another zone, weekday, interval or time; one that the cadence has no date for any more is removed, and one that was edited by hand stays: `drafts` lists all three. With `followsAppId` the app shares the cadence of another, such as the same product on its other platform: it has `enabled` and `paused` of its own, and follows all else.',
    beyond: true,
    access: actions('UpdateScheduleCadence'),
    query: dryRunValidator,
    body: cadenceBody,
    answers: cadence,
    precondition: { of: 'getScheduleCadence' },
    events: ['release.targetDateUpdated'],
    check: (call, errors) => planning.checkCadence(call, errors),
    handle: (call) => planning.setCadence(call),
  }),
  operation({
    id: 'getReleaseSchedule',
    method: 'GET',
    path: '/app/{appId}/releaseSchedule',
    tag,
    summary: 'Get release schedule',
    description:
      'Releases with a target date in the window, and those the cadence will draft (`predicted`), at most three years ahead.',
    access: read,
    query: scheduleWindow,
    answers: answer(
      'The releases, in the order of their dates.',
      Type.Array(ReleaseScheduleEntryEntity, { maxItems: 100_000 }),
      exampleSchedule
    ),
    handle: (call) => planning.schedule(call),
  }),
  operation({
    id: 'foreseeSchedule',
    surface: 'pages',
    method: 'POST',
    path: '/app/{appId}/releaseSchedule/outlook',
    tag,
    summary: 'Preview releases under a cadence',
    description:
      'The schedule as it would be, and what becomes of drafts. It is rehearsed, and nothing is written.',
    access: actions('UpdateScheduleCadence'),
    query: scheduleWindow,
    body: cadenceBody,
    answers: answer('The schedule.', ScheduleOutlookEntity, exampleScheduleOutlook),
    precondition: { of: 'getScheduleCadence', query: () => ({}) },
    check: (call, errors) => planning.checkCadence(call, errors),
    handle: (call) => planning.foresee(call),
  }),
  operation({
    id: 'listLifecycleFreezes',
    method: 'GET',
    path: '/app/{appId}/lifecycleFreezes',
    tag,
    summary: 'Get lifecycle freezes',
    description: 'The freezes of the app, past ones included.',
    access: read,
    query: windowValidator(
      'Only freezes that end after this; all by default.',
      'Only freezes that begin until this; all by default.'
    ),
    answers: freezes,
    handle: (call) => planning.listFreezes(call),
  }),
  operation({
    id: 'updateLifecycleFreezes',
    steps: oneStepWhereItStops(
      keepsFreezes,
      'adding freezes alone',
      'a freeze that is added or lengthened is a stop; automations act where there is none any more'
    ),
    method: 'PUT',
    path: '/app/{appId}/lifecycleFreezes',
    tag,
    summary: 'Update lifecycle freezes',
    description:
      'Replaces all freezes of the app. Meanwhile automations of the phases do not run; calls by hand work, and warn. Freezes may overlap.',
    access: actions('UpdateScheduleCadence', 'UpdateAppSettings'),
    query: dryRunValidator,
    body: {
      kind: 'json',
      name: 'UpdateLifecycleFreezesRequestBody',
      description: 'All freezes there are to be.',
      validator: updateFreezesValidator,
      example: exampleFreezesInput,
    },
    answers: freezes,
    precondition: { of: 'listLifecycleFreezes', query: () => ({}), isAnswer: true },
    check: (call, errors) => planning.checkFreezes(call, errors),
    handle: (call) => planning.updateFreezes(call),
  }),
  operation({
    id: 'listAutomations',
    method: 'GET',
    path: '/app/{appId}/automations',
    tag,
    summary: 'List release automations',
    description:
      'How the automations of target dates, and those that follow what happens to a release, stand: of the app or of one release.',
    beyond: true,
    access: read,
    query: ofReleaseValidator,
    answers: answer('The automations.', Type.Array(AutomationEntity, { maxItems: 20 }), [
      exampleAutomation,
    ]),
    handle: (call) => planning.listAutomations(call),
  }),
  operation({
    id: 'setAutomation',
    steps: oneStepIf(
      switchesOff,
      'switching off alone',
      'switched off is a stop; switched on, it acts by itself from then on'
    ),
    method: 'PUT',
    path: '/app/{appId}/automations',
    tag,
    summary: 'Switch a release automation',
    description:
      'Switches it for the app, or with `releaseId` for one release. One of a target date acts on dates that still lie ahead: submitting needs the automatic kickoff, releasing the automatic submission; hotfixes and rollbacks have none. Others follow what happens from now on, and need what they work with: version control (`branchSettings.workingBranch`, `appSettings.versionFiles`), a chat, an issue tracker (`featureAffiliations`) or an integration of the store. `selectLatestBuild` is on unless switched off.',
    access: actions('EditAutomations'),
    body: {
      kind: 'json',
      name: 'SetAutomationRequestBody',
      description: 'Which automation, and whether it is on; with `config` alone that stays.',
      like: AutomationEntity,
      validator: setAutomationValidator,
      example: { type: 'kickoffOnTargetDate', enabled: true },
    },
    answers: answer('The automation.', AutomationEntity, exampleAutomation),
    shownBy: { of: 'listAutomations', query: ofRelease },
    errors: [409],
    events: ['releaseStep.statusChanged'],
    check: (call, errors) => planning.checkAutomation(call, errors),
    handle: (call) => planning.setAutomation(call),
  }),
  operation({
    id: 'getAutomationPause',
    method: 'GET',
    path: '/app/{appId}/automations/pause',
    tag,
    summary: 'Get whether automations are paused',
    description: 'Of the app, or with `releaseId` of one release.',
    beyond: true,
    access: read,
    query: ofReleaseValidator,
    answers: answer('The pause.', AutomationPauseStateEntity, examplePause),
    handle: (call) => planning.showPause(call),
  }),
  operation({
    id: 'setAutomationPause',
    steps: oneStepIf(
      pauses,
      'a pause without an end',
      'a pause is a stop; with an end (`resumeAt`) it may shorten one that has none, and automations act once it ends'
    ),
    method: 'PUT',
    path: '/app/{appId}/automations/pause',
    tag,
    summary: 'Pause or resume automations',
    description:
      'Of the app, or with `releaseId` of one release. A target date that passes meanwhile is not made up for.',
    access: actions('EditAutomations'),
    body: {
      kind: 'json',
      name: 'SetAutomationPauseRequestBody',
      description: 'Whether they are paused, why, and until when.',
      like: AutomationPauseStateEntity,
      validator: setPauseValidator,
      example: { paused: true, reason: examplePause.reason, resumeAt: examplePause.resumeAt },
    },
    answers: answer('The pause.', AutomationPauseStateEntity, examplePause),
    shownBy: { of: 'getAutomationPause', query: ofRelease },
    errors: [409],
    events: ['releaseStep.statusChanged'],
    check: (call, errors) => planning.checkPause(call, errors),
    handle: (call) => planning.setPause(call),
  }),
]
