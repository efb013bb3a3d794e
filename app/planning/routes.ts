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

const respond = (description: string, schema: TSchema, example: unknown) => ({
  200: { description, schema, example },
})
const freezes = respond(
  'The freezes, ordered by start.',
  Type.Array(LifecycleFreezeSetEntity, { maxItems: MAX_FREEZES }),
  [exampleFreeze]
)
const cadenceBody = {
  kind: 'json',
  name: 'UpdateScheduleCadenceRequestBody',
  description: 'Fields to change; absent fields stay, lists are replaced.',
  like: ScheduleCadenceEntity,
  validator: setCadenceValidator,
  example: exampleCadenceInput,
} as const
const scheduleWindow = windowValidator(
  'Start of the window; now by default.',
  'End of the window; twelve weeks after its start by default.'
)
const cadence = respond('The cadence.', ScheduleCadenceEntity, exampleCadence)

export const operations = [
  operation({
    id: 'getScheduleCadence',
    method: 'GET',
    path: '/app/{appId}/scheduleCadence',
    tag,
    summary: 'Get release schedule cadence',
    description: 'Returns the release cadence; `enabled: false` if none was set.',
    access: read,
    responses: cadence,
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
      'Changes the given fields; a first cadence needs `startDate` and `targets`. A local time that a clock change skips moves later by the length of the change; one that occurs twice means the first. Drafted releases that nobody edited follow a changed zone, weekday, interval or time. Those that the cadence no longer has a date for are removed; those edited by hand stay. `drafts` lists all three. With `followsAppId` the app shares the cadence of another app, such as the same product on another platform, except for its own `enabled` and `paused`.',
    beyond: true,
    access: actions('UpdateScheduleCadence'),
    query: dryRunValidator,
    body: cadenceBody,
    responses: cadence,
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
      'Returns releases with a target date in the window, and those the cadence will draft (`predicted`), at most three years ahead.',
    access: read,
    query: scheduleWindow,
    responses: respond(
      'The releases, ordered by date.',
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
      'Returns the schedule as it would be, and the effects on drafts. Nothing is written.',
    access: actions('UpdateScheduleCadence'),
    query: scheduleWindow,
    body: cadenceBody,
    responses: respond('The schedule.', ScheduleOutlookEntity, exampleScheduleOutlook),
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
    description: 'Returns the freezes of the app, including past ones.',
    access: read,
    query: windowValidator(
      'Only freezes that end after this; all by default.',
      'Only freezes that start no later than this; all by default.'
    ),
    responses: freezes,
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
      'Replaces all freezes of the app. During a freeze, automations of its phases do not run; manual calls work, with a warning. Freezes may overlap.',
    access: actions('UpdateScheduleCadence', 'UpdateAppSettings'),
    query: dryRunValidator,
    body: {
      kind: 'json',
      name: 'UpdateLifecycleFreezesRequestBody',
      description: 'The new freezes of the app.',
      validator: updateFreezesValidator,
      example: exampleFreezesInput,
    },
    responses: freezes,
    precondition: { of: 'listLifecycleFreezes', query: () => ({}), isResponse: true },
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
      'Returns the automations of the app or of one release, which act on target dates or on events of a release.',
    beyond: true,
    access: read,
    query: ofReleaseValidator,
    responses: respond('The automations.', Type.Array(AutomationEntity, { maxItems: 20 }), [
      exampleAutomation,
    ]),
    handle: (call) => planning.listAutomations(call),
  }),
  operation({
    id: 'setAutomation',
    steps: oneStepIf(
      switchesOff,
      'switching off alone',
      'switched off is a stop; switched on, it acts automatically from then on'
    ),
    method: 'PUT',
    path: '/app/{appId}/automations',
    tag,
    summary: 'Switch a release automation',
    description:
      'Switches an automation on or off for the app, or with `releaseId` for one release. Scheduled ones, which hotfixes and rollbacks do not have, act on target dates still ahead; automatic submission needs automatic kickoff, and automatic release needs automatic submission. The others act on events from now on and need what they work with: version control (`branchSettings.workingBranch`, `appSettings.versionFiles`), a chat, an issue tracker (`featureAffiliations`) or a store integration. `selectLatestBuild` is on unless switched off.',
    access: actions('EditAutomations'),
    body: {
      kind: 'json',
      name: 'SetAutomationRequestBody',
      description: 'The automation, and whether it is on; unchanged with `config` alone.',
      like: AutomationEntity,
      validator: setAutomationValidator,
      example: { type: 'kickoffOnTargetDate', enabled: true },
    },
    responses: respond('The automation.', AutomationEntity, exampleAutomation),
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
    description: 'Returns the pause of the app, or with `releaseId` of one release.',
    beyond: true,
    access: read,
    query: ofReleaseValidator,
    responses: respond('The pause.', AutomationPauseStateEntity, examplePause),
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
      'Pauses or resumes the automations of the app, or with `releaseId` of one release. Target dates that pass during a pause are not made up for.',
    access: actions('EditAutomations'),
    body: {
      kind: 'json',
      name: 'SetAutomationPauseRequestBody',
      description: 'State, reason and end of the pause.',
      like: AutomationPauseStateEntity,
      validator: setPauseValidator,
      example: { paused: true, reason: examplePause.reason, resumeAt: examplePause.resumeAt },
    },
    responses: respond('The pause.', AutomationPauseStateEntity, examplePause),
    shownBy: { of: 'getAutomationPause', query: ofRelease },
    errors: [409],
    events: ['releaseStep.statusChanged'],
    check: (call, errors) => planning.checkPause(call, errors),
    handle: (call) => planning.setPause(call),
  }),
]
