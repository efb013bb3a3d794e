import { APP_PLATFORMS } from '#apps/vocabulary'
import { AFFILIATION_TYPES, RELEASE_METHODS } from '#apps/settings'
import { CHANGE_KINDS } from '#comparison/vocabulary'
import {
  BUCKET_RULE_TYPES,
  CONFIGURABLE_BUCKET_TYPES,
  PERMISSION_LEVELS,
} from '#distribution/vocabulary'
import { FORM_FIELD_TYPES } from '#fixes/vocabulary'
import { NOTIFICATION_TYPES } from '#notifications/vocabulary'
import { PHASES } from '#planning/calendar/freezes'
import { FOLLOW_UPS, SCHEDULED_AUTOMATIONS } from '#planning/vocabulary'
import {
  CRASH_MEASURES,
  HOTFIX_ROLLOUTS,
  METRIC_SOURCES,
  STOPS,
  WHEN_UNSURE,
} from '#rollouts/vocabulary'
import {
  DEFAULT_RELEASE_TYPES,
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
} from '#workflow/vocabulary'

/*
 * Every key of a configuration file with its text in docs/reference/configuration-file.md. A test
 * compares the keys with those that the checks know. `<name>` is a key that the author chooses,
 * `[]` the entries of a list, and `<type>` one of the listed keys.
 */

/** A key: its value, and what it means. */
export type Field = readonly [path: string, holds: string, about: string]

const of = (values: readonly string[]) => values.map((each) => `\`${each}\``).join(', ')
const below = (path: string, fields: readonly Field[]): Field[] =>
  fields.map(([name, ...rest]) => [`${path}.${name}`, ...rest])

const ROLLOUT: readonly Field[] = [
  [
    'ladder',
    'list',
    'Stages for Google Play, with rising shares up to 100. The App Store has its own',
  ],
  ['ladder[].percentage', 'number', 'Share of users in the stage'],
  ['ladder[].hours', 'whole number', 'Minimum duration in hours'],
  [
    'healthyHours',
    'whole number',
    'Maximum duration of a stage in hours while the version is healthy',
  ],
  ['timezone', 'text', 'Time zone of hours and days; UTC by default'],
  ['officeHours', 'map', 'Hours in which it may grow; any time by default'],
  ['officeHours.from', 'time', 'Local time of the start'],
  ['officeHours.to', 'time', 'Local time of the end'],
  ['weekdays', 'list of 1 to 7', 'Days on which it may grow, 1 for Monday; all by default'],
  ['quietDays', 'list of days', 'Days on which it does not grow'],
  ['finishWithinDays', 'whole number', 'Days after which all users should have the version'],
  ['call', 'list of addresses', 'People who are called when it is held or stopped'],
  ['guard', 'map', 'How health is judged; by default it is not'],
  ['guard.metrics', 'list', 'What is measured; required'],
  ['guard.metrics[].name', 'text', 'Its name; required'],
  ['guard.metrics[].source', of(METRIC_SOURCES), 'Its source; `events` by default'],
  ['guard.metrics[].total', 'text', 'Event that counts all cases'],
  ['guard.metrics[].bad', 'text', 'Event that counts failures'],
  ['guard.metrics[].measure', of(CRASH_MEASURES), 'Figure of crash monitoring'],
  ['guard.harmBudget', 'number', 'Percentage of all users that a version may harm; 0.5 by default'],
  ['guard.errorBound', 'number', 'Probability that a sound version is halted; 0.01 by default'],
  ['guard.whenUnsure', of(WHEN_UNSURE), 'What happens without any data; `hold` by default'],
  ['guard.minimumSample', 'whole number', 'From earlier policies; ignored'],
  ['guard.tolerance', 'number', 'From earlier policies; read as `harmBudget`'],
  ['hotfix', of(HOTFIX_ROLLOUTS), 'How hotfixes go to users; `atOnce` by default'],
  ['stops', of(STOPS), 'What is stopped with an unhealthy version; `own` by default'],
]

const STORE: readonly Field[] = [
  ['releaseMethod', of(RELEASE_METHODS), 'Who releases an approved version'],
  ['phasedReleaseEnabled', 'flag', 'Whether it goes to users gradually'],
  ['inAppUpdatePriority', '0 to 5', 'Urgency of the update, as apps on Google Play see it'],
  [
    'rollout',
    'map',
    'The [policy](docs/how-to/set-a-rollout-policy.md) of rollouts; `null` removes it',
  ],
  ...below('rollout', ROLLOUT),
]

/** Every key, in the order of the file. */
export const FIELDS: readonly Field[] = [
  ['name', 'text', 'Required. The id of the app is made of name and platform, and stays'],
  ['platform', of(APP_PLATFORMS), 'Required; cannot change'],
  ['appGroup', 'text', 'Label of apps that belong together'],
  ['icon', 'URL', 'Address of an image'],
  ['integrations', 'map', 'A name of yours for each integration'],
  [
    'integrations.<name>.type',
    'text',
    'Type of the plugin; may be left out where the provider has one',
  ],
  ['integrations.<name>.provider', 'text', 'Id or alias of a connected provider; required'],
  ['integrations.<name>.data', 'map', 'Fields of its kind, see [below](#integrations)'],
  ['buildDistro', 'map', 'Where builds are handed to testers'],
  ['buildDistro.buckets', 'map', 'A name for each bucket'],
  [
    'buildDistro.buckets.<name>.type',
    of(CONFIGURABLE_BUCKET_TYPES),
    'One `rc`, one `dev`; `custom` unless given',
  ],
  [
    'buildDistro.buckets.<name>.orgWideAccessEnabled',
    'flag',
    'Whether everybody of the organization sees it',
  ],
  [
    'buildDistro.buckets.<name>.notificationsEnabled',
    'flag',
    'Whether testers are notified of new builds',
  ],
  ['buildDistro.buckets.<name>.members', 'map', `Group or user to ${of(PERMISSION_LEVELS)}`],
  [
    'buildDistro.buckets.<name>.rules',
    'list',
    '[Which builds](docs/how-to/give-builds-to-testers.md#which-builds-come-into-a-bucket) come into it',
  ],
  ['buildDistro.buckets.<name>.rules[].branch', 'pattern', 'Branch of the builds'],
  ['buildDistro.buckets.<name>.rules[].baseBranch', 'pattern', 'Branch that pull requests go to'],
  ['buildDistro.buckets.<name>.rules[].type', of(BUCKET_RULE_TYPES), 'Required'],
  [
    'buildDistro.buckets.<name>.rules[].workflow',
    'text',
    'Id or name of a workflow; all unless given',
  ],
  [
    'buildDistro.buckets.<name>.rules[].fileFilterPatterns',
    'list',
    'Names of files, with `*` and `?`',
  ],
  ['buildDistro.buckets.<name>.x-expireOldBuilds', 'map', 'How long builds are kept'],
  ['buildDistro.buckets.<name>.x-expireOldBuilds.enabled', 'flag', 'On unless given'],
  [
    'buildDistro.buckets.<name>.x-expireOldBuilds.maxAgeDays',
    'whole number',
    'This, `maxBuilds` or both',
  ],
  [
    'buildDistro.buckets.<name>.x-expireOldBuilds.maxBuilds',
    'whole number',
    'The newest so many stay',
  ],
  ['appSettings', 'map', 'Settings of releases'],
  [
    'appSettings.defaultReleaseType',
    of(DEFAULT_RELEASE_TYPES),
    'Type of a release with none before',
  ],
  [
    'appSettings.assumeHotfixesArePointReleases',
    'flag',
    'Whether items for point releases also go to hotfixes',
  ],
  [
    'appSettings.versionFiles',
    'list of paths',
    '[Files](docs/how-to/plan-trains.md#version-files) that hold the version',
  ],
  ['appSettings.localizationDirectories', 'list of paths', 'Folders of translations'],
  ['appSettings.requireFixApprovals', 'flag', 'Whether late fixes wait for approvals'],
  [
    'appSettings.enableFixStatusChecks',
    'flag',
    'Checks on pull requests; needs `requireFixApprovals`',
  ],
  ['appSettings.hideNotRequiredReleaseStepsInTimeline', 'flag', 'Whether they are hidden'],
  ['appUsers', 'list of addresses', 'People of the app; unknown ones become invited users'],
  ['branchSettings', 'map', 'A version-control integration of the file to its branches'],
  ['branchSettings.<name>.releaseBranchPatterns', 'map', 'Names of release branches'],
  ['branchSettings.<name>.releaseBranchPatterns.all', 'map', 'Of all releases'],
  [
    'branchSettings.<name>.releaseBranchPatterns.all.pattern',
    'pattern',
    'Such as `release/{version}`; required',
  ],
  ['branchSettings.<name>.releaseBranchPatterns.hotfix', 'map', 'Of hotfixes'],
  ['branchSettings.<name>.releaseBranchPatterns.hotfix.pattern', 'pattern', 'Required'],
  ['branchSettings.<name>.workingBranch', 'pattern', 'Where release branches are cut from'],
  ['tagSettings', 'map', 'A name for each kind of tag'],
  ['tagSettings.<name>.pattern', 'pattern', 'Such as `v{version}`; required'],
  ['featureAffiliations', 'map', 'How tickets name their release'],
  [
    'featureAffiliations.<name>.integration',
    'text',
    'An issue-tracking integration of the file; required',
  ],
  ['featureAffiliations.<name>.type', of(AFFILIATION_TYPES), 'Required'],
  ['featureAffiliations.<name>.pattern', 'pattern', 'Such as `iOS {version}`; required'],
  ['appStoreReleaseSettings', 'map', 'How the first destination is released'],
  ...below('appStoreReleaseSettings', STORE),
  ['stepGroups', 'list', 'The workflow; the standard one unless given'],
  ['stepGroups[].steps', 'list', 'Steps side by side; at least one'],
  ['stepGroups[].steps[].name', 'text', 'Name of the step; that of its archetype unless given'],
  ['stepGroups[].steps[].archetype', of(RELEASE_STEP_TYPES), 'Required'],
  ['stepGroups[].steps[].releaseTypes', 'map', 'Releases that have the step; at least one'],
  ...WORKFLOW_RELEASE_TYPES.flatMap((type): Field[] => [
    [`stepGroups[].steps[].releaseTypes.${type}`, 'map', `Releases of the kind \`${type}\``],
    [
      `stepGroups[].steps[].releaseTypes.${type}.required`,
      'flag',
      'Whether they wait for it; required',
    ],
  ]),
  [
    'stepGroups[].steps[].x-destination',
    'text',
    'The further destination that the step is done for',
  ],
  ['x-destinations', 'map', 'A name for each destination beside the first'],
  ['x-destinations.<name>.appStoreReleaseSettings', 'map', 'As of the app'],
  ['x-scheduleCadence', 'map', '[How often releases leave](docs/how-to/plan-trains.md)'],
  ...below('x-scheduleCadence', [
    ['followsAppId', 'text', 'App whose cadence is shared; with `enabled` and `paused` alone'],
    ['enabled', 'flag', 'On unless given'],
    ['paused', 'flag', 'Off unless given'],
    ['intervalWeeks', 'whole number', 'Weeks between two trains; 1 unless given'],
    ['startDate', 'day', 'The first train; required'],
    ['timezone', 'text', 'Zone of the times; UTC unless given'],
    ['targets', 'map', 'Dates of a train; required'],
    ...PHASES.flatMap((phase): Field[] => [
      [`targets.${phase}`, 'map', phase === 'kickoff' ? 'Required' : 'No date unless given'],
      [`targets.${phase}.dayOffset`, 'whole number', 'Days after the train begins; required'],
      [`targets.${phase}.time`, 'time', 'Local time like `09:30`; required'],
    ]),
    ['skipFrozenDates', 'flag', 'Whether trains in a freeze are left out; off unless given'],
    ['draftWeeksAhead', 'whole number', 'How far releases are drafted; 4 unless given'],
    ['exceptions', 'list', 'Single trains that differ'],
    ['exceptions[].date', 'day', 'The train; required'],
    ['exceptions[].skipped', 'flag', 'Whether it is left out'],
    ['exceptions[].movedTo', 'day', 'Where it is moved'],
    ['exceptions[].releasePilot', 'address', 'Its pilot'],
    ['absences', 'list', 'Days on which a pilot is passed over'],
    ['absences[].user', 'address', 'The pilot; required'],
    ['absences[].from', 'day', 'The first day; required'],
    ['absences[].to', 'day', 'The last day; required'],
  ]),
  ['x-lifecycleFreezes', 'list', 'Times without kickoffs, submissions or releases'],
  ['x-lifecycleFreezes[].name', 'text', 'Required'],
  ['x-lifecycleFreezes[].startAt', 'instant', 'Required'],
  ['x-lifecycleFreezes[].endAt', 'instant', 'Required'],
  ['x-lifecycleFreezes[].phases', 'list', `${of(PHASES)}; required`],
  [
    'x-automations',
    'map',
    '[Automations](docs/how-to/plan-trains.md#automations-on-dates); what is not named is as by default',
  ],
  [
    'x-automations.<type>',
    'map',
    `On dates: ${of(SCHEDULED_AUTOMATIONS)}. On what happens: ${of(FOLLOW_UPS)}`,
  ],
  ['x-automations.<type>.enabled', 'flag', 'Off unless given; `selectLatestBuild` is on'],
  [
    'x-automations.<type>.runAfterFreeze',
    'flag',
    'Of those on dates: whether it acts when a freeze ends; on unless given',
  ],
  [
    'x-notifications',
    'map',
    'What [chats are notified of](docs/how-to/approve-in-chat.md); what is not named is as by default',
  ],
  ['x-notifications.<type>', 'map', `One of ${of(NOTIFICATION_TYPES)}`],
  ['x-notifications.<type>.enabled', 'flag', 'Whether chats are notified of it'],
  ['x-notifications.<type>.channelOverride', 'text', 'A channel of its own'],
  [
    'x-notifications.<type>.leadTimeMinutes',
    'whole number',
    'Of reminders: how long before the date',
  ],
  ['x-fixRequests', 'map', '[How late fixes are asked for](docs/how-to/bring-a-late-fix.md)'],
  ['x-fixRequests.requiredApprovals', 'whole number', 'Approvals that a fix takes'],
  ['x-fixRequests.fourEyes', 'flag', 'Whether somebody else approves'],
  ['x-fixRequests.fields', 'list', 'What is asked'],
  ['x-fixRequests.fields[].id', 'text', 'Required'],
  ['x-fixRequests.fields[].label', 'text', 'Required'],
  ['x-fixRequests.fields[].type', of(FORM_FIELD_TYPES), 'Required'],
  ['x-fixRequests.fields[].required', 'flag', 'Off unless given'],
  ['x-fixRequests.fields[].options', 'list', 'What can be chosen'],
  ['x-fixRequests.fields[].helpText', 'text', 'A sentence for whoever fills it in'],
  [
    'changeApprovals',
    'list',
    '[Changes of a build that need an approval](docs/how-to/test-and-approve.md#approvals-for-what-a-build-changes)',
  ],
  ['changeApprovals[].change', of(CHANGE_KINDS), 'The kind of change; required'],
  ['changeApprovals[].groups', 'list', 'Groups that approve it; whoever may approve unless given'],
]
