import assert from 'node:assert/strict'
import { test } from '@japa/runner'
import {
  checkManifest,
  isProviderError,
  type AppStore,
  type PluginContext,
} from '@tarmac/plugin-kit'
import apple from '../apple.js'
import google from '../google.js'
import { VirtualClock } from '../port/virtual_clock.js'
import { closeWorld, openWorld, type Fate, type World } from '../port/world.js'
import { STARTS_AT, storeOf } from './support.js'

const SECOND = 1000
const CALM: Fate = { there: SECOND, back: SECOND }

interface Stage {
  clock: VirtualClock
  world: World
  appStore: AppStore
  store: ReturnType<typeof storeOf>
  fate: (fate: Fate) => void
  giveUp: () => void
}

async function stage(): Promise<Stage> {
  const clock = new VirtualClock(STARTS_AT)
  let fate = CALM
  const world = openWorld('test', {
    clock,
    seed: 1,
    givesUpAfter: 30 * SECOND,
    arrivesBefore: 120 * SECOND,
    fates: () => fate,
  })
  const store = storeOf('google')
  world.open('com.acme', store)
  world.accept('good')
  const waiting = new AbortController()
  const ctx = {
    connection: { world: 'test' },
    data: { bundleId: 'com.acme' },
    secret: () => 'good',
    signal: waiting.signal,
  } as unknown as PluginContext
  const { default: Capability } = await google.capabilities.appStore!()
  return {
    clock,
    world,
    store,
    appStore: new Capability(ctx),
    fate: (next) => (fate = next),
    giveUp: () => waiting.abort(),
  }
}

const INPUT = { version: '1.1.0', buildNumber: '110', phased: false, release: 'auto' } as const
const key = { idempotencyKey: 'one' }

/** Lets time pass until a call has ended. */
async function ended<Result>({ clock }: Stage, call: Promise<Result>): Promise<Result> {
  const settled = call.catch(() => {})
  await clock.advance(40 * SECOND)
  await settled
  return call
}

async function fails(staged: Stage, call: Promise<unknown>, code: string, outcome: string) {
  await assert.rejects(ended(staged, call), (error) => {
    assert.ok(isProviderError(error), String(error))
    assert.deepEqual([error.code, error.detail.outcome], [code, outcome])
    return true
  })
}

test.group('The port', (group) => {
  group.each.teardown(() => closeWorld('test'))

  test('both plugins have manifests that the service takes', () => {
    for (const { manifest } of [apple, google]) assert.deepEqual(checkManifest({ ...manifest }), [])
  })

  test('a call arrives, and its answer shows the present state', async () => {
    const staged = await stage()
    const { status } = await ended(staged, staged.appStore.prepare(INPUT, key))
    assert.deepEqual([status.state, status.lagSeconds], ['preparing', 0])
    assert.equal(status.beganAt, new Date(STARTS_AT + SECOND).toISOString())
  })

  test('a list says when it began and how old it may be', async () => {
    const staged = await stage()
    const { items } = await ended(staged, staged.appStore.listVersions({}))
    assert.deepEqual(
      items.map(({ version, status }) => [version, status.beganAt, status.lagSeconds]),
      [['1.0.0', new Date(STARTS_AT).toISOString(), 60]]
    )
  })

  test('a refusal is a ProviderError with the reason', async () => {
    const staged = await stage()
    const call = staged.appStore.submit('production/9.9.9', { ...key, onReviewInProgress: 'fail' })
    await fails(staged, call, 'notFound', 'notApplied')
  })

  test('an answer can be lost after the call was applied', async () => {
    const staged = await stage()
    staged.fate({ ...CALM, lost: 'after' })
    await fails(staged, staged.appStore.prepare(INPUT, key), 'timeout', 'unknown')
    assert.equal(staged.store.truth('1.1.0')?.state, 'preparing')
  })

  test('a call can be lost before it arrives', async () => {
    const staged = await stage()
    staged.fate({ ...CALM, lost: 'before' })
    await fails(staged, staged.appStore.prepare(INPUT, key), 'timeout', 'unknown')
    await staged.clock.advance(600 * SECOND)
    assert.equal(staged.store.truth('1.1.0'), null)
  })

  test('a call can arrive after the caller gave up, before its deadline', async () => {
    const staged = await stage()
    staged.fate({ ...CALM, lost: 'late' })
    const call = staged.appStore.prepare(INPUT, key)
    call.catch(() => {})
    await staged.clock.advance(30 * SECOND)
    await assert.rejects(call)
    assert.equal(staged.store.truth('1.1.0'), null)
    await staged.clock.advance(90 * SECOND)
    assert.equal(staged.store.truth('1.1.0')?.state, 'preparing')
  })

  test('a caller that stops waiting does not stop the call', async () => {
    const staged = await stage()
    const call = staged.appStore.prepare(INPUT, key)
    staged.giveUp()
    await assert.rejects(call, (error) => isProviderError(error) && error.code === 'timeout')
    await staged.clock.advance(2 * SECOND)
    assert.equal(staged.store.truth('1.1.0')?.state, 'preparing')
  })

  test('outages, limits and old credentials turn calls away', async () => {
    const staged = await stage()
    staged.fate({ ...CALM, turnedAway: { code: 'unavailable' } })
    await fails(staged, staged.appStore.prepare(INPUT, key), 'unavailable', 'notApplied')
    staged.fate({ ...CALM, turnedAway: { code: 'rateLimited', retryAfterMs: 5 } })
    await fails(staged, staged.appStore.prepare(INPUT, key), 'rateLimited', 'notApplied')
    staged.fate(CALM)
    staged.world.revoke('good')
    await fails(staged, staged.appStore.prepare(INPUT, key), 'unauthorized', 'notApplied')
    staged.world.accept('good')
    await ended(staged, staged.appStore.prepare(INPUT, key))
  })

  test('a change of a rollout shows the version before and after', async () => {
    const staged = await stage()
    const { appStore } = staged
    await ended(staged, appStore.prepare({ ...INPUT, fraction: 0.1 }, key))
    const more = { ...key, onReviewInProgress: 'fail' } as const
    await ended(staged, appStore.submit('production/1.1.0', more))
    await staged.clock.advance(2 * 3600 * SECOND)
    const call = appStore.setRollout('production/1.1.0', { action: 'halt' }, more)
    const { before, after } = await ended(staged, call)
    assert.deepEqual([before.rollout?.state, after.rollout?.state], ['active', 'halted'])
  })
})
