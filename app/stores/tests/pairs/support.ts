import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { StoreType } from '../../vocabulary.js'
import { StoreInMemory } from '../memory_store.js'
import { passToNight, workThrough } from '../support.js'

const required = { required: true }
const WORKFLOW: readonly ReleaseStepType[] = [
  'kickoff',
  'approvals',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]

/**
 * Returns release 1.4.0 of one app for iOS and one for Android, kicked off, each with a store in
 * memory.
 */
export async function pairWorld() {
  passToNight()
  const stores = { apple: new StoreInMemory('apple'), google: new StoreInMemory('google') }
  await loadTestPlugins({
    'paper': async () => ({ default: stores.apple.pluginAs('memory-apple') }),
    'memory-google': async () => ({ default: stores.google.pluginAs('memory-google') }),
  })
  const world = await makeWorld()
  const { admin } = world
  const providers = {} as Record<StoreType, string>
  const appOf = async (type: StoreType) => {
    const appId = await makeApp(world, {
      platform: type === 'apple' ? 'ios' : 'android',
      steps: WORKFLOW.map((each) => ({
        type: each,
        releaseTypes: { standard: required, hotfix: required },
      })),
    })
    const { id: provider } = await connect(world, `memory-${type}`)
    providers[type] = provider
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type, kind: 'appStore', provider, data: {} },
      ])
    )
    await admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.4.0/kickoff`)
    return appId
  }
  const apps = { apple: await appOf('apple'), google: await appOf('google') }
  const idOf = (type: StoreType, version = '1.4.0') => `${apps[type]}:${version}`
  const pathOf = (type: StoreType, version = '1.4.0') =>
    `/app/${apps[type]}/release/${idOf(type, version)}`
  const work = async (turns = 1) => {
    for (let turn = 0; turn < turns; turn++) await workThrough(world.organizationId)
  }
  const why = async (type: StoreType) => (await admin.get(`${pathOf(type)}/whyNotMoving`)).body
  const release = async (type: StoreType) => {
    const { status, body } = await admin.get(`/v2/app/${apps[type]}/releases/${idOf(type)}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }
  return {
    world,
    admin,
    stores,
    providers,
    apps,
    idOf,
    pathOf,
    work,
    why,
    release,
    join: (more: object = { managedPublishing: true }) =>
      admin.put(`${pathOf('apple')}/pair`, { releaseId: idOf('google'), ...more }),
    takeOff: (type: StoreType) => admin.put(`${pathOf(type)}/takeoff`),
    submit: async (type: StoreType) => {
      stores[type].upload('4711')
      await work()
      const { status } = await admin.put(`${pathOf(type)}/submit`, {})
      if (status !== 200) throw new Error(`It is not submitted: ${status}`)
      await work()
    },
    approve: async (type: StoreType) => {
      stores[type].become('pendingRelease')
      await work()
    },
    /** Returns the conditions that one of the releases shows for its pair. */
    waits: async (type: StoreType) => {
      const { release: conditions } = await why(type)
      return conditions
        .filter(({ code }: { code: string }) => code === 'pair_waits')
        .map(({ message }: { message: string }) => message)
    },
    titles: async (type: StoreType, eventType: string) => {
      const { body } = await admin.get(`${pathOf(type)}/timelineEvents?type=${eventType}`)
      return body.data.map(({ title }: { title: string }) => title)
    },
    /** Returns whether the App Store was called to release, and a person is asked to publish. */
    asked: async () => {
      const { storePlans } = await release('google')
      const [plan] = storePlans
      return {
        apple: stores.apple.changes.includes('release'),
        google: plan.inConsole?.do === 'publish',
      }
    },
  }
}

export type PairWorld = Awaited<ReturnType<typeof pairWorld>>

/** Returns a pair whose releases are joined, and approved by both stores. */
export async function approvedPair(): Promise<PairWorld> {
  const given = await pairWorld()
  await given.join()
  for (const type of ['apple', 'google'] as const) {
    await given.submit(type)
    await given.approve(type)
  }
  return given
}

/** Returns a pair whose releases are both being rolled out. */
export async function rollingPair(): Promise<PairWorld> {
  const given = await pairWorld()
  const { stores, work, join } = given
  await join()
  for (const store of [stores.apple, stores.google]) store.upload('4711')
  stores.apple.become('live', { buildNumbers: ['4711'] })
  stores.apple.rollout({ state: 'active', day: 2 })
  stores.google.become('rolledOutPartially', { buildNumbers: ['4711'] })
  stores.google.rollout({ state: 'active', fraction: 0.1 })
  await work()
  return given
}
