import type { StepRunEntity } from '#releases/entities'
import { RELEASE_ID, VERSION } from '#releases/examples'
import type { RolloutOutlookEntity } from './outlook_entity.js'
import { policyFrom } from './policy/policy.js'
import type { RolloutEntity } from './rollout_entity.js'

/** Flags that changed during the example rollout. */
const FLAG_CHANGES: RolloutEntity['flagChanges'] = [
  {
    key: 'passkey-login',
    name: 'Log in with a passkey',
    what: 'switchedOn',
    at: '2026-11-23T14:20:00.000Z',
    by: null,
  },
]

/** Returns the rollout run of the release on its second day. */
export const exampleRolloutRun = (): StepRunEntity => ({
  id: 'run_3aQv6MwT1hXc8LrEo5Zk',
  stepId: 'step_9dUb4KsR7fNy2GpJi6Hx',
  stepConfigId: 'sc_5oCm1PzW8kEt3VqAl7Ds',
  releaseId: RELEASE_ID,
  type: 'rollout',
  status: 'inProgress',
  attempt: 1,
  startedAt: '2026-11-23T09:00:00.000Z',
  completedAt: null,
  data: {
    phased: {
      enabled: true,
      status: 'active',
      percentage: 2,
      day: 2,
      startedAt: '2026-11-23T09:00:00.000Z',
      automated: false,
    },
    adoption: null,
    health: [],
    flagChanges: FLAG_CHANGES,
  },
})

/** The example policy of the documentation. */
export const examplePolicyInput = {
  policy: {
    ladder: [
      { percentage: 5, hours: 24 },
      { percentage: 20, hours: 24 },
      { percentage: 100, hours: 0 },
    ],
    timezone: 'Europe/Berlin',
    officeHours: { from: '09:00', to: '17:00' },
    weekdays: [1, 2, 3, 4],
    quietDays: ['2026-12-24'],
    finishWithinDays: 10,
    guard: {
      metrics: [
        { name: 'crashFreeSessions', source: 'events' as const, total: 'sessions', bad: 'crashes' },
      ],
    },
  },
}

export const examplePolicy = {
  destinationId: null,
  policy: policyFrom(examplePolicyInput.policy),
}

/** The outlook by the example policy, for an app whose traffic is unknown. */
export const exampleOutlook: RolloutOutlookEntity = {
  policy: examplePolicy.policy,
  isApple: false,
  startsAt: '2026-11-23T08:00:00.000Z',
  rungs: [
    { percentage: 5, hours: 24, expectedAt: '2026-11-23T08:00:00.000Z', because: 'policy' },
    { percentage: 20, hours: 24, expectedAt: '2026-11-24T08:00:00.000Z', because: 'policy' },
    { percentage: 100, hours: 0, expectedAt: '2026-11-25T08:00:00.000Z', because: 'policy' },
  ],
  closed: [],
  metrics: [
    {
      name: 'crashFreeSessions',
      unit: 'sessions',
      knownDays: 0,
      daily: null,
      harmedAtMost: null,
      rungs: [],
    },
  ],
}

const person = { type: 'user' as const, id: 'user_8mTq2YcKw5Vz1HnRb4Xe', name: 'Ada Lovelace' }

/** Returns the same rollout in its store. */
export const exampleRollout = (): RolloutEntity => ({
  releaseId: RELEASE_ID,
  version: VERSION,
  status: 'active',
  stores: [
    {
      destinationId: null,
      integrationInstallationId: 'int_6sRv0FmK9tYd3HuCw7Lb',
      storeType: 'apple',
      phased: {
        enabled: true,
        status: 'active',
        percentage: 2,
        day: 2,
        startedAt: '2026-11-23T09:00:00.000Z',
        automated: false,
      },
      adoption: { percentage: 1.6, at: '2026-11-24T10:00:00.000Z' },
      decided: {
        generation: 3,
        stage: {
          what: 'released',
          generation: 3,
          by: person,
          at: '2026-11-23T08:58:12.000Z',
          status: 'done',
          reason: null,
        },
        rollout: null,
        share: null,
        isStopped: false,
      },
      asked: [
        {
          method: 'release',
          what: `Release ${VERSION} to users`,
          generation: 3,
          attempt: 1,
          isUrgent: false,
          beganAt: '2026-11-23T08:58:12.400Z',
          deadline: '2026-11-23T08:59:12.400Z',
          endedAt: '2026-11-23T08:58:13.100Z',
          outcome: 'applied',
          reason: null,
          retryAt: null,
          mayArriveUntil: null,
        },
      ],
      observed: {
        state: 'rolledOutPartially',
        raw: 'READY_FOR_DISTRIBUTION',
        beganAt: '2026-11-24T10:05:00.000Z',
        lagSeconds: 0,
        isAnswer: false,
        isCurrent: true,
        rollout: { state: 'active', percentage: 2, day: 2, pausedDays: 0 },
      },
      polled: { at: '2026-11-24T10:05:00.000Z', failure: null },
      stopped: null,
      whyNotStoppable: null,
      health: [],
      command: null,
      resume: null,
      pauseDaysLeft: 30,
      reached: [
        { at: '2026-11-23T09:05:00.000Z', state: 'active', percentage: 1 },
        { at: '2026-11-24T09:04:00.000Z', state: 'active', percentage: 2 },
      ],
      ladder: [
        {
          percentage: 2,
          hours: 24,
          reachedAt: '2026-11-24T09:04:00.000Z',
          expectedAt: null,
        },
        {
          percentage: 5,
          hours: 24,
          reachedAt: null,
          expectedAt: '2026-11-25T09:00:00.000Z',
        },
      ],
      forecast: {
        moves: [{ at: '2026-11-25T09:00:00.000Z', what: 'grow', percentage: 5, because: 'rung' }],
        completeAt: null,
        closed: [],
      },
      looks: [
        {
          metric: 'crashFreeSessions',
          looks: [
            {
              at: '2026-11-24T10:00:00.000Z',
              percentage: 2,
              verdict: 'healthy',
              value: 99.81,
              previousValue: 99.79,
              threshold: 99.29,
              sample: { total: 41_200, bad: 78 },
            },
          ],
        },
      ],
      next: [
        {
          at: '2026-11-25T09:00:00.000Z',
          what: 'rolloutStage',
          percentage: 5,
          message: `The App Store offers ${VERSION} to 5 % of users.`,
        },
      ],
    },
  ],
  flagChanges: FLAG_CHANGES,
  history: [
    {
      id: 'evt_4wNc7DjR1pQs8KbTz5Mv',
      type: 'appStoreVersion.phasedReleaseUpdated',
      title: `The rollout of ${VERSION} is ACTIVE at 2 %`,
      occurredAt: '2026-11-24T09:04:00.000Z',
      actor: { type: 'system', id: null, name: 'app store' },
    },
  ],
})
