import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { AppStore } from '../../capabilities/stores.js'
import { isSameVersion } from '../../version_names.js'
import { failsWith } from '../expecting.js'
import { build, found, given, IN_REVIEW, inStore, scenarioOf, storeOf } from './app_store_given.js'
import { rolloutRules } from './app_store_rollouts.js'
import type { KindSuite } from './suite.js'

const INPUT = {
  version: '1.3.0',
  buildNumber: '41',
  phased: true,
  release: 'manual',
} as const

/** Returns a store whose uploads leave out the last zero of 1.3.0. */
const withoutZero = ({ appStore: store }: ReturnType<typeof scenarioOf>) => ({
  appStore: {
    ...store,
    builds: [build('B40', '40', '1.2.3'), build('B41', '41', '1.3')],
  },
})

const stateOf = async (capability: AppStore) => (await found(capability)).status.state

/** Versions of an app, from their texts to the complete rollout. */
export const appStore: KindSuite<'appStore'> = {
  kind: 'appStore',
  scenario: () => scenarioOf(),
  read: (capability) => capability.listVersions({}),
  list: {
    scenario: (count) => {
      const builds = Array.from({ length: count }, (_, index) =>
        build(`B${index}`, `${1000 + index}`, '1.3.0')
      )
      return { appStore: { ...scenarioOf().appStore, builds } }
    },
    page: (capability, cursor) => capability.listBuilds({ version: '1.3.0' }, cursor),
    idOf: (item) => (item as { number: string }).number,
  },
  change: {
    run: (capability, mutation) => capability.prepare(INPUT, mutation),
    effects: (state) =>
      state.appStore?.versions.filter(({ version }) => version === '1.3.0').length ?? 0,
  },
  strange: {
    scenario: (state) => scenarioOf({ state }),
    observe: async (capability) => (await found(capability)).status,
  },
  tour: (capability, mutation) => [
    () => capability.listVersions({ version: '1.2.3' }),
    () => capability.listBuilds({ version: '1.3.0' }),
    () => capability.prepare(INPUT, mutation()),
    () => capability.getMetadata('2'),
    () => capability.setMetadata('2', [{ locale: 'en-US', whatsNew: 'New' }], mutation()),
    () => capability.submit('2', { ...mutation(), onReviewInProgress: 'fail' }),
    () => capability.cancelReview('2', mutation()),
    () => capability.release?.('2', mutation()),
    () =>
      capability.setRollout(
        '2',
        { action: 'pause' },
        { ...mutation(), onReviewInProgress: 'replace' }
      ),
    () => capability.listReviews({}),
    () => capability.replyToReview?.('R1', 'Thank you', mutation()),
    () => capability.listReviewFiles?.('2'),
  ],
  rules: [
    {
      id: 'C1',
      title: 'states are ours, whatever the store calls them',
      async run(bench, capability) {
        for (const state of ['preparing', 'inReview', 'rejected', 'pendingRelease', 'live']) {
          const fraction = state === 'live' ? 1 : null
          const { status } = await given(bench, capability, { state, fraction })
          assert.equal(status.state, state)
        }
      },
    },
    {
      id: 'C24',
      title: 'what was rejected says why, or nothing; no other version does',
      async run(bench, capability) {
        for (const state of ['preparing', 'inReview', 'rejected', 'pendingRelease', 'live']) {
          const fraction = state === 'live' ? 1 : null
          const { rejection } = await given(bench, capability, { state, fraction })
          if (rejection === undefined) continue
          assert.equal(state, 'rejected', `${state} is no rejection`)
          assert.notEqual(rejection.reason.trim(), '')
        }
      },
    },
    {
      id: 'C2',
      title: 'a version is prepared with its build, once however often it is asked for',
      async run(bench, capability) {
        await capability.prepare(INPUT, bench.mutation())
        const { version } = await capability.prepare(INPUT, bench.mutation())
        assert.equal(version, '1.3.0')
        const created = storeOf(bench).versions.filter((each) => each.version === '1.3.0')
        assert.deepEqual(
          created.map(({ buildNumber }) => buildNumber),
          ['41']
        )
      },
    },
    {
      id: 'C3',
      title: 'a build that the store does not have is refused, and no version is left behind',
      async run(bench, capability) {
        const call = capability.prepare({ ...INPUT, buildNumber: '404' }, bench.mutation())
        await failsWith(call, 'notFound', 'invalid', 'preconditionFailed')
        assert.equal(inStore(bench), undefined)
      },
    },
    {
      id: 'C4',
      title: 'texts of a locale are replaced, those of others stay',
      async run(bench, capability) {
        const { id } = await given(bench, capability, {})
        const entries = [{ locale: 'en-US', whatsNew: 'New ✓' }]
        await capability.setMetadata(id, entries, bench.mutation())
        const texts = (await capability.getMetadata(id)).map((each) => [each.locale, each.whatsNew])
        const expected = [
          ['de-DE', 'Alt'],
          ['en-US', 'New ✓'],
        ]
        assert.deepEqual(texts.sort(), expected)
        const kept = storeOf(bench).metadata.map(({ locale, whatsNew }) => [locale, whatsNew])
        assert.deepEqual(kept.sort(), expected)
      },
    },
    {
      id: 'C5',
      title: 'what is submitted waits for its review, or is in it',
      async run(bench, capability) {
        const { id } = await given(bench, capability, {})
        await capability.submit(id, { ...bench.mutation(), onReviewInProgress: 'fail' })
        const state = await stateOf(capability)
        assert.ok(IN_REVIEW.includes(state), `It is ${state}`)
        assert.ok(IN_REVIEW.includes(inStore(bench)!.state), 'The store has not got it')
      },
    },
    {
      id: 'C6',
      title: 'what is in review is not submitted again, unless it is to be replaced',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'inReview' })
        const more = { ...bench.mutation(), onReviewInProgress: 'fail' } as const
        await failsWith(capability.submit(id, more), 'conflict', 'preconditionFailed')
        assert.equal(await stateOf(capability), 'inReview')
      },
    },
    {
      id: 'C7',
      title: 'a review in progress is replaced where that is asked for',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'inReview' })
        await capability.submit(id, { ...bench.mutation(), onReviewInProgress: 'replace' })
        assert.ok(IN_REVIEW.includes(await stateOf(capability)))
      },
    },
    {
      id: 'C8',
      title: 'a review that was cancelled is over, and its texts can be changed',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'inReview' })
        const { status } = await capability.cancelReview(id, bench.mutation())
        assert.ok(!IN_REVIEW.includes(status.state), `It is ${status.state}`)
        assert.ok(!IN_REVIEW.includes(inStore(bench)!.state), 'The store still has it')
        await capability.setMetadata(id, [{ locale: 'en-US', whatsNew: 'New' }], bench.mutation())
      },
    },
    {
      id: 'C9',
      title: 'where there is no review none is cancelled, and that is reported',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'preparing' })
        const call = capability.cancelReview(id, bench.mutation())
        await failsWith(call, 'conflict', 'preconditionFailed', 'invalid')
        assert.equal(inStore(bench)?.state, 'preparing')
      },
    },
    {
      id: 'C10',
      title: 'what is approved and released comes to users',
      feature: 'release',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'pendingRelease' })
        const { status } = await capability.release!(id, bench.mutation())
        const isOut = ['live', 'rolledOutPartially', 'processing'].includes(status.state)
        assert.ok(isOut, `It is ${status.state}`)
        assert.notEqual(inStore(bench)?.state, 'pendingRelease')
      },
    },
    {
      id: 'C11',
      title: 'what is not approved is not released',
      feature: 'release',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'inReview' })
        const call = capability.release!(id, bench.mutation())
        await failsWith(call, 'conflict', 'preconditionFailed', 'invalid')
        assert.equal(inStore(bench)?.state, 'inReview')
      },
    },
    ...rolloutRules,
    {
      id: 'C15',
      title: 'builds are those of the version alone',
      async run(_bench, capability) {
        const { items } = await capability.listBuilds({ version: '1.3.0' })
        const reported = items.map(({ number, version, status }) => [number, version, status.state])
        assert.deepEqual(reported, [['41', '1.3.0', 'ready']])
      },
    },
    {
      id: 'C25',
      title: 'a version is found by all its numbers, though the store leaves out a last zero',
      async run(bench, capability) {
        bench.seed(withoutZero(scenarioOf({ version: '1.3' })))
        for (const list of ['listVersions', 'listBuilds'] as const) {
          const { items } = await capability[list]({ version: '1.3.0' })
          const names = items.map(({ version }) => version)
          assert.ok(names.includes('1.3'), `${list} answers ${names.join(', ') || 'nothing'}`)
        }
      },
    },
    {
      id: 'C26',
      title: 'a version is prepared with its build, though both leave out a last zero',
      async run(bench, capability) {
        for (const next of [null, { version: '1.3' }]) {
          bench.seed(withoutZero(scenarioOf(next)))
          await capability.prepare(INPUT, bench.mutation())
          const named = storeOf(bench).versions.filter((each) => isSameVersion(each.version, '1.3'))
          assert.deepEqual(
            named.map(({ buildNumber }) => buildNumber),
            ['41']
          )
        }
      },
    },
    {
      id: 'C16',
      title: 'reviews of users are found by their stars',
      async run(_bench, capability) {
        const { items } = await capability.listReviews({ maxRating: 2 })
        assert.deepEqual(
          items.map(({ id, rating, text }) => [id, rating, text]),
          [['R2', 1, 'It crashes']]
        )
      },
    },
    {
      id: 'C17',
      title: 'an answer stands at the review it is for',
      feature: 'replyToReview',
      async run(bench, capability) {
        await capability.replyToReview!('R2', 'We are on it ✓', bench.mutation())
        const replies = storeOf(bench).reviews.map(({ id, reply }) => [id, reply])
        const expected = [
          ['R1', null],
          ['R2', 'We are on it ✓'],
        ]
        assert.deepEqual(replies.sort(), expected)
      },
    },
    {
      id: 'C18',
      title: 'a file for whoever reviews a version is there whole, under its name',
      feature: 'addReviewFile',
      async run(bench, capability) {
        const { id } = await given(bench, capability, { state: 'preparing' })
        const bytes = new TextEncoder().encode('Log in as demo ✓')
        const file = {
          name: 'log in.txt',
          contentType: 'text/plain',
          size: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          read: async (from: number, length: number) => bytes.slice(from, from + length),
        }
        assert.deepEqual(await capability.listReviewFiles!(id), [])
        await capability.addReviewFile!(id, file, bench.mutation())
        const reported = await capability.listReviewFiles!(id)
        assert.deepEqual(
          reported.map(({ name, size }) => [name, size]),
          [[file.name, file.size]]
        )
        const { reviewFiles } = storeOf(bench)
        assert.deepEqual(reviewFiles, [{ versionId: id, name: file.name, size: file.size }])
      },
    },
  ],
}
