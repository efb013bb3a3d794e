import { Type, type Static } from '@sinclair/typebox'
import {
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { personMembers } from '#organizations/entities'
import { releaseId, ReleaseStatusSchema, versionText } from '#releases/entities'
import { PHASES } from './calendar/freezes.js'
import {
  AUTOMATIONS,
  AUTOMATION_STATUSES,
  MAX_ABSENCES,
  MAX_DRAFTS,
  MAX_DAY_OFFSET,
  MAX_DRAFT_WEEKS,
  MAX_EXCEPTIONS,
  MAX_FREEZES,
  MAX_INTERVAL_WEEKS,
  RUN_RESULTS,
  LOCAL_TIME,
} from './vocabulary.js'

const day = (description: string) => Type.String({ description, format: 'date' })

const moment = (description: string) =>
  object(description, {
    dayOffset: Type.Integer({
      description: 'Days after the train starts; 0 is that day.',
      minimum: 0,
      maximum: MAX_DAY_OFFSET,
    }),
    time: Type.String({
      description: 'Local time, `HH:mm`.',
      pattern: LOCAL_TIME.source,
    }),
  })

const CadenceTargetSetEntity = entity(
  'CadenceTargetSetEntity',
  'Target times of the releases of a cadence.',
  {
    releaseType: enumOf(['standard'], 'Release type: major, minor and point releases.'),
    kickoff: moment('Target time of the kickoff.'),
    submit: nullable(moment('Target time of the submission for review; null if none.')),
    release: nullable(moment('Target time of the release to users; null if none.')),
  }
)

const DraftChangeEntity = entity(
  'DraftChangeEntity',
  'A release that the cadence drafted before it was changed.',
  {
    releaseId: releaseId('Id of the release.'),
    version: versionText('Version of the release.'),
    targetKickoffAt: nullable(
      instant('Target date of the kickoff, or the last one if removed; null if none.')
    ),
    previousTargetKickoffAt: Type.Optional(
      nullable(
        instant('Target date of the kickoff before the move; null if none, absent without a move.')
      )
    ),
  }
)
export type DraftChange = Static<typeof DraftChangeEntity>

const drafts = (description: string) => list(description, DraftChangeEntity, MAX_DRAFTS)

const draftChanges = (none: string) =>
  object(`Effects of a change on releases drafted before it; ${none}.`, {
    moved: drafts('Unedited releases that move to another date.'),
    removed: drafts('Unedited releases that the cadence no longer has a date for.'),
    kept: drafts(
      'Releases that stay: they were edited, or their train already left by the new dates.'
    ),
  })

export const ScheduleCadenceEntity = entity('ScheduleCadenceEntity', 'Release cadence of an app.', {
  followsAppId: nullable(
    id('Id of the app whose cadence this app shares; null if it has its own.')
  ),
  enabled: flag('Whether the cadence drafts releases.'),
  paused: flag('Whether drafting is paused; trains due in the meantime are skipped.'),
  intervalWeeks: Type.Integer({
    description: 'Weeks from one train to the next.',
    minimum: 1,
    maximum: MAX_INTERVAL_WEEKS,
  }),
  startDate: nullable(day('Start date of the first train; null until a cadence is set.')),
  timezone: nonEmpty('IANA time zone of its local times.', 64),
  targets: list('Target times of its releases; empty until set.', CadenceTargetSetEntity, 1),
  skipFrozenDates: flag('Whether to skip trains with a target date in a freeze.'),
  draftWeeksAhead: Type.Integer({
    description: 'Weeks before kickoff that releases are drafted.',
    minimum: 1,
    maximum: MAX_DRAFT_WEEKS,
  }),
  undecidedFrom: nullable(
    day(
      'First day whose train is undecided: neither drafted nor skipped; null until a cadence is set.'
    )
  ),
  exceptions: list(
    'Exceptions for single trains that are not drafted yet.',
    object('A train that deviates from the cadence.', {
      date: day('Regular start date of the train.'),
      skipped: flag('Whether the train is skipped.'),
      movedTo: nullable(
        day('New start date, between the trains before and after; null if unchanged.')
      ),
      releasePilotId: nullable(id('Id of the release pilot; null for the next in the rotation.')),
    }),
    MAX_EXCEPTIONS
  ),
  absences: list(
    'Absences during which the rotation skips a pilot.',
    object('Absence of a pilot; both dates inclusive.', {
      userId: id('Id of the user.'),
      from: day('First day away.'),
      to: day('Last day away.'),
    }),
    MAX_ABSENCES
  ),
  drafts: Type.Optional(draftChanges('absent if none is affected')),
})
export type ScheduleCadenceEntity = Static<typeof ScheduleCadenceEntity>

export const ReleaseScheduleEntryEntity = entity(
  'ReleaseScheduleEntryEntity',
  'A release with its target dates, drafted or predicted from the cadence.',
  {
    releaseId: nullable(releaseId('Id of the release; null if it is not drafted yet.')),
    version: nullable(
      versionText('Version, predicted if the release is not drafted yet; null if unknown.')
    ),
    predicted: flag('True if predicted from the cadence, not drafted yet.'),
    trainDate: nullable(day('Start date of its train, before any exception; null if none.')),
    targetKickoffAt: nullable(instant('Target date of the kickoff, in UTC; null if none.')),
    targetSubmitAt: nullable(instant('Target date of the submission, in UTC; null if none.')),
    targetReleaseAt: nullable(
      instant('Target date of the release to users, in UTC; null if none.')
    ),
    pilot: nullable(
      object('Release pilot; null if none.', {
        ...personMembers,
        predicted: flag('True if the pilot is predicted from the rotation.'),
      })
    ),
    frozenBy: list(
      'Ids of the freezes that contain one of its target dates.',
      id('Id of a freeze.'),
      MAX_FREEZES
    ),
    status: described(
      'Status of the release; `upcoming` while it is not drafted.',
      ReleaseStatusSchema
    ),
  }
)
export type ReleaseScheduleEntryEntity = Static<typeof ReleaseScheduleEntryEntity>

/** A preview of releases under a cadence that nobody has set. */
export const ScheduleOutlookEntity = entity(
  'ScheduleOutlookEntity',
  'Preview of releases under a cadence that has not been saved.',
  {
    releases: list('The releases, ordered by date.', ReleaseScheduleEntryEntity, 100_000),
    drafts: draftChanges('empty if none is affected'),
  }
)
export type ScheduleOutlookEntity = Static<typeof ScheduleOutlookEntity>

export const LifecycleFreezeSetEntity = entity(
  'LifecycleFreezeSetEntity',
  'A period in which automations of some phases do not run.',
  {
    id: id('Id of the freeze; a changed freeze gets a new one.'),
    name: nonEmpty('Purpose of the freeze.', 100),
    startAt: instant('Start of the freeze, in UTC.'),
    endAt: instant('End of the freeze, in UTC, exclusive.'),
    phases: list('Phases whose automations do not run.', enumOf(PHASES, 'A phase.'), PHASES.length),
    active: flag('Whether the freeze is in effect now.'),
    createdAt: instant('When it was created, in UTC.'),
  }
)
export type LifecycleFreezeSetEntity = Static<typeof LifecycleFreezeSetEntity>

export const AutomationEntity = entity('AutomationEntity', 'An automation of an app or release.', {
  id: nonEmpty('Id of the automation for the app or for one release.', 300),
  type: enumOf(AUTOMATIONS, 'Action and trigger.'),
  name: nonEmpty('Display name of the automation.', 100),
  enabled: flag('Whether the automation is on.'),
  status: enumOf(
    AUTOMATION_STATUSES,
    'Effective status; `inactive` if it cannot act here, even when on.'
  ),
  scheduled: flag('Whether it acts on a target date, not on an event of a release.'),
  phase: nullable(enumOf(PHASES, 'Phase whose target date it acts on; null if not scheduled.')),
  config: object('Settings of the automation.', {
    runAfterFreeze: Type.Optional(
      flag(
        'Whether a run held back by a freeze happens when it ends; absent if freezes do not apply.'
      )
    ),
  }),
  lastRunAt: nullable(instant('When it last ran or skipped a date, in UTC; null if never.')),
  lastResult: nullable(enumOf(RUN_RESULTS, 'Result of the last run; null if none.')),
})
export type AutomationEntity = Static<typeof AutomationEntity>

export const AutomationPauseStateEntity = entity(
  'AutomationPauseStateEntity',
  'Pause of the automations of an app or of one release.',
  {
    paused: flag('Whether automations are paused.'),
    pausedAt: nullable(instant('When the pause began, in UTC; null if not paused.')),
    pausedBy: nullable(nonEmpty('Display name of who paused; null if not paused.', 320)),
    reason: nullable(text('Reason given; null if none.', 500)),
    resumeAt: nullable(instant('When the pause ends, in UTC; null if open-ended.')),
  }
)
export type AutomationPauseStateEntity = Static<typeof AutomationPauseStateEntity>
