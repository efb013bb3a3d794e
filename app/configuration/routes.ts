import { exampleApp } from '#apps/examples'
import { Type } from '@sinclair/typebox'
import vine from '@vinejs/vine'
import { requireMayCreateApps } from '#apps/require_may_create_apps'
import { WarnedAppEntity } from '#apps/entities'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { queryBoolean, describedAs } from '#foundation/api/operation/input'
import { FALLING_EVENTS, SETTLING_EVENTS } from '#releases/events'
import type { DryRun } from './controllers/configuration_controller.js'
import { PlanEntity } from './entities.js'
import { MAX_FILE_BYTES, readConfigurationFile } from './read_configuration_file.js'
import type { YamlNode } from './yaml/tree.js'
import { twoSteps } from '#foundation/api/operation/steps'

const configuration = lazyController(
  async () =>
    new (await import('./controllers/configuration_controller.js')).ConfigurationController()
)

const isDryRun = () =>
  queryBoolean().use(describedAs('If true, returns the plan and writes nothing.')).optional()
const dryRun = vine.create({ dryRun: isDryRun() })
const removal = vine.create({
  dryRun: isDryRun(),
  force: queryBoolean()
    .use(describedAs('If true, deletes the app even while a release is active.'))
    .optional(),
})

const EXAMPLE = `name: Acme
platform: ios
appGroup: Shop
appUsers:
  - ada@acme.example
  - grace@acme.example
tagSettings:
  release:
    pattern: v{version}
stepGroups:
  - steps:
      - name: Kickoff
        archetype: kickoff
        releaseTypes:
          standard:
            required: true
          hotfix:
            required: true
`

const DESTINATION_EXAMPLE = `name: Acme for Business
appStoreReleaseSettings:
  releaseMethod: automatic
`

const body = (description: string, example = EXAMPLE) => ({
  kind: 'text' as const,
  format: 'yaml' as const,
  description: `${description} YAML 1.2, one document, at most 128 KiB; also accepted as the part \`file\`.`,
  example,
  maxBytes: MAX_FILE_BYTES,
  read: readConfigurationFile,
})

const plan = (...example: object[]) => ({
  description: 'The plan, for `dryRun=true`; nothing was written.',
  schema: PlanEntity,
  example,
})
const creation = plan({
  op: 'add',
  path: 'appGroup',
  from: null,
  to: 'Shop',
  effect: 'Label of the app in lists',
})
const removalPlan = plan({
  op: 'remove',
  path: 'appGroup',
  from: 'Shop',
  to: null,
  effect: 'Is deleted with the app; other apps of the group stay',
})
const addition = plan({
  op: 'add',
  path: 'name',
  from: null,
  to: 'Acme for Business',
  effect: 'Releases go to this destination too',
})
const created = {
  description: 'The app, with `warnings` about the file, if any.',
  schema: WarnedAppEntity,
  example: exampleApp,
}
const updateSettings = actions('UpdateAppSettings')

export const operations = [
  operation({
    id: 'exportAppConfiguration',
    method: 'GET',
    path: '/app/{appId}/app/config',
    aliases: ['/app/{appId}/config'],
    tag: 'Configuration file',
    summary: 'Get the configuration of an app as YAML',
    description:
      'Returns a file that creates an app like this one when sent to ' +
      '`POST /org/{orgId}/app/config`. ' +
      'The same configuration gives the same bytes. The file contains no secrets.',
    access: read,
    responses: {
      200: {
        description: 'The configuration file.',
        contentType: 'application/yaml',
        schema: Type.String({ description: 'The configuration file as YAML.' }),
        example: EXAMPLE,
      },
    },
    handle: (call) => configuration.show(call),
  }),
  operation<YamlNode, DryRun>({
    id: 'createAppFromConfiguration',
    callsOthers: true,
    steps: twoSteps('a file may grant rights, name stores and switch on automations'),
    method: 'POST',
    path: '/org/{orgId}/app/config',
    aliases: ['/app/config'],
    tag: 'Configuration file',
    summary: 'Create an app from a configuration file',
    description:
      'Creates the app completely or not at all: 201 with the app, or every problem of the file ' +
      'with its path, line and column. What the file omits has its default.',
    access: updateSettings,
    demand: requireMayCreateApps,
    query: dryRun,
    dryRun: 'changes',
    body: body('The configuration file; `name` and `platform` are required.'),
    responses: { 200: creation, 201: created },
    handle: (call) => configuration.create(call),
  }),
  operation<YamlNode, DryRun>({
    id: 'changeAppFromConfiguration',
    callsOthers: true,
    steps: twoSteps('settings, rights, stores and automations may change'),
    method: 'PATCH',
    path: '/app/{appId}/app/config',
    aliases: ['/app/{appId}/config'],
    tag: 'Configuration file',
    summary: 'Change an app by a configuration file',
    description:
      'Replaces the given lists and maps; absent properties stay, `null` clears. ' +
      'A changed workflow applies to upcoming releases and the untouched parts of active ones. ' +
      'A store cannot be removed while it is reviewing or gradually rolling out a release.',
    access: updateSettings,
    query: dryRun,
    dryRun: 'changes',
    body: body('The parts of the configuration that change.'),
    responses: {
      200: {
        description:
          'The app, with `warnings` about the file, if any; with `dryRun=true` the plan, and nothing was written.',
        example: exampleApp,
        schema: Type.Union([WarnedAppEntity, PlanEntity], {
          description: 'An object is the app, an array the plan.',
        }),
      },
    },
    events: ['release.targetDateUpdated', ...FALLING_EVENTS],
    precondition: { of: 'exportAppConfiguration', or: 'getApp' },
    handle: (call) => configuration.change(call),
  }),
  operation<undefined, DryRun & { force?: boolean }>({
    id: 'deleteAppByConfiguration',
    callsOthers: true,
    steps: twoSteps('destroys the app with all that it owns'),
    method: 'DELETE',
    path: '/app/{appId}/app/config',
    aliases: ['/app/{appId}/config'],
    tag: 'Configuration file',
    summary: 'Delete an app',
    description:
      'Deletes the app with everything it owns. Refused unless `force` while a release is ' +
      'active, or while a store is reviewing or gradually rolling one out. ' +
      'A key restricted to this app then has access to no app.',
    access: updateSettings,
    query: removal,
    dryRun: 'changes',
    responses: { 200: removalPlan, 204: { description: 'The app is deleted.' } },
    precondition: { of: 'exportAppConfiguration', or: 'getApp' },
    handle: (call) => configuration.destroy(call),
  }),
  operation<YamlNode, DryRun>({
    id: 'addDestinationFromConfiguration',
    callsOthers: true,
    steps: twoSteps('releases go to another store from then on'),
    method: 'POST',
    path: '/app/{appId}/destination/config',
    tag: 'Configuration file',
    summary: 'Add a destination from a configuration file',
    description:
      'Adds a destination with its steps to the workflow of the app; without `stepGroups`, ' +
      'the default steps of a further store.',
    access: updateSettings,
    query: dryRun,
    dryRun: 'changes',
    body: body(
      'A file with `name`, and any of `integrations` (of stores), `appStoreReleaseSettings` and `stepGroups`.',
      DESTINATION_EXAMPLE
    ),
    responses: { 200: addition, 201: created },
    events: SETTLING_EVENTS,
    precondition: { of: 'getApp' },
    handle: (call) => configuration.addDestination(call),
  }),
]
