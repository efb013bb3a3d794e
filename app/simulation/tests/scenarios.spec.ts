import { test } from '@japa/runner'
import fc from 'fast-check'
import { DAY, HOUR } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import { issuesIn, usesIn } from '../world/audience.js'
import { fromBox, namesInBox } from '../scenarios/box.js'
import { readScenario } from '../scenarios/read_scenario.js'
import { worldOf, type Scenario } from '../scenarios/scenario.js'
import { playTrain, WorldClient } from './support/train.js'
import { runs } from '#tests/support/effort'

const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')

const read = (text: string) => readScenario(Buffer.from(text))
const boxed = async (name: string): Promise<Scenario> => readScenario((await fromBox(name))!)
const play = async (name: string, days = 14) =>
  playTrain(worldOf(await boxed(name), 'seed', BEGIN), BEGIN, days)
const problemsOf = (text: string) =>
  read(text).then(
    () => [],
    (error) => {
      if (!(error instanceof Problem)) throw error
      const { errors } = error.extras as { errors: any[] }
      return errors.map(({ line, column, path, code }) => `${line}:${column} ${path} ${code}`)
    }
  )

/**
 * The messages that a team sees in each bundled scenario, in this order; other messages may come
 * between.
 */
const SEEN: Readonly<Record<string, readonly RegExp[]>> = {
  'happy-train': [
    /CI run 1 succeeded/,
    /App Store WAITING_FOR_REVIEW/,
    /Google Play PUBLISHED inProgress/,
    /App Store PENDING_DEVELOPER_RELEASE/,
    /App Store READY_FOR_DISTRIBUTION 1 %/,
    /App Store READY_FOR_DISTRIBUTION 100 %/,
  ],
  'failed-build': [/CI run 1 failed/, /CI run 2 succeeded/, /App Store WAITING_FOR_REVIEW/],
  'rejected': [
    /Google Play NOT_APPROVED/,
    /App Store REJECTED/,
    /App Store WAITING_FOR_REVIEW/,
    /App Store PENDING_DEVELOPER_RELEASE/,
  ],
  'metadata-rejected': [/App Store METADATA_REJECTED/, /App Store PENDING_DEVELOPER_RELEASE/],
  'processing-stuck': [
    /build 1 PROCESSING/,
    /CI run 2 succeeded/,
    /build 2 VALID/,
    /App Store WAITING_FOR_REVIEW/,
  ],
  'crash-spike': [/READY_FOR_DISTRIBUTION 5 %/],
  'store-outage': [
    /2h CI 503/,
    /24h App Store 503/,
    /24h Google Play 503/,
    /30h App Store 429/,
    /31h App Store (?!503|429)/,
  ],
  'console': [
    /App Store IN_REVIEW/,
    /App Store DEVELOPER_REJECTED/,
    /App Store PROCESSING_FOR_DISTRIBUTION/,
  ],
  'credentials-revoked': [/24h App Store 401/, /48h App Store (?!401)/],
  'everything-at-once': [
    /CI run 1 failed/,
    /App Store 503/,
    /App Store METADATA_REJECTED/,
    /Google Play 401/,
    /App Store REJECTED/,
    /phased release paused/,
    /App Store 401/,
  ],
}

test.group('Scenarios', () => {
  test('each in the box plays as it describes', async ({ assert }) => {
    assert.sameMembers(await namesInBox(), Object.keys(SEEN))
    assert.lengthOf(await namesInBox(), 10)
    for (const [name, expected] of Object.entries(SEEN)) {
      const { seen, client } = await play(name, 20)
      let from = 0
      for (const pattern of expected) {
        const at = seen.findIndex((each, index) => index >= from && pattern.test(each))
        assert.isAtLeast(at, 0, `${name}: ${pattern} is not in\n${seen.join('\n')}`)
        from = at + 1
      }
      const failures = [...client.statuses].filter((status) => status >= 500)
      assert.deepEqual(failures, seen.some((each) => / 503/.test(each)) ? [503] : [])
    }
  })

  test('the same seed and the same actions give the same world, byte for byte', async ({
    assert,
  }) => {
    for (const name of ['console', 'everything-at-once']) {
      const [one, other] = [await play(name), await play(name)]
      assert.deepEqual(one.seen, other.seen)
      assert.equal(JSON.stringify(one.client.world), JSON.stringify(other.client.world))
    }
    const scenario = { ...(await boxed('everything-at-once')), seed: null }
    const by = async (seed: string) =>
      JSON.stringify((await playTrain(worldOf(scenario, seed, BEGIN), BEGIN, 3)).client.world)
    assert.notEqual(await by('one'), await by('another'))
  })

  test('a spike begins at the share of users that it names', async ({ assert }) => {
    const { client } = await play('crash-spike')
    const span = { from: BEGIN, to: client.now, version: '4.2.0' }
    const uses = usesIn(client.world, client.now, span)
    assert.isTrue(uses.every(({ offered, spike }) => (spike !== null) === offered >= 0.05))
    const titles = issuesIn(client.world, client.now, span).map(({ title }) => title)
    assert.include(titles, 'Fatal signal in Checkout')
  })

  test('crash monitoring with a lag reports only the time before', async ({ assert }) => {
    const scenario = await read('name: Late\ncrashes: {lag: 30h}')
    assert.deepEqual(scenario.crashes, { lagMs: 30 * HOUR })
    const boxedSpike = await boxed('crash-spike')
    const world = worldOf({ ...boxedSpike, crashes: scenario.crashes }, 's', BEGIN)
    const { client } = await playTrain(world, BEGIN, 14)
    const healthIn = (from: number, to: number) => {
      const [begin, end] = [from, to].map((at) => new Date(at).toISOString())
      return client.ask('GET', `crashes/health?version=4.2.0&from=${begin}&to=${end}`)
    }
    const reaches = client.now - 30 * HOUR
    const all = await healthIn(BEGIN, client.now)
    const before = await healthIn(BEGIN, reaches)
    assert.isAbove(before.sessions, 0)
    assert.equal(all.sessions, before.sessions)
    assert.equal((await healthIn(reaches, client.now)).sessions, 0)
  })

  test('actions in a console are reported, with refusals of the store', async ({ assert }) => {
    const { client } = await play('console')
    const reported = client.world.done.map(
      ({ store, deed: action, refused }) => `${store} ${action} ${refused}`
    )
    assert.includeMembers(reported, [
      'apple cancelsReview null',
      'apple releases null',
      'google opensEdit null',
      'google halts null',
    ])
    assert.isEmpty(client.world.planned)
  })

  test('a deed is done at its time, however late the world is read', async ({ assert }) => {
    const scenario = await read(
      [
        'name: Late',
        'moments:',
        '  - {what: console, store: appStore, deed: releases, at: 2h}',
        '  - {what: console, store: appStore, deed: pauses, at: 1h}',
      ].join('\n')
    )
    const at = async (hours: number) => {
      const client = new WorldClient(worldOf(scenario, 's', BEGIN), BEGIN)
      await client.ask('POST', 'apple/a.b/versions', { version: '1.0.0' })
      client.now = BEGIN + hours * HOUR
      await client.ask('GET', 'me')
      return client.world.done
    }
    assert.deepEqual(await at(0.5), [])
    const expected = [
      { at: BEGIN + HOUR, store: 'apple', deed: 'pauses', refused: 'notPhased' },
      { at: BEGIN + 2 * HOUR, store: 'apple', deed: 'releases', refused: 'notApproved' },
    ]
    assert.deepEqual(await at(3), expected as never)
    assert.deepEqual(await at(300), expected as never)
  })

  test('all errors of a file are reported, with line and column', async ({ assert }) => {
    assert.deepEqual(
      await problemsOf(
        [
          'nam: A typo',
          'ci:',
          '  failing: 120',
          '  queue: soon',
          '  endings: [lost]',
          'appStore:',
          '  verdicts: approved',
          'moments:',
          '  - {what: crashes, store: appStore}',
          '  - {what: console, store: appStore, deed: halts, at: 1d, when: IN_REVIEW}',
          '  - at: 1d',
          '  - {what: outage, of: moon}',
          '  - {what: drop, event: open}',
        ].join('\n')
      ),
      [
        '1:1 nam unknown_key',
        '1:1 name required',
        '3:12 ci.failing out_of_range',
        '4:10 ci.queue invalid_time',
        '5:13 ci.endings[0] unknown_value',
        '7:13 appStore.verdicts wrong_type',
        '9:5 moments[0].sessions required',
        '9:28 moments[0].store not_allowed',
        '10:5 moments[1] conflict',
        '10:44 moments[1].deed unknown_value',
        '11:5 moments[2].what required',
        '12:24 moments[3].of unknown_value',
        '13:5 moments[4].left required',
      ]
    )
    assert.deepEqual(await problemsOf('ci: {shortest: 2h, longest: 1h}\nname: x'), [
      '1:5 ci wrong_order',
    ])
    assert.match(String((await problemsOf('name: [')).at(0)), /^1:|^2:/)
    assert.deepEqual(await problemsOf('just a word'), ['1:1  wrong_type'])
    assert.deepEqual(await problemsOf('name: Enough'), [])
  })

  test('no provider of a world breaks in random scenarios', async ({ assert }) => {
    const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
    const span = fc.record({
      from: fc.integer({ min: 0, max: 20 * DAY }),
      until: fc.option(fc.integer({ min: 0, max: 40 * DAY }), { nil: null }),
    })
    const planted = fc
      .tuple(span, fc.option(share, { nil: null }), fc.constantFrom(null, '4.2.0'))
      .map(([times, fromShare, version]) => ({ ...times, fromShare, version }))
    const actions = fc.record({
      store: fc.constantFrom('apple' as const, 'google' as const),
      at: fc.option(fc.integer({ min: 0, max: 20 * DAY }), { nil: null }),
      choice: fc.nat(4),
      state: fc.constantFrom('IN_REVIEW', 'READY_FOR_DISTRIBUTION', 'PUBLISHED'),
    })
    const APPLE = ['cancelsReview', 'releases', 'pauses', 'resumes', 'completes']
    const GOOGLE = ['halts', 'completes', 'sends', 'opensEdit', 'publishes']
    const scenarios = fc.record({
      name: fc.constant('random'),
      about: fc.constant(null),
      seed: fc.string({ minLength: 1 }),
      ci: fc.record({
        failing: share,
        machines: fc.integer({ min: 1, max: 3 }),
        endings: fc.array(fc.constantFrom('succeeded' as const, 'failed' as const), {
          maxLength: 3,
        }),
      }),
      workflows: fc.constant(null),
      appStore: fc.record({
        stuck: share,
        invalid: share,
        rejected: share,
        cancelingMs: fc.nat(2 * HOUR),
        waitingMs: fc.nat(30 * HOUR),
      }),
      googlePlay: fc.record({
        rejected: share,
        lagMs: fc.nat(HOUR),
        isSentByHand: fc.boolean(),
        managedPublishing: fc.boolean(),
      }),
      users: fc.constant({ daily: 1000 }),
      spikes: fc.array(
        fc.tuple(planted, share).map(([one, crashing]) => ({ ...one, crashing })),
        { maxLength: 2 }
      ),
      drops: fc.array(
        fc.tuple(planted, share).map(([one, left]) => ({ ...one, event: 'app_open', left })),
        { maxLength: 2 }
      ),
      outages: fc.constant([]),
      revocations: fc.constant([]),
      limits: fc.constant([]),
      versionControl: fc.constant({}),
      tests: fc.constant({}),
      translations: fc.constant({}),
      crashes: fc.record({ lagMs: fc.nat(12 * 24 * HOUR) }),
      deeds: fc.array(
        actions.map(({ store, at, choice, state }) => ({
          ...{ store, at, when: at === null ? state : null },
          deed: (store === 'apple' ? APPLE : GOOGLE)[choice],
        })),
        { maxLength: 4 }
      ),
    })
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { client, seen } = await playTrain(worldOf(scenario, 's', BEGIN), BEGIN, 8)
        const bad = [...client.statuses].filter((status) => status >= 500)
        assert.deepEqual(bad, [], seen.join('\n'))
        const [from, to] = [BEGIN, client.now].map((at) => new Date(at).toISOString())
        const query = `version=4.2.0&from=${from}&to=${to}`
        const health = await client.ask('GET', `crashes/health?${query}`)
        assert.equal(health.status, 200)
        const reaches = client.now - scenario.crashes.lagMs
        assert.equal(Date.parse(health.sampledAt), reaches)
        const uncounted = Math.max(BEGIN, Math.min(reaches, client.now))
        const late = `version=4.2.0&from=${new Date(uncounted).toISOString()}&to=${to}`
        assert.equal((await client.ask('GET', `crashes/health?${late}`)).sessions, 0)
        if (health.sessions > 0) {
          assert.isTrue(health.crashFreeSessions >= 0 && health.crashFreeSessions <= 1)
        }
        assert.deepEqual(JSON.parse(JSON.stringify(client.world)), client.world)
      }),
      { numRuns: runs(25) }
    )
  })
})
