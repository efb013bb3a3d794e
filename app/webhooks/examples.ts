import { APP } from '#apps/examples'
import { exampleOfEvent } from '#foundation/api/openapi/example_of'
import { ORG } from '#organizations/examples'
import { events as releaseEvents } from '#releases/events'

/** The event in the examples: the release is kicked off. */
const { type: eventType, ...kickedOff } = releaseEvents.find(
  ({ type }) => type === 'release.kickedOff'
)!
const payload = () => exampleOfEvent({ type: eventType, ...kickedOff })
const eventId = 'evt_1Gd6uRy4PjXo8CaLw105'
const sequence = 4105

const made = '2026-10-01T08:00:00.000Z'
const at = '2026-11-16T09:00:12.480Z'
const now = '2026-11-16T09:30:00.000Z'
const endpointId = 'whe_8Zk2mQv1LrYp0TdNc5Ax'

export const endpointExample = {
  id: endpointId,
  orgId: ORG.id,
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
  createdAt: made,
  updatedAt: made,
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwVtR1m2p3q4c='

export const endpointWithSecretExample = { ...endpointExample, secret }

export const rotationExample = {
  id: endpointId,
  secret,
  publicKeys: [],
  keys: [
    { kind: 'v1', createdAt: now, expiresAt: null },
    { kind: 'v1', createdAt: made, expiresAt: '2026-11-17T09:30:00.000Z' },
  ],
}

export const deliveryExample = {
  id: 'whd_5Hn3xWq9BvKs7FzJt2Me',
  endpointId,
  eventId,
  eventType,
  sequence,
  appId: APP.id,
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
  id: 'whd_0Zr8nVc5TmEx2GyLp6Qd',
  eventId: 'evt_9Ub3hJk7WqPs1DfNz4Rt',
  createdAt: now,
  nextAttemptAt: now,
  eventType: 'release.kickedOff',
  sequence: null,
  appId: null,
  status: 'pending',
  attemptCount: 0,
  lastAttemptAt: null,
  lastStatusCode: null,
  finishedAt: null,
}

export const deliveryDetailExample = () => ({
  ...deliveryExample,
  attempts: [
    {
      number: 1,
      kind: 'first',
      delivered: true,
      startedAt: at,
      url: endpointExample.url,
      headerNames: endpointExample.headerNames,
      statusCode: 204,
      errorClass: null,
      errorMessage: null,
      answerHeaders: { date: 'Mon, 16 Nov 2026 09:00:12 GMT' },
      answerBody: '',
      remoteAddress: '93.184.215.14',
      timings: { resolved: 4, connected: 31, answered: 64, total: 65 },
    },
  ],
  payload: payload(),
})

export const recoveryExample = {
  id: 'whr_2Qm7cTz5NdHg1WkYb8Lp',
  endpointId,
  since: '2026-11-14T00:00:00.000Z',
  status: 'running',
  examined: 200,
  recovered: 17,
  createdAt: now,
  finishedAt: null,
}

export const statisticsExample = {
  since: '2026-11-09T09:30:00.000Z',
  deliveries: { pending: 1, succeeded: 118, failed: 0, held: 0, expired: 0 },
  attempts: 124,
  deliveredAttempts: 118,
  hours: [
    { startsAt: '2026-11-15T08:00:00.000Z', delivered: 109, failed: 5 },
    { startsAt: '2026-11-16T09:00:00.000Z', delivered: 9, failed: 1 },
  ],
  failuresInARow: 1,
  failingSince: '2026-11-16T09:12:31.004Z',
  lastSuccessAt: at,
  disablesAt: '2026-11-21T09:12:31.004Z',
}

export const feedExample = () => ({
  data: [payload()],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
})

export const eventTypesExample = () => [
  {
    type: eventType,
    summary: kickedOff.summary,
    description: kickedOff.description,
    platforms: kickedOff.platforms,
    payload: payload(),
  },
]
