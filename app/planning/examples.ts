import { APP } from '#apps/examples'
import { ADA, GRACE } from '#organizations/examples'
import { RELEASE_ID, VERSION } from '#releases/examples'
import type {
  AutomationEntity,
  AutomationPauseStateEntity,
  LifecycleFreezeSetEntity,
  ReleaseScheduleEntryEntity,
  ScheduleCadenceEntity,
  ScheduleOutlookEntity,
} from './entities.js'

const FREEZE = 'frz_5nVq8LzP2kXd0HyRb7Tc'

export const exampleCadence: ScheduleCadenceEntity = {
  followsAppId: null,
  enabled: true,
  paused: false,
  intervalWeeks: 2,
  startDate: '2026-11-16',
  timezone: 'Europe/Berlin',
  targets: [
    {
      releaseType: 'standard',
      kickoff: { dayOffset: 0, time: '10:00' },
      submit: { dayOffset: 3, time: '09:30' },
      release: { dayOffset: 8, time: '10:00' },
    },
  ],
  skipFrozenDates: false,
  draftWeeksAhead: 4,
  undecidedFrom: '2026-12-28',
  exceptions: [
    { date: '2026-12-28', skipped: true, movedTo: null, releasePilotId: null },
    { date: '2027-01-11', skipped: false, movedTo: '2027-01-12', releasePilotId: ADA.id },
  ],
  absences: [{ userId: GRACE.id, from: '2026-12-21', to: '2027-01-03' }],
}

/** The cadence as a request sends it. */
export const exampleCadenceInput = {
  intervalWeeks: exampleCadence.intervalWeeks,
  startDate: exampleCadence.startDate,
  timezone: exampleCadence.timezone,
  targets: exampleCadence.targets,
  exceptions: [{ date: '2026-12-28', skipped: true }],
}

export const exampleFreeze: LifecycleFreezeSetEntity = {
  id: FREEZE,
  name: 'Holidays',
  startAt: '2026-12-21T00:00:00.000Z',
  endAt: '2027-01-04T00:00:00.000Z',
  phases: ['submit', 'release'],
  active: false,
  createdAt: '2026-11-02T09:00:00.000Z',
}

export const exampleFreezesInput = {
  freezes: [
    {
      name: exampleFreeze.name,
      startAt: exampleFreeze.startAt,
      endAt: exampleFreeze.endAt,
      phases: exampleFreeze.phases,
    },
  ],
}

export const exampleSchedule: ReleaseScheduleEntryEntity[] = [
  {
    releaseId: RELEASE_ID,
    version: VERSION,
    predicted: false,
    trainDate: '2026-11-16',
    targetKickoffAt: '2026-11-16T09:00:00.000Z',
    targetSubmitAt: '2026-11-19T08:30:00.000Z',
    targetReleaseAt: '2026-11-24T09:00:00.000Z',
    pilot: { ...GRACE, predicted: false },
    frozenBy: [],
    status: 'active',
  },
  {
    releaseId: null,
    version: '4.5.0',
    predicted: true,
    trainDate: '2026-12-14',
    targetKickoffAt: '2026-12-14T09:00:00.000Z',
    targetSubmitAt: '2026-12-17T08:30:00.000Z',
    targetReleaseAt: '2026-12-22T09:00:00.000Z',
    pilot: { ...ADA, predicted: true },
    frozenBy: [FREEZE],
    status: 'upcoming',
  },
]

export const exampleScheduleOutlook: ScheduleOutlookEntity = {
  releases: exampleSchedule,
  drafts: { moved: [], removed: [], kept: [] },
}

export const exampleAutomation: AutomationEntity = {
  id: `${APP.id}:kickoffOnTargetDate`,
  type: 'kickoffOnTargetDate',
  name: 'Kick off on the target date',
  enabled: true,
  status: 'enabled',
  scheduled: true,
  phase: 'kickoff',
  config: { runAfterFreeze: true },
  lastRunAt: '2026-11-16T09:00:00.220Z',
  lastResult: 'succeeded',
}

export const examplePause: AutomationPauseStateEntity = {
  paused: true,
  pausedAt: '2026-11-18T16:20:00.000Z',
  pausedBy: ADA.name,
  reason: 'Incident in the backend',
  resumeAt: '2026-11-20T08:00:00.000Z',
}
