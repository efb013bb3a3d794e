import db from '@adonisjs/lucid/services/db'
import { workPlanned } from '#foundation/jobs/tests/support/work_planned'
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
 * Returns release 1.4.0, kicked off, of an app with a store in memory, custom CI and beta testing.
 * @param isUpcoming whether the release is not kicked off, and waits for the one before it
 */
export async function storeWorld(
  type: StoreType = 'apple',
  steps: readonly ReleaseStepType[] = WORKFLOW,
  { isUpcoming = false } = {}
) {
  // At a fixed time of day, a daily message is sent once, whenever the tests run.
  passToNight()
  const store = new StoreInMemory(type)
  // Replaces a plugin with the same types.
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
    /** Returns the statuses of the steps by type. */
    statuses: async () => {
      const { body } = await admin.get(`${path}/steps`)
      return Object.fromEntries(
        body.map(({ type: of, status }: { type: string; status: string }) => [of, status])
      )
    },
    target: () => world.write(async (scope) => (await storesOf(scope, appId))[0]),
    sendCiBuild: (change: object = {}) =>
      sendFile(admin, `/app/${appId}/integration/${installation}/build`, {
        data: { ...CUSTOM_BUILD, version: '1.4.0', ...change },
      }),
    /** Returns the types of the events that were sent since the last call, in order. */
    reported: sourceOf(world),
  }
}

export type StoreWorld = Awaited<ReturnType<typeof storeWorld>>

/** Returns a release that has a build and whose steps before the submission are done. */
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

/** `new Date()` without arguments follows `Date.now`, so that the whole process has one time. */
const DateOfProcess = new Proxy(Date, {
  construct: (target, args, of) =>
    Reflect.construct(target, args.length > 0 ? args : [target.now()], of),
})

/**
 * Moves the clock of the process forward, so that waits are over.
 * @returns the milliseconds that it is ahead
 */
export function passMinutes(minutes: number): number {
  passed += minutes * 60_000
  globalThis.Date = DateOfProcess
  Date.now = () => machine() + passed
  return passed
}

/**
 * Moves the clock forward to the next 1:00 in UTC unless it is just after it, so that no day ends
 * during a test.
 */
export function passToNight(): void {
  const now = new Date(Date.now())
  const minutes = (now.getUTCHours() * 60 + now.getUTCMinutes() + 23 * 60) % (24 * 60)
  if (minutes > 5) passMinutes(24 * 60 - minutes)
}

/**
 * Makes all jobs of an organization due and lets a worker carry them out, with the jobs that follow
 * at once.
 */
export async function workThrough(organizationId: string, minutes = 10): Promise<void> {
  passMinutes(minutes)
  await workPlanned(organizationId)
}

/** Removes the jobs of a test, so that the worker of the next one does not carry them out. */
export async function tidy(): Promise<void> {
  await loadTestPlugins()
  await db.from('jobs').delete()
}
