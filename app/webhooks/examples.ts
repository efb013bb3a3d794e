const at = '2026-11-20T18:50:14.123Z'
const orgId = 'org_4fJq0VbM2wXy7TtZr9Kd'
const endpointId = 'whe_8Zk2mQv1LrYp0TdNc5Ax'

export const endpointExample = {
  id: endpointId,
  orgId,
  url: 'https://hooks.example.com/tarmac',
  description: 'Release channel',
  events: ['release.kickedOff', 'release.released'],
  appIds: null,
  platforms: ['ios'],
  headerNames: ['x-team'],
  timeoutSeconds: 15,
  maxPerSecond: null,
  asymmetric: false,
  publicKeys: [],
  status: 'active',
  disabledReason: null,
  createdAt: at,
  updatedAt: at,
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwVtR1m2p3q4c='

export const endpointWithSecretExample = { ...endpointExample, secret }

export const rotationExample = {
  id: endpointId,
  secret,
  publicKeys: [],
  keys: [
    { kind: 'v1', createdAt: at, expiresAt: null },
    { kind: 'v1', createdAt: '2026-10-01T08:00:00.000Z', expiresAt: '2026-11-21T18:50:14.123Z' },
  ],
}

export const deliveryExample = {
  id: 'whd_5Hn3xWq9BvKs7FzJt2Me',
  endpointId,
  eventId: 'evt_1Gd6uRy4PjXo8CaLw0Sb',
  eventType: 'release.kickedOff',
  sequence: 42,
  appId: 'acme-ios',
  status: 'succeeded',
  attemptCount: 1,
  nextAttemptAt: null,
  lastAttemptAt: at,
  lastStatusCode: 204,
  lastErrorClass: null,
  createdAt: at,
  finishedAt: at,
}

export const pingExample = {
  ...deliveryExample,
  eventType: 'ping',
  sequence: null,
  appId: null,
  status: 'pending',
  attemptCount: 0,
  lastAttemptAt: null,
  lastStatusCode: null,
  finishedAt: null,
}

export const deliveryDetailExample = {
  ...deliveryExample,
  attempts: [
    {
      number: 1,
      kind: 'first',
      delivered: true,
      startedAt: at,
      statusCode: 204,
      errorClass: null,
      errorMessage: null,
      answerHeaders: { date: 'Fri, 20 Nov 2026 18:50:14 GMT' },
      answerBody: '',
      remoteAddress: '93.184.215.14',
      timings: { resolved: 4, connected: 31, answered: 64, total: 65 },
    },
  ],
  payload: { id: 'evt_1Gd6uRy4PjXo8CaLw0Sb', eventType: 'release.kickedOff' },
}

export const recoveryExample = {
  id: 'whr_2Qm7cTz5NdHg1WkYb8Lp',
  endpointId,
  since: '2026-11-18T00:00:00.000Z',
  status: 'running',
  examined: 200,
  recovered: 17,
  createdAt: at,
  finishedAt: null,
}

export const statisticsExample = {
  since: '2026-11-13T18:50:14.123Z',
  deliveries: { pending: 1, succeeded: 118, failed: 0, held: 0, expired: 0 },
  attempts: 124,
  deliveredAttempts: 118,
  failuresInARow: 1,
  failingSince: at,
  lastSuccessAt: at,
  disablesAt: null,
}

/** What is sent of a kickoff whose payload is over 256 KiB. */
const thinKickoff = {
  id: 'evt_1Gd6uRy4PjXo8CaLw0Sb',
  eventType: 'release.kickedOff',
  type: 'release.kickedOff',
  createdAt: at,
  sequence: 42,
  org: { id: orgId, name: 'Acme' },
  truncated: true,
  url: 'https://tarmac.example.com/v2/app/acme-ios/releases/acme-ios:1.4.0',
  app: { id: 'acme-ios', name: 'Acme', platform: 'ios', appGroup: null },
  release: {
    id: 'acme-ios:1.4.0',
    appId: 'acme-ios',
    version: '1.4.0',
    releaseType: 'minor',
    status: 'active',
    phase: 'kickedOff',
    releasePilotId: null,
    targetKickoffAt: null,
    targetSubmitAt: null,
    targetReleaseAt: null,
    kickedOffAt: at,
    submittedAt: null,
    approvedAt: null,
    releasedAt: null,
    completedAt: null,
    skippedAt: null,
    regressionStatus: 'notStarted',
    readyToSubmit: false,
    readyToRelease: false,
    updatedAt: at,
  },
}

export const feedExample = {
  data: [thinKickoff],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}

export const eventTypesExample = [
  {
    type: 'release.kickedOff',
    summary: 'A release is kicked off',
    description: 'When kickedOffAt is set for the first time.',
    platforms: 'All',
    payload: { eventType: 'release.kickedOff' },
  },
]
