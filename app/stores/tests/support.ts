import { setImmediate as turn } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'
import { sendFile } from '#distribution/tests/support'
import { findIntegration } from '#integrations/queries/app_integrations'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { storesOf } from '../queries/store_targets.js'
import { StoreInMemory } from './memory_store.js'
import type { StoreType } from '../vocabulary.js'

const required = { required: true }
const ALL_TYPES = { standard: required, hotfix: required }

export const WORKFLOW: readonly ReleaseStepType[] = [
  'kickoff',
  'regressionTesting',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]

/**
 * Release 1.4.0, kicked off, of an app with a store in memory, custom CI and beta testing.
 * @param isUpcoming it is not kicked off, and waits for the one before it
 */
export async function storeWorld(
  type: StoreType = 'apple',
  steps: readonly ReleaseStepType[] = WORKFLOW,
  { isUpcoming = false } = {}
) {
  // A daily message is sent once, whenever the tests run.
  passToNight()
  const store = new StoreInMemory(type)
  // In the place of a plugin that has the same types.
  await loadTestPlugins({ paper: async () => ({ default: store.plugin }) })
  const world = await makeWorld()
  const appId = await makeApp(world, {
    platform: type === 'apple' ? 'ios' : 'android',
    steps: steps.map((each) => ({ type: each, releaseTypes: ALL_TYPES })),
  })
  const { id: provider } = await connect(world, 'memory-store')
  const { id: ci } = await connect(world, 'generic-ci')
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'store', type, kind: 'appStore', provider, data: {} },
      { key: 'beta', type: `${type}-beta`, kind: 'betaTesting', provider, data: {} },
      { key: 'ci', type: 'generic-ci', kind: 'ci', provider: ci, data: {} },
    ])
  )
  const { admin, organizationId } = world
  const path = `/app/${appId}/release/${appId}:1.4.0`
  if (isUpcoming) {
    await admin.post(`/app/${appId}/release`, { version: '1.2.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.2.0/kickoff`)
  }
  await admin.post(`/app/${appId}/release`, { version: '1.4.0' })
  if (!isUpcoming) await admin.put(`${path}/kickoff`)
  const installation = await world.write(
    async (scope) => (await findIntegration(scope, appId, 'ci', 'ci'))!.id
  )
  const step = async (stepType: ReleaseStepType) => {
    const { body } = await admin.get(`${path}/steps`)
    return body.find((each: { type: string }) => each.type === stepType)
  }
  return {
    world,
    admin,
    appId,
    path,
    store,
    provider,
    step,
    run: async (stepType: ReleaseStepType) =>
      (await admin.get(`${path}/stepRun/${(await step(stepType)).stepRunId}`)).body,
    release: async (version = '1.4.0') =>
      (await admin.get(`/v2/app/${appId}/releases/${appId}:${version}`)).body,
    work: (minutes?: number) => workThrough(organizationId, minutes),
    /** The statuses of the steps of the store. */
    statuses: async () => {
      const { body } = await admin.get(`${path}/steps`)
      return Object.fromEntries(
        body.map(({ type: of, status }: { type: string; status: string }) => [of, status])
      )
    },
    target: () => world.write(async (scope) => (await storesOf(scope, appId))[0]),
    sendCiBuild: (said: object = {}) =>
      sendFile(admin, `/app/${appId}/integration/${installation}/build`, {
        data: { ...CUSTOM_BUILD, version: '1.4.0', ...said },
      }),
    /** Types of the events that were sent since the last call, in order. */
    reported: sourceOf(world),
  }
}

export type StoreWorld = Awaited<ReturnType<typeof storeWorld>>

/** All that comes before a submission is done, and a build is there. */
export async function readyWorld(type: 'apple' | 'google' = 'apple'): Promise<StoreWorld> {
  const given = await storeWorld(type)
  const { store, work, admin, path, step } = given
  store.upload('4711')
  await work()
  const { stepRunId } = await step('metadata')
  await admin.put(`${path}/stepRun/${stepRunId}/metadata`, {
    localizations: [
      { locale: 'en-US', whatsNew: 'Faster', ...(type === 'google' && { fullDescription: 'All' }) },
    ],
  })
  await admin.put(`${path}/stepRun/${stepRunId}/approval`, { approved: true })
  await given.reported()
  return given
}

function sourceOf(world: Awaited<ReturnType<typeof makeWorld>>) {
  let seen = 0
  return async (): Promise<string[]> => {
    const sent = (await world.events()).filter(({ sequence }) => sequence !== null)
    const types = sent.slice(seen).map(({ type, payload }) => {
      if (type === 'releaseStep.statusChanged') {
        const [{ type: of, status }] = payload.releaseSteps
        return `${of} ${status}`
      }
      return type
    })
    seen = sent.length
    return types
  }
}

const machine = Date.now
let passed = 0

/** `new Date()` goes by `Date.now`, so that all of this process stands in one time. */
const DateOfProcess = new Proxy(Date, {
  construct: (target, args, of) =>
    Reflect.construct(target, args.length > 0 ? args : [target.now()], of),
})

/**
 * Moves the clock of the machine on, never back: what waits for a while has waited.
 * @returns milliseconds that it is ahead by
 */
export function passMinutes(minutes: number): number {
  passed += minutes * 60_000
  globalThis.Date = DateOfProcess
  Date.now = () => machine() + passed
  return passed
}

/** Moves the clock on to the next 1:00 in UTC, if it is not about that: no day ends soon after it. */
export function passToNight(): void {
  const now = new Date(Date.now())
  const minutes = (now.getUTCHours() * 60 + now.getUTCMinutes() + 23 * 60) % (24 * 60)
  if (minutes > 5) passMinutes(24 * 60 - minutes)
}

/** All that is planned for an organization is due; a worker does it, and what follows at once. */
export async function workThrough(organizationId: string, minutes = 10): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  passMinutes(minutes)
  await db
    .from('jobs')
    .where({ organization_id: organizationId, state: 'planned' })
    .whereNull('finished_at')
    .update({ look_at: '2020-01-01T00:00:00.000Z', due_at: '2020-01-01T00:00:00.000Z' })
  // Direct writes are visible from the next turn of the event loop on.
  await turn()
  await worker.turn()
}

/** For the end of each test: what is left to do of it is not done by the worker of the next. */
export async function tidy(): Promise<void> {
  await loadTestPlugins()
  await db.from('jobs').delete()
}
