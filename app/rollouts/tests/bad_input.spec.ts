import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { readyWorld, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { snapshot } from '#tests/support/snapshot'
import { rollingOut } from './support.js'

/*
 * Requests that a store would not carry out: each is refused with its code, nothing is written, and
 * nothing is sent to the store, then or later.
 */

type Asked = [method: 'put' | 'post', path: string, body?: object]

interface Case {
  what: string
  world: () => Promise<StoreWorld>
  /** Returns the request, given the initial world. */
  ask: (given: StoreWorld) => Asked | Promise<Asked>
  /** Status and code; the pointer, if a field is wrong. */
  refused: [status: number, code: string, pointer?: string]
}

const steering =
  (body: object) =>
  ({ path }: StoreWorld): Asked => ['put', `${path}/rollout`, body]
const percentage = (value: unknown) => steering({ action: 'set', percentage: value })

const submitting = ({ path }: StoreWorld): Asked => ['put', `${path}/submit`, { force: true }]

async function selecting({ path, step }: StoreWorld, appStoreBuildId: string): Promise<Asked> {
  const { stepRunId } = await step('submission')
  const builds = [{ appStoreBuildId }]
  return ['put', `${path}/stepRun/${stepRunId}/selectedBuilds`, { builds }]
}

/** Returns the id of a store's build with a number. */
const buildOf = async (number: string, appId: string): Promise<string> =>
  (await db.from('app_store_builds').where({ app_id: appId, build_number: number }).firstOrFail())
    .id

/** Returns a world whose build was chosen by hand, and has since become unusable. */
async function spoiled(state: 'expired' | 'invalid'): Promise<StoreWorld> {
  const given = await readyWorld()
  const { admin, store, work, appId } = given
  const [, path, body] = await selecting(given, await buildOf('4711', appId))
  await admin.put(path, body)
  store.builds[0].status = {
    state,
    raw: state.toUpperCase(),
    beganAt: '',
    observedAt: '',
    lagSeconds: 0,
  }
  await work()
  return given
}

async function submitted(): Promise<StoreWorld> {
  const given = await readyWorld()
  await given.admin.put(`${given.path}/submit`, {})
  await given.work()
  return given
}

/** Returns a world whose submitted release is out. */
async function out(): Promise<StoreWorld> {
  const given = await submitted()
  given.store.become('pendingRelease')
  await given.work()
  given.store.become('live')
  given.store.rollout({ state: 'active', day: 2 })
  await given.work()
  return given
}

async function halted(): Promise<StoreWorld> {
  const given = await rollingOut()
  given.store.become('halted')
  given.store.rollout({ state: 'halted', fraction: 0.1 })
  await given.work()
  return given
}

const writing =
  (texts: object) =>
  async ({ path, step }: StoreWorld): Promise<Asked> => {
    const { stepRunId } = await step('metadata')
    const localizations = [{ locale: 'en-US', ...texts }]
    return ['put', `${path}/stepRun/${stepRunId}/metadata`, { localizations }]
  }

const policy =
  (change: object) =>
  ({ appId }: StoreWorld): Asked => {
    const ladder = [{ percentage: 100, hours: 0 }]
    return ['put', `/app/${appId}/rolloutPolicy`, { policy: { ladder, ...change } }]
  }

/** Returns all stored rows once pending writes are done. */
async function stored({ world }: StoreWorld) {
  // Times of provider answers are written in intervals.
  await (await app.container.make('integrations.answers')).flush()
  for (;;) {
    const one = await snapshot([world.organizationId])
    await new Promise((resolve) => setTimeout(resolve, 50))
    const other = await snapshot([world.organizationId])
    if (JSON.stringify(one) === JSON.stringify(other)) return other
  }
}

const google = () => rollingOut()
const apple = () => rollingOut('apple')
/** Returns characters of two UTF-16 code units each. */
const wide = (count: number) => '🚀'.repeat(count)
const text = (field: string) => `/localizations/0/${field}`

const CASES: Case[] = [
  {
    what: 'a percentage of 0',
    world: google,
    ask: percentage(0),
    refused: [422, 'min', '/percentage'],
  },
  {
    what: 'a percentage of 101',
    world: google,
    ask: percentage(101),
    refused: [422, 'max', '/percentage'],
  },
  {
    what: 'a percentage that is a text',
    world: google,
    ask: percentage('20'),
    refused: [422, 'number', '/percentage'],
  },
  {
    what: 'a percentage lower than now',
    world: google,
    ask: percentage(5),
    refused: [409, 'rollout_only_grows'],
  },
  {
    what: 'a percentage on iOS',
    world: apple,
    ask: percentage(50),
    refused: [409, 'rollout_by_store'],
  },
  {
    what: 'a percentage of what is halted',
    world: halted,
    ask: percentage(50),
    refused: [409, 'rollout_stopped'],
  },
  {
    what: 'a halt of what is in no store',
    world: storeWorld,
    ask: steering({ action: 'halt' }),
    refused: [409, 'rollout_not_running'],
  },
  {
    what: 'a submission without a build',
    world: storeWorld,
    ask: submitting,
    refused: [409, 'no_build_selected'],
  },
  ...(['expired', 'invalid'] as const).map((state) => ({
    what: `a submission of a build that is ${state}`,
    world: () => spoiled(state),
    ask: submitting,
    refused: [409, 'build_unusable'] as Case['refused'],
  })),
  {
    what: 'a foreign build',
    world: readyWorld,
    async ask(given) {
      const other = await readyWorld()
      return selecting(given, await buildOf('4711', other.appId))
    },
    refused: [422, 'unknown_build', '/builds/0/appStoreBuildId'],
  },
  {
    what: 'a second submission while the first is on its way',
    async world() {
      const given = await readyWorld()
      await given.admin.put(`${given.path}/submit`, {})
      return given
    },
    ask: submitting,
    refused: [409, 'store_busy'],
  },
  {
    what: 'a second submission after the first',
    world: submitted,
    ask: submitting,
    refused: [409, 'release_submitted'],
  },
  {
    what: 'texts of the other store',
    world: () => storeWorld('google'),
    ask: writing({ keywords: 'fast' }),
    refused: [422, 'wrong_store', text('keywords')],
  },
  {
    what: 'texts of Google in the App Store',
    world: storeWorld,
    ask: writing({ shortDescription: 'Fast' }),
    refused: [422, 'wrong_store', text('shortDescription')],
  },
  {
    what: 'notes beyond what Google Play takes, in code points',
    world: () => storeWorld('google'),
    ask: writing({ whatsNew: wide(501) }),
    refused: [422, 'max_length', text('whatsNew')],
  },
  {
    what: 'keywords beyond what the App Store takes, in code points',
    world: storeWorld,
    ask: writing({ keywords: wide(101) }),
    refused: [422, 'max_length', text('keywords')],
  },
  {
    what: 'a rejection after it went out',
    world: out,
    ask: ({ path }) => ['put', `${path}/developerRejectSubmission`],
    refused: [409, 'not_in_review'],
  },
  {
    what: 'a release of what was not approved',
    world: submitted,
    ask: ({ path }) => ['put', `${path}/takeoff`],
    refused: [409, 'not_approved'],
  },
  {
    what: 'a policy whose ladder never comes to all',
    world: google,
    ask: policy({ ladder: [{ percentage: 50, hours: 1 }] }),
    refused: [422, 'never_finishes', '/policy/ladder'],
  },
  {
    what: 'a policy whose hours never come',
    world: google,
    ask: policy({ officeHours: { from: '17:00', to: '17:00' } }),
    refused: [422, 'never_finishes', '/policy/officeHours/to'],
  },
  {
    what: 'a policy whose guard sees nothing',
    world: google,
    ask: policy({ guard: { metrics: [{ name: 'crashes', total: 'sessions', bad: 'crashes' }] } }),
    refused: [422, 'never_finishes', '/policy/guard'],
  },
]

test.group('A request that a store would not carry out', (group) => {
  group.each.teardown(tidy)

  for (const { what, world, ask, refused } of CASES) {
    test(`${refused[0]} ${refused[1]}: ${what}`, async ({ assert }) => {
      const given = await world()
      const [method, path, body] = await ask(given)
      const { admin, store } = given
      const changes = [...store.changes]
      const before = await stored(given)
      const response = await admin[method](path, body)
      assert.deepEqual(await snapshot([given.world.organizationId]), before)
      const [status, code, pointer] = refused
      const [fault] = response.body.errors ?? []
      const reported = pointer === undefined ? response.body.code : fault?.code
      assert.deepEqual(
        [response.status, reported, fault?.pointer],
        [status, code, pointer],
        response.text
      )
      assert.deepEqual(store.changes, changes)
      assert.isEmpty(store.refused)
    })
  }

  test('texts of the greatest length, in code points, are accepted', async ({ assert }) => {
    const given = await storeWorld('google')
    const [method, path, body] = await writing({ whatsNew: wide(500) })(given)
    assert.equal((await given.admin[method](path, body)).status, 200)
  })

  test('of two concurrent submissions, one goes to the store once', async ({ assert }) => {
    const given = await readyWorld()
    const { admin, path, store, work } = given
    const twice = [1, 2].map(() => admin.put(`${path}/submit`, {}))
    const responses = await Promise.all(twice)
    assert.sameMembers(
      responses.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()),
      ['200', '409 store_busy']
    )
    for (let turn = 0; turn < 3; turn++) await work()
    assert.lengthOf(
      store.changes.filter((each) => each === 'submit'),
      1
    )
  })
})
