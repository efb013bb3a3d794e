import type { StepRunEntity } from '#releases/entities'
import { RELEASE_ID } from '#releases/examples'
import { policyFrom } from './policy/policy.js'

/** The rollout of the release on its second day. */
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
    flagChanges: [
      {
        key: 'passkey-login',
        name: 'Log in with a passkey',
        what: 'switchedOn',
        at: '2026-11-23T14:20:00.000Z',
        by: null,
      },
    ],
  },
})

/** What the app of the documents does with its rollouts. */
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
