import db from '@adonisjs/lucid/services/db'
import type { AppPlatform } from '#apps/vocabulary'
import { replaceIntegrations } from '#integrations/store_integrations'
import { makeApp } from '#tests/support/app_fixture'
import { StoreInMemory } from './memory_store.js'
import { storeWorld, type StoreWorld } from './support.js'

const STEPS = ['kickoff', 'submission', 'takeoff', 'rollout'] as const
const required = { required: true }

/** An app of the package, with helpers for its releases. */
export interface Sharing {
  appId: string
  path(version?: string): string
  kickOff(version: string): Promise<void>
  release(version?: string): Promise<any>
  titles(type: string, version?: string): Promise<string[]>
}

/**
 * Returns two apps of one package on Google Play, each with a release that is kicked off.
 * @param platform of the second app
 * @param versions of the two releases; null for none
 */
export async function sharedWorld({
  platform = 'android' as AppPlatform,
  versions = ['1.4.0', '1.4.0'] as readonly (string | null)[],
} = {}) {
  const given = await storeWorld('google', STEPS)
  const { world, admin, provider, store, work } = given
  const shared = new StoreInMemory('google')
  store.others.set('shared', shared)
  const second = await makeApp(world, {
    platform,
    steps: STEPS.map((type) => ({
      type,
      releaseTypes: { standard: required, hotfix: required },
    })),
  })
  for (const appId of [given.appId, second]) {
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type: 'google', kind: 'appStore', provider, data: { bundleId: 'shared' } },
      ])
    )
  }
  const sharing = (appId: string): Sharing => {
    const path = (version = '1.4.0') => `/app/${appId}/release/${appId}:${version}`
    return {
      appId,
      path,
      kickOff: async (version) => {
        await admin.post(`/app/${appId}/release`, { version })
        await admin.put(`${path(version)}/kickoff`)
      },
      release: async (version = '1.4.0') =>
        (await admin.get(`/v2/app/${appId}/releases/${appId}:${version}`)).body,
      titles: async (type, version) => {
        const { body } = await admin.get(`${path(version)}/timelineEvents?type=${type}`)
        return body.data.map(({ title }: { title: string }) => title)
      },
    }
  }
  const [first, other] = [sharing(given.appId), sharing(second)]
  const [one, two] = versions
  if (one !== null && one !== '1.4.0') await first.kickOff(one)
  if (two !== null) await other.kickOff(two)
  const turns = async (number: number) => {
    for (let turn = 0; turn < number; turn++) await work()
  }
  return { ...given, shared, first, other, turns }
}

/** Begins to roll out a version: 10 %, on a track. */
export function rollOut(
  store: StoreInMemory,
  version: string,
  { code = '4711', track = 'production' } = {}
): void {
  store.upload(code, version)
  store.become('rolledOutPartially', { version, track, buildNumbers: [code] })
  store.rollout({ state: 'active', fraction: 0.1 }, { name: version, track })
}

/** Returns the number of records of an organization's stores. */
export const recordsOf = async ({ world }: Pick<StoreWorld, 'world'>): Promise<number> =>
  (await db.from('store_records').where('organization_id', world.organizationId)).length
