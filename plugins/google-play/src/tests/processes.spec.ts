import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { isProviderError, type PluginContext } from '@tarmac/plugin-kit'
import type { Bench } from '@tarmac/plugin-kit/testing'
import GooglePlayStore from '../capabilities/google_play.js'
import { highestCode } from '../fake/play_store.js'
import { refusal, ROLLING, stage, withNext } from './support/stage.js'

/*
 * Several processes use one account. What the plugin keeps in memory goes by the credentials as
 * they are written, so the same key with other white space stands for another process.
 */

function storeIn(bench: Bench, process: number): GooglePlayStore {
  const context = bench.context('appStore')
  const { http } = context
  return new GooglePlayStore({
    ...context,
    // Each call takes a moment, in which the other processes make theirs.
    http: {
      ...http,
      client: async (...call) => {
        await wait(1)
        return http.client(...call)
      },
    },
    secret: (name) => `${' '.repeat(process)}${String(context.secret(name))}`,
    // Waits in fact, shortened, so that others go on meanwhile.
    pause: (milliseconds) => wait(milliseconds / 100),
  } satisfies PluginContext)
}

/** Calls again after a conflict that passes, as the service does. */
async function untilDone<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const isMomentary = isProviderError(error) && error.detail.retryAfterMs !== undefined
      if (!isMomentary || attempt === 5) throw error
      await wait(30)
    }
  }
}

const INPUT = { phased: true, fraction: 0.05, release: 'manual' } as const

test.group('Google Play | several processes', () => {
  test('end each other’s edits without harm: each change is made, and each read is right', async ({
    assert,
  }) => {
    const { bench, fake, fail } = await stage(withNext(ROLLING))
    const [one, two, three] = [1, 2, 3].map((process) => storeIn(bench, process))
    let ended = 0
    for (let round = 0; round < 20; round++) {
      const code = String(100 + round)
      fake.store.library.add(Number(code))
      const fraction = (30 + round) / 100
      const before = fake.requests().length
      const [prepared, grown, listed] = await Promise.all([
        untilDone(() => one.prepare({ ...INPUT, version: `2.${round}.0`, buildNumber: code })),
        untilDone(() => two.setRollout('production/41', { fraction }, fail())),
        untilDone(() => three.listVersions({ version: '1.3.0' })),
      ])
      ended += fake
        .requests()
        .slice(before)
        .filter(({ response }) => response?.body.includes('This Edit has been deleted')).length
      assert.equal(prepared.id, `production/${code}`)
      assert.equal(grown.after.rollout?.fraction, fraction)
      assert.lengthOf(listed.items, 1)
      const released = fake.store.on('production')
      assert.exists(released.find((each) => highestCode(each) === Number(code)))
      const rolling = released.find((each) => highestCode(each) === 41)
      assert.include(rolling, { status: 'inProgress', userFraction: fraction })
    }
    assert.isAbove(ended, 0, 'No edit was in the way of another')
  })

  test('a change that edits of others end each time is refused for the moment alone', async ({
    assert,
  }) => {
    const { bench, fake } = await stage()
    fake.beforeCommit = () => fake.edits.endAll()
    const change = { ...INPUT, version: '1.3.0', buildNumber: '41' }
    const { code, detail } = await refusal(storeIn(bench, 1).prepare(change))
    assert.equal(code, 'conflict')
    assert.include(detail, { outcome: 'notApplied', retryAfterMs: 30_000 })
  })

  test('know who submits changes for review once one has learnt it, also after a restart', async ({
    assert,
  }) => {
    const { bench, fake, callsOf } = await stage()
    const commitsOf = async (process: number, inAppUpdatePriority: 1 | 2 | 3 | 4) => {
      const change = { ...INPUT, version: '1.3.0', buildNumber: '41', inAppUpdatePriority }
      const calls = await callsOf(() => storeIn(bench, process).prepare(change))
      return calls.filter((each) => each.endsWith(':commit')).length
    }
    fake.store.isSentByHand = true
    assert.deepEqual([await commitsOf(1, 1), await commitsOf(2, 2)], [2, 1])
    fake.store.isSentByHand = false
    assert.deepEqual([await commitsOf(2, 3), await commitsOf(3, 4)], [2, 1])
  })
})
