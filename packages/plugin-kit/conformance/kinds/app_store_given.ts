import assert from 'node:assert/strict'
import type { AppStore, StoreVersion } from '../../capabilities/stores.js'
import type { AppStoreScenario } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'

/*
 * The initial content of a store for the rules of its kind, and helpers to read it.
 */

type Version = AppStoreScenario['versions'][number]

const NEXT: Version = {
  id: '2',
  version: '1.3.0',
  buildNumber: '41',
  state: 'preparing',
  fraction: null,
  rollout: 'inactive',
}
const BEFORE: Version = {
  id: '1',
  version: '1.2.3',
  buildNumber: '40',
  state: 'live',
  fraction: 1,
  rollout: 'complete',
}
export const build = (id: string, number: string, version: string) => ({
  id,
  number,
  version,
  uploadedAt: '2026-11-19T12:00:00.000Z',
  state: 'ready',
})

/**
 * Returns a store in which 1.2.3 is live by default, and 1.3.0 is absent (null) or as a rule needs
 * it.
 */
export const scenarioOf = (
  next: Partial<Version> | null = null,
  before: Partial<Version> = {}
): { appStore: AppStoreScenario } => ({
  appStore: {
    builds: [build('B40', '40', '1.2.3'), build('B41', '41', '1.3.0')],
    versions: [{ ...BEFORE, ...before }, ...(next ? [{ ...NEXT, ...next }] : [])],
    metadata: next
      ? [
          { versionId: '2', locale: 'en-US', whatsNew: 'Old' },
          { versionId: '2', locale: 'de-DE', whatsNew: 'Alt' },
        ]
      : [],
    reviews: [
      { id: 'R1', rating: 5, text: 'Great ✓', at: '2026-11-19T10:00:00.000Z', reply: null },
      { id: 'R2', rating: 1, text: 'It crashes', at: '2026-11-19T11:00:00.000Z', reply: null },
    ],
  },
})

export const storeOf = ({ fake }: Pick<Bench, 'fake'>) => fake.state().appStore!
export const inStore = (bench: Bench, version = '1.3.0') =>
  storeOf(bench).versions.find((each) => each.version === version)
export const IN_REVIEW = ['inReview', 'waitingForReview']

/** Seeds version 1.3.0 with some members, and returns it as the plugin reports it. */
export async function given(bench: Bench, capability: AppStore, next: Partial<Version>) {
  bench.seed(scenarioOf(next))
  return found(capability)
}

export async function found(capability: AppStore, name = '1.3.0'): Promise<StoreVersion> {
  const { items } = await capability.listVersions({ version: name })
  const version = items.find((each) => each.version === name)
  assert.ok(version, `Version ${name} is not there`)
  return version
}

/** A version that is rolled out to some users. */
export const ROLLING = { state: 'rolledOutPartially', fraction: 0.05, rollout: 'active' } as const
