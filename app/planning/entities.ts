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
  words,
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
      description: 'Days after the day the train begins; 0 is that day.',
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
  'When the releases of a cadence are to get where.',
  {
    releaseType: words(['standard'], 'Kind of release: major, minor and point ones.'),
    kickoff: moment('When a release is to be kicked off.'),
    submit: nullable(moment('When it is to be submitted for review; null without a date.')),
    release: nullable(moment('When it is to go to users; null without a date.')),
  }
)

const DraftChangeEntity = entity(
  'DraftChangeEntity',
  'A release that a cadence drafted before it was changed.',
  {
    releaseId: releaseId('Id of the release.'),
    version: versionText('Its version.'),
    targetKickoffAt: nullable(
      instant(
        'When it is to be kicked off, or was to be where it was removed; null without a date.'
      )
    ),
    previousTargetKickoffAt: Type.Optional(
      nullable(
        instant(
          'When it was to be kicked off before it followed; null without a date, absent where it did not.'
        )
      )
    ),
  }
)
export type DraftChange = Static<typeof DraftChangeEntity>

const drafts = (description: string) => list(description, DraftChangeEntity, MAX_DRAFTS)

const draftChanges = (none: string) =>
  object(`What a change makes of releases that were drafted before it; ${none}.`, {
    moved: drafts('Those that nobody edited, and that follow to another date.'),
    removed: drafts('Those that nobody edited, and that the cadence has no date for.'),
    kept: drafts(
      'Those that stay: somebody edited them, or their train has left by the new dates.'
    ),
  })

export const ScheduleCadenceEntity = entity(
  'ScheduleCadenceEntity',
  'How often releases of an app leave, and when.',
  {
    followsAppId: nullable(
      id('Id of the app whose cadence it is, and changes with; null for its own.')
    ),
    enabled: flag('Whether releases are drafted by it.'),
    paused: flag('Whether that is suspended; trains that would leave meanwhile do not.'),
    intervalWeeks: Type.Integer({
      description: 'Weeks from one train to the next.',
      minimum: 1,
      maximum: MAX_INTERVAL_WEEKS,
    }),
    startDate: nullable(day('The day the first train begins; null until a cadence was set.')),
    timezone: nonEmpty('Zone of the IANA database that its local times are in.', 64),
    targets: list(
      'When its releases are to get where; empty until set.',
      CadenceTargetSetEntity,
      1
    ),
    skipFrozenDates: flag('Whether a train with a date in a freeze is left out.'),
    draftWeeksAhead: Type.Integer({
      description: 'Weeks before its kickoff that a release is drafted.',
      minimum: 1,
      maximum: MAX_DRAFT_WEEKS,
    }),
    undecidedFrom: nullable(
      day('The first day whose train is not drafted or left out yet; null until a cadence was set.')
    ),
    exceptions: list(
      'What was decided of single trains that are not drafted yet.',
      object('A train that does not run by the cadence.', {
        date: day('The day it begins by the cadence.'),
        skipped: flag('Whether it is left out.'),
        movedTo: nullable(
          day('The day it begins instead, between the trains before and after; null for its own.')
        ),
        releasePilotId: nullable(
          id('Id of the user who looks after it; null for the next of the rotation.')
        ),
      }),
      MAX_EXCEPTIONS
    ),
    absences: list(
      'Days on which pilots are passed over by the rotation.',
      object('Days that a pilot is away, both ends included.', {
        userId: id('Id of the user.'),
        from: day('The first day.'),
        to: day('The last day.'),
      }),
      MAX_ABSENCES
    ),
    drafts: Type.Optional(draftChanges('absent where none is concerned')),
  }
)
export type ScheduleCadenceEntity = Static<typeof ScheduleCadenceEntity>

export const ReleaseScheduleEntryEntity = entity(
  'ReleaseScheduleEntryEntity',
  'A release with its dates, drafted or still to be drafted by the cadence.',
  {
    releaseId: nullable(releaseId('Id of the release; null for one that is not drafted yet.')),
    version: nullable(
      versionText('Version, also of one that is not drafted yet; null if none is known.')
    ),
    predicted: flag('Whether it follows from the cadence alone: no record yet.'),
    trainDate: nullable(
      day('The day its train begins by the cadence, before any exception; null for none.')
    ),
    targetKickoffAt: nullable(instant('When it is to be kicked off, in UTC; null without.')),
    targetSubmitAt: nullable(instant('When it is to be submitted, in UTC; null without.')),
    targetReleaseAt: nullable(instant('When it is to go to users, in UTC; null without.')),
    pilot: nullable(
      object('Who looks after it; null for nobody.', {
        ...personMembers,
        predicted: flag('Whether that follows from the rotation alone.'),
      })
    ),
    frozenBy: list(
      'Ids of the freezes that one of its dates lies in.',
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
  'How releases would leave by a cadence that nobody has set.',
  {
    releases: list(
      'The releases, in the order of their dates.',
      ReleaseScheduleEntryEntity,
      100_000
    ),
    drafts: draftChanges('empty where none is concerned'),
  }
)
export type ScheduleOutlookEntity = Static<typeof ScheduleOutlookEntity>

export const LifecycleFreezeSetEntity = entity(
  'LifecycleFreezeSetEntity',
  'A time in which automations of some phases do not run.',
  {
    id: id('Id of the freeze; it stays while the freeze stays as it is.'),
    name: nonEmpty('What it is for.', 100),
    startAt: instant('When it begins, in UTC.'),
    endAt: instant('When it ends, in UTC; that instant is not part of it.'),
    phases: list(
      'The phases whose automations do not run.',
      words(PHASES, 'A phase.'),
      PHASES.length
    ),
    active: flag('Whether it is on now.'),
    createdAt: instant('When it was made, in UTC.'),
  }
)
export type LifecycleFreezeSetEntity = Static<typeof LifecycleFreezeSetEntity>

export const AutomationEntity = entity('AutomationEntity', 'What happens by itself.', {
  id: nonEmpty('Id of the automation, of the app or of one release of it.', 300),
  type: words(AUTOMATIONS, 'What it does, and when.'),
  name: nonEmpty('What it does, for people.', 100),
  enabled: flag('Whether it is switched on.'),
  status: words(
    AUTOMATION_STATUSES,
    'What comes of it: `inactive` cannot act here, whatever is switched on.'
  ),
  scheduled: flag('Whether it acts on a target date; else on what happens to a release.'),
  phase: nullable(words(PHASES, 'The phase whose target date it acts on; null for others.')),
  config: object('Its settings.', {
    runAfterFreeze: Type.Optional(
      flag(
        'Whether one that a freeze held back acts when the freeze ends; absent if none holds it back.'
      )
    ),
  }),
  lastRunAt: nullable(instant('When it last acted or let a date be, in UTC; null before.')),
  lastResult: nullable(words(RUN_RESULTS, 'What came of that; null before.')),
})
export type AutomationEntity = Static<typeof AutomationEntity>

export const AutomationPauseStateEntity = entity(
  'AutomationPauseStateEntity',
  'Whether automations are paused, of the app or of one release.',
  {
    paused: flag('Whether they are.'),
    pausedAt: nullable(instant('Since when, in UTC; null while they are not.')),
    pausedBy: nullable(nonEmpty('Who paused them, for people; null while they are not.', 320)),
    reason: nullable(text('Why; null without words.', 500)),
    resumeAt: nullable(instant('When they resume by themselves, in UTC; null for not.')),
  }
)
export type AutomationPauseStateEntity = Static<typeof AutomationPauseStateEntity>
