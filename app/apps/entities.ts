import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import {
  extending,
  ActorEntity,
  count,
  deferred,
  entity,
  flag,
  described,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import {
  DEFAULT_RELEASE_TYPES,
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
  type WorkflowReleaseType,
} from '#workflow/vocabulary'
import { appExtensions, type AppMembers } from './extensions.js'
import type { AppSettings } from './settings.js'
import { APP_PLATFORMS, STORE_KINDS } from './vocabulary.js'

export const ReleaseStepTypeSchema = enumOf(RELEASE_STEP_TYPES)

const RELEASES_OF: Record<WorkflowReleaseType, string> = {
  standard: 'major, minor and point releases',
  hotfix: 'hotfixes',
  rollback: 'rollbacks',
}

const ofReleases = (type: WorkflowReleaseType) =>
  Type.Optional(
    object(`The step in ${RELEASES_OF[type]}; absent if they do not have it.`, {
      required: flag('Whether release readiness depends on the step.'),
    })
  )
const byReleaseType = Object.fromEntries(
  WORKFLOW_RELEASE_TYPES.map((type) => [type, ofReleases(type)])
) as Record<WorkflowReleaseType, ReturnType<typeof ofReleases>>

/** The place of a step in a workflow, used for apps and for their releases. */
export const stepPlaceMembers = {
  groupIndex: count('Position of its group in the workflow, from 0.'),
  position: count('Position in its group, from 0; steps of a group run in parallel.'),
  destinationId: nullable(
    id('Id of the destination of the step; null for the first, which every app has.')
  ),
}

const StepEntity = entity('StepEntity', 'A step of the workflow of an app.', {
  id: id('Id of the step in the workflow, called `stepConfigId` elsewhere.'),
  name: nonEmpty('Name of the step, unique in the app.', 210),
  type: described('Type of the step.', ReleaseStepTypeSchema),
  releaseTypes: object('Kinds of release that have the step.', byReleaseType),
  ...stepPlaceMembers,
})

const appMembers = {
  id: nonEmpty('Id of the app: a slug of its name and platform that never changes.', 200),
  orgId: id('Id of the organization.'),
  name: nonEmpty('Name of the app.', 100),
  platform: enumOf(APP_PLATFORMS, 'Platform of the app.'),
  appGroup: nullable(nonEmpty('Label shared by apps of one product; null if none.', 100)),
  iconUrl: nullable(text('URL of the icon; null if none.', 2048)),
  iconFailure: nullable(
    object('Why fetching the configured icon failed; null if it did not.', {
      url: text('Requested URL.', 2048),
      reason: text('Human-readable reason.', 500),
      at: instant('When it was attempted, in UTC.'),
    })
  ),
  bundleId: nullable(
    nonEmpty('Bundle or package id, from the store integration; null until it has one.', 200)
  ),
  createdAt: instant('When the app was created, in UTC.'),
  updatedAt: instant('When the app, its settings or its workflow last changed, in UTC.'),
  settings: object('Settings that new releases copy.', {
    defaultReleaseType: enumOf(
      DEFAULT_RELEASE_TYPES,
      'Type of the first release; `standard` derives it from the version.'
    ),
    assumeHotfixesArePointReleases: flag(
      'Whether items for point releases also apply to hotfixes.'
    ),
    versionFiles: list(
      'Files in the repository that contain the version.',
      nonEmpty('Path from the repository root.', 1000),
      200
    ),
    localizationDirectories: list(
      'Directories in the repository that contain translations.',
      nonEmpty('Path from the repository root.', 1000),
      200
    ),
    requireFixApprovals: flag('Whether fix requests need approval.'),
    enableFixStatusChecks: flag(
      'Whether pull requests show a pending check until their fix is approved.'
    ),
    hideNotRequiredReleaseStepsInTimeline: flag('Whether timelines hide optional steps.'),
  } satisfies Record<keyof AppSettings, TSchema>),
  appUsers: list(
    'Users of the app.',
    Type.String({
      description: 'E-mail address in lower case.',
      format: 'email',
      maxLength: 254,
    }),
    2000
  ),
  destinations: list(
    'Further destinations, besides the first store.',
    object('A further destination.', {
      id: id('Id of the destination.'),
      name: nonEmpty('Name of the destination, unique in the app.', 100),
      storeType: enumOf(STORE_KINDS, 'Store whose rules apply; `ota` has none.'),
      integrationInstallationId: nullable(
        id('Id of the store integration; null until one is connected.')
      ),
    }),
    1000
  ),
  steps: list('Workflow steps, in order; every new release copies them.', StepEntity, 10_000),
}

const ownMembers = Type.Object(appMembers)

export type AppEntity = Static<typeof ownMembers> & AppMembers

/** An app as the API shows it: its own members and those of extensions. */
export const AppEntity = deferred<AppEntity>(() =>
  entity('AppEntity', 'An app on one platform, with its settings and workflow.', {
    ...appMembers,
    ...addedMembers(),
  })
)

/** The response to a configuration file, with warnings about the file. */
export const WarnedAppEntity = deferred<AppEntity>(() =>
  extending('WarnedAppEntity', 'An app, with warnings about the submitted file.', AppEntity, {
    warnings: Type.Optional(
      list(
        'Warnings about the file; absent if none.',
        object('A warning.', {
          path: nonEmpty(
            'Path in the file, such as `appStoreReleaseSettings.rollout.ladder`.',
            2000
          ),
          pointer: nonEmpty('The same path as a JSON pointer.', 2000),
          line: count('Line in the file.'),
          column: count('Column in the line.'),
          code: enumOf(
            ['old_setting', 'no_meaning', 'submitted_before', 'drafts', 'managed_publishing'],
            'Code of the warning.'
          ),
          message: nonEmpty('Human-readable description.', 1000),
        }),
        1000
      )
    ),
  })
)

/** An entry of an app's timeline: an event that belongs to none of its releases. */
export const AppTimelineEvent = entity(
  'AppTimelineEvent',
  'A timeline entry of an app that concerns none of its releases.',
  {
    id: id('Id of the entry.'),
    type: nonEmpty('Type of the entry, such as `app.configurationChanged`.', 64),
    title: nonEmpty('Human-readable summary.', 1000),
    occurredAt: instant('When the event happened, in UTC.'),
    actor: described('Who caused the event.', ActorEntity),
    appId: nonEmpty('Id of the app.', 200),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Details of the entry, by its type.',
    }),
  }
)
export type AppTimelineEvent = Static<typeof AppTimelineEvent>

function addedMembers(): TProperties {
  return Object.assign({}, ...appExtensions.all.map((extension) => extension.entity?.schema))
}
