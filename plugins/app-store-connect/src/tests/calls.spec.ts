import { test } from '@japa/runner'
import type { AppStore, BetaTesting, Mutation } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import type { AppStoreConnectFake } from '../fake/app_store_connect_fake.js'
import plugin from '../plugin.js'
import { credentials, data, makeFake } from './support/keys.js'
import { INPUT, scenarioWith } from './support/stage.js'

/*
 * The requests of each method, as docs/how-to/connect/app-store-connect.md lists them.
 */

type Next = Parameters<typeof scenarioWith>[0]

const bytes = new Uint8Array(25)
const file = {
  name: 'demo.txt',
  contentType: 'text/plain',
  size: bytes.length,
  sha256: '',
  read: async (from: number, length: number) => bytes.slice(from, from + length),
}

const ROLLING = { state: 'rolledOutPartially', fraction: 0.05, rollout: 'active' } as const

const CALLS: readonly {
  what: string
  next?: Next
  calls: number
  run: (at: { store: AppStore; beta: BetaTesting; key: Mutation }) => Promise<unknown>
}[] = [
  { what: 'listVersions', calls: 1, run: ({ store }) => store.listVersions({}) },
  {
    what: 'listVersions beside a review',
    next: { state: 'inReview' },
    calls: 2,
    run: ({ store }) => store.listVersions({}),
  },
  { what: 'listBuilds', calls: 1, run: ({ store }) => store.listBuilds({}) },
  { what: 'listBuilds of testers', calls: 1, run: ({ beta }) => beta.listBuilds({}) },
  { what: 'listGroups', calls: 1, run: ({ beta }) => beta.listGroups() },
  { what: 'listReviews', calls: 1, run: ({ store }) => store.listReviews({}) },
  {
    what: 'prepare',
    calls: 3,
    run: ({ store, key }) => store.prepare({ ...INPUT, phased: false }, key),
  },
  { what: 'prepare in phases', calls: 4, run: ({ store, key }) => store.prepare(INPUT, key) },
  { what: 'getMetadata', next: {}, calls: 2, run: ({ store }) => store.getMetadata('v2') },
  {
    what: 'setMetadata of two languages',
    next: {},
    calls: 4,
    run: ({ store, key }) =>
      store.setMetadata(
        'v2',
        ['en-US', 'de-DE'].map((locale) => ({ locale, whatsNew: 'New' })),
        key
      ),
  },
  {
    what: 'submit',
    next: {},
    calls: 5,
    run: ({ store, key }) => store.submit('v2', { ...key, onReviewInProgress: 'fail' }),
  },
  {
    what: 'submit in place of a review that ends in four seconds',
    next: { state: 'inReview' },
    // Two reads and the cancellation; two polls; two more reads and the submission.
    calls: 10,
    run: ({ store, key }) => store.submit('v2', { ...key, onReviewInProgress: 'replace' }),
  },
  {
    what: 'cancelReview that ends in four seconds',
    next: { state: 'inReview' },
    calls: 5,
    run: ({ store, key }) => store.cancelReview('v2', key),
  },
  {
    what: 'release',
    next: { state: 'pendingRelease' },
    calls: 2,
    run: ({ store, key }) => store.release!('v2', key),
  },
  {
    what: 'setRollout',
    next: ROLLING,
    calls: 2,
    run: ({ store, key }) =>
      store.setRollout('v2', { action: 'pause' }, { ...key, onReviewInProgress: 'replace' }),
  },
  {
    what: 'replyToReview',
    calls: 2,
    run: ({ store, key }) => store.replyToReview!('r1', 'Hi', key),
  },
  {
    what: 'addReviewFile of three parts, the first of its version',
    next: {},
    calls: 7,
    run: ({ store, key }) => store.addReviewFile!('v2', file, key),
  },
  { what: 'listReviewFiles', next: {}, calls: 1, run: ({ store }) => store.listReviewFiles!('v2') },
  {
    what: 'setNotes of two languages',
    calls: 3,
    run: ({ beta, key }) =>
      beta.setNotes(
        'b41',
        ['en-US', 'de-DE'].map((locale) => ({ locale, text: 'New' })),
        key
      ),
  },
  { what: 'distribute', calls: 4, run: ({ beta, key }) => beta.distribute('b41', ['g1'], key) },
  {
    what: 'distribute with a beta review',
    calls: 6,
    run: ({ beta, key }) => beta.distribute('b41', ['g1', 'g2'], key),
  },
]

async function countOf({ next = null, run }: (typeof CALLS)[number], isNamed: boolean) {
  const more = isNamed ? { 'x-apple-id': '1234567890' } : {}
  const bench = new Bench({
    plugin,
    fake: makeFake,
    credentials,
    data: {
      appStore: { ...data.appStore, ...more },
      betaTesting: { ...data.betaTesting, ...more },
    },
  })
  const fake = bench.fake as AppStoreConnectFake
  bench.seed(scenarioWith(next))
  fake.world.settings.appearingMs = 0
  fake.world.reviews = [
    { id: 'r1', rating: 5, text: 'Great', at: '2026-11-19T10:00:00.000Z', reply: null },
  ]
  const store = await bench.capability('appStore')
  const beta = await bench.capability('betaTesting')
  await run({ store, beta, key: bench.mutation() })
  return fake.requests().length
}

test.group('App Store Connect | requests', () => {
  for (const each of CALLS) {
    test(`${each.what} takes ${each.calls}`, async ({ assert }) => {
      assert.equal(await countOf(each, true), each.calls)
      const unnamed = await countOf(each, false)
      assert.isAtMost(unnamed, each.calls + 1)
    })
  }
})
