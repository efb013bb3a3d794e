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
  words,
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

export const ReleaseStepTypeSchema = words(RELEASE_STEP_TYPES)

const RELEASES_OF: Record<WorkflowReleaseType, string> = {
  standard: 'major, minor and point releases',
  hotfix: 'hotfixes',
  rollback: 'rollbacks',
}

const ofReleases = (type: WorkflowReleaseType) =>
  Type.Optional(
    object(`How the step stands in ${RELEASES_OF[type]}; absent: they do not have it.`, {
      required: flag('Whether readiness waits for the step.'),
    })
  )
const byReleaseType = Object.fromEntries(
  WORKFLOW_RELEASE_TYPES.map((type) => [type, ofReleases(type)])
) as Record<WorkflowReleaseType, ReturnType<typeof ofReleases>>

/** The place of a step in a workflow, used for apps and for their releases. */
export const stepPlaceMembers = {
  groupIndex: count('Place of its group in the workflow, from 0.'),
  position: count('Place within its group, from 0; steps of a group stand side by side.'),
  destinationId: nullable(
    id('Id of the destination the step is for; null for the first, which every app has.')
  ),
}

const StepEntity = entity('StepEntity', 'A step as the workflow of the app defines it.', {
  id: id('Id of the step in the workflow, as `stepConfigId` names it elsewhere.'),
  name: nonEmpty('Name of the step, unique in the app.', 210),
  type: described('What the step is about.', ReleaseStepTypeSchema),
  releaseTypes: object('The kinds of release that have the step.', byReleaseType),
  ...stepPlaceMembers,
})

const appMembers = {
  id: nonEmpty('Id of the app: a slug of name and platform that never changes.', 200),
  orgId: id('Id of the organization.'),
  name: nonEmpty('Name of the app.', 100),
  platform: words(APP_PLATFORMS, 'The platform it runs on.'),
  appGroup: nullable(nonEmpty('Label that apps of one product share; null without one.', 100)),
  iconUrl: nullable(text('Address of the icon; null without one.', 2048)),
  iconFailure: nullable(
    object('Why the icon that the configuration names could not be fetched; null if it was.', {
      url: text('Address that was asked.', 2048),
      reason: text('What went wrong, for people.', 500),
      at: instant('When it was tried, in UTC.'),
    })
  ),
  bundleId: nullable(
    nonEmpty('Bundle or package id, from the store integration; null until it has one.', 200)
  ),
  createdAt: instant('When the app was made, in UTC.'),
  updatedAt: instant('When the app, its settings or its workflow last changed, in UTC.'),
  settings: object('Settings that new releases copy.', {
    defaultReleaseType: words(
      DEFAULT_RELEASE_TYPES,
      'Type of the first release, which no version precedes; `standard` derives it too.'
    ),
    assumeHotfixesArePointReleases: flag('Whether items for point releases also go to hotfixes.'),
    versionFiles: list(
      'Files of the repository that hold the version.',
      nonEmpty('Path from the root of the repository.', 1000),
      200
    ),
    localizationDirectories: list(
      'Directories of the repository that hold translations.',
      nonEmpty('Path from the root of the repository.', 1000),
      200
    ),
    requireFixApprovals: flag('Whether fix requests wait for approvals.'),
    enableFixStatusChecks: flag(
      'Whether pull requests show a pending check until their fix is approved.'
    ),
    hideNotRequiredReleaseStepsInTimeline: flag('Whether steps that are not required are hidden.'),
  } satisfies Record<keyof AppSettings, TSchema>),
  appUsers: list(
    'The users of the app.',
    Type.String({
      description: 'E-mail address, in lower case.',
      format: 'email',
      maxLength: 254,
    }),
    2000
  ),
  destinations: list(
    'Where the app is published beside its first store.',
    object('A further store.', {
      id: id('Id of the destination.'),
      name: nonEmpty('Name of the destination, unique in the app.', 100),
      storeType: words(STORE_KINDS, 'Which store rules follow; `ota` has no store.'),
      integrationInstallationId: nullable(
        id('Id of the store integration; null until one is connected.')
      ),
    }),
    1000
  ),
  steps: list('The workflow: what every new release copies, in order.', StepEntity, 10_000),
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
  extending(
    'WarnedAppEntity',
    'An app, and what is to be known of the file that was sent.',
    AppEntity,
    {
      warnings: Type.Optional(
        list(
          'Settings that are read for the sake of earlier files, or mean nothing; absent without any.',
          object('A warning.', {
            path: nonEmpty('Path into the file: `appStoreReleaseSettings.rollout.ladder`.', 2000),
            pointer: nonEmpty('The same as a JSON pointer.', 2000),
            line: count('Line of the file.'),
            column: count('Column in it.'),
            code: words(
              ['old_setting', 'no_meaning', 'submitted_before', 'drafts', 'managed_publishing'],
              'What it is about.'
            ),
            message: nonEmpty('The same for people.', 1000),
          }),
          1000
        )
      ),
    }
  )
)

/** An entry of an app's timeline: an event that belongs to none of its releases. */
export const AppTimelineEvent = entity(
  'AppTimelineEvent',
  'Something that happened to an app and to none of its releases.',
  {
    id: id('Id of the entry.'),
    type: nonEmpty('What happened, such as `app.configurationChanged`.', 64),
    title: nonEmpty('What happened, for people.', 1000),
    occurredAt: instant('When it happened, in UTC.'),
    actor: described('Who did it.', ActorEntity),
    appId: nonEmpty('Id of the app.', 200),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What goes with it, by its type.',
    }),
  }
)
export type AppTimelineEvent = Static<typeof AppTimelineEvent>

function addedMembers(): TProperties {
  return Object.assign({}, ...appExtensions.all.map((extension) => extension.entity?.schema))
}
