import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import pg from 'pg'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { guarded } from '#rollouts/tests/guarded'
import { passMinutes, tidy, workThrough } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { runs } from '#tests/support/effort'
import { makeWorld, type World } from '#tests/support/world'
import { manyApps, overviewOf, onlyReportedThere } from './overview_world.js'

const isPostgres = () => db.connection().dialect.name === 'postgres'

/**
 * Returns how many statements work sends to PostgreSQL: the least of three runs, as jobs of the same
 * process may send some meanwhile.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  return Math.min(await sentDuring(work), await sentDuring(work), await sentDuring(work))
}

async function sentDuring(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    count += 1
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    await work()
    return count
  } finally {
    pg.Client.prototype.query = query
  }
}

async function nameApp({ write }: World, id: string, name: string, appGroup: string | null) {
  await write((scope) => scope.table('apps').where({ id }).update({ name, app_group: appGroup }))
}

const names = (apps: { name: string }[]) => apps.map(({ name }) => name)

const ACTS = ['create', 'kickoff', 'approve', 'pass', 'regression', 'plan', 'automate'] as const
const LATE_ACTS = ['submit', 'complete', 'skip', 'hotfix', 'freeze', 'disconnect'] as const
const VERSIONS = ['1.0.0', '1.1.0', '1.2.0'] as const
const act = fc.record({
  app: fc.nat({ max: 3 }),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ACTS) },
    { weight: 2, arbitrary: fc.constantFrom(...LATE_ACTS) }
  ),
  version: fc.constantFrom('1.0.0', '1.0.0', ...VERSIONS),
})
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never

/** Makes two releases of each app, of which the lower one is kicked off. */
const begun = (apps: readonly string[]): Act[] =>
  apps.flatMap((_, app): Act[] => [
    { app, what: 'create', version: '1.0.0' },
    { app, what: 'create', version: '1.1.0' },
    { app, what: 'kickoff', version: '1.0.0' },
  ])

/** Does something with a release; a refusal is an answer as good as any. */
async function carryOut({ admin }: World, apps: readonly string[], { app, what, version }: Act) {
  const path = `/app/${apps[app]}`
  const release = `${path}/release/${apps[app]}:${version}`
  const soon = later(new Date().toISOString(), DAY)
  const set = async (kind: string, status: string) => {
    const { status: found, body } = await admin.get(`${release}/checklistItems`)
    for (const item of found === 200 ? body : []) {
      if (item.kind !== kind) continue
      await admin.put(`${release}/checklistItem/${item.id}/status`, { status })
    }
  }
  switch (what) {
    case 'create':
      return admin.post(`${path}/release`, { version })
    case 'hotfix':
      return admin.post(`${path}/release`, {
        version: `${version.slice(0, -1)}7`,
        releaseType: 'hotfix',
        baseTag: { name: version },
      })
    case 'approve':
      return set('approval', 'approved')
    case 'pass':
      return set('regression', 'passed')
    case 'regression':
      return admin.put(`${release}/regressionStatus`, { status: 'failed' })
    case 'plan':
      return admin.put(release, { targetKickoffAt: soon, targetSubmitAt: later(soon, DAY) })
    case 'automate':
      return admin.put(`${path}/automations`, { type: 'submitOnTargetDate', enabled: true })
    case 'freeze':
      return admin.put(`${path}/lifecycleFreezes`, {
        freezes: [
          { name: 'Winter', startAt: soon, endAt: later(soon, 3 * DAY), phases: ['submit'] },
        ],
      })
    case 'disconnect':
      return db
        .from('connections')
        .where('plugin_id', 'generic-ci')
        .update({ status: 'needs_reauth' })
    default:
      return admin.put(`${release}/${what}`, what === 'submit' ? {} : undefined)
  }
}

test.group('GET /org/{orgId}/overview', (group) => {
  group.each.teardown(tidy)

  test('200 shows of each app what its own operations show', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 25, maxLength: 40 }), async (acts) => {
        const { world, apps } = await manyApps(4)
        for (const [index, app] of apps.entries()) {
          await world.admin.post(`/app/${app}/approval`, { title: `Legal ${index}` })
          await world.admin.post(`/app/${app}/regressionItem`, { title: 'Log in' })
        }
        for (const each of [...begun(apps), ...acts]) await carryOut(world, apps, each)
        const shown = await overviewOf(world, world.admin)
        assert.sameMembers(
          shown.map(({ id }) => id),
          apps
        )
        for (const app of shown) assert.deepEqual(app, await onlyReportedThere(world, app))
      }),
      { numRuns: runs(4) }
    )
  }).timeout(120_000)

  test('200 a rollout with its share, its verdict, and its moves to come', async ({ assert }) => {
    const given = await guarded()
    const { world, admin, appId, crash, turns } = given
    const one = async () => (await overviewOf(world, admin))[0]
    const healthy = await one()
    assert.deepEqual(healthy, await onlyReportedThere(world, healthy))
    const rollout = ({ release }: { release: any }) =>
      release.steps.find(({ type }: { type: string }) => type === 'rollout').rollout
    assert.deepEqual(rollout(healthy), { state: 'active', percentage: 10 })
    assert.equal(healthy.release.health, 'notEnoughData')
    assert.isNotEmpty(healthy.release.whyNotMoving.next)
    crash()
    await turns(3)
    passMinutes(10)
    const stopped = await one()
    assert.deepEqual(stopped, await onlyReportedThere(world, stopped))
    assert.deepEqual(rollout(stopped), { state: 'halted', percentage: 10 })
    assert.equal(stopped.release.health, 'unhealthy')
    assert.equal(stopped.id, appId)
  })

  test('200 the active release, else the next, else the last, and those beside it', async ({
    assert,
  }) => {
    const { world, apps } = await manyApps(2)
    const { admin } = world
    const [app] = apps
    const shown = async () => {
      const found = (await overviewOf(world, admin)).find(({ id }) => id === app)
      const beside = found.alsoActive.map(({ version }: { version: string }) => version)
      return [found.release?.version ?? null, found.release?.status ?? null, beside]
    }
    assert.deepEqual(await shown(), [null, null, []])
    const create = (version: string, more = {}) =>
      admin.post(`/app/${app}/release`, { version, ...more })
    const put = (version: string, what: string) =>
      admin.put(`/app/${app}/release/${app}:${version}/${what}`)
    await create('2.1.0')
    await create('2.0.0')
    assert.deepEqual(await shown(), ['2.1.0', 'active', []])
    await put('2.1.0', 'kickoff')
    await create('1.9.1', { releaseType: 'hotfix', baseTag: { name: '1.9.0' } })
    assert.deepEqual(await shown(), ['2.1.0', 'active', ['1.9.1']])
    await put('2.1.0', 'complete')
    assert.deepEqual(await shown(), ['2.0.0', 'active', ['1.9.1']])
    for (const version of ['2.0.0', '1.9.1']) await put(version, 'skip')
    assert.deepEqual(await shown(), ['2.1.0', 'completed', []])
  })

  test('200 by group and name, page by page, and only apps that the key sees', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { admin, organizationId } = world
    const named: [name: string, appGroup: string | null, platform: 'ios' | 'android'][] = [
      ['pay iOS', 'Pay', 'ios'],
      ['Kiosk', null, 'ios'],
      ['Shop iOS', 'shop', 'ios'],
      ['Shop Android', 'shop', 'android'],
      ['Pay Android', 'Pay', 'android'],
      ['Zebra', 'About', 'ios'],
    ]
    for (const [name, appGroup, platform] of named) {
      await nameApp(world, await makeApp(world, { platform }), name, appGroup)
    }
    const inOrder = ['Zebra', 'Kiosk', 'Pay Android', 'pay iOS', 'Shop Android', 'Shop iOS']
    assert.deepEqual(names(await overviewOf(world, admin)), inOrder)
    const path = `/org/${organizationId}/overview`
    const paged: string[] = []
    let next = `${path}?limit=4`
    for (;;) {
      const { body, headers } = await admin.get(next)
      paged.push(...names(body.data))
      if (!body.pagination.hasMore) break
      next = /<(.*)>/.exec(headers.link)![1]
    }
    assert.deepEqual(paged, inOrder)
    const [, kiosk] = await overviewOf(world, admin)
    const bound = await world.keyed({ appIds: [kiosk.id] })
    assert.deepEqual(names(await overviewOf(world, bound)), ['Kiosk'])
  })

  test('400 for a cursor of another list', async ({ assert }) => {
    const world = await makeWorld()
    await makeApp(world)
    await makeApp(world)
    const path = `/org/${world.organizationId}/overview`
    const { body } = await world.admin.get(`${path}?limit=1`)
    const { nextCursor } = body.pagination
    assert.equal((await world.admin.get(`${path}?limit=1&cursor=${nextCursor}`)).status, 200)
    const other = await makeWorld()
    await makeApp(other)
    const foreign = `/org/${other.organizationId}/overview?cursor=${nextCursor}`
    const refused = await other.admin.get(foreign)
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_cursor'])
  })

  test('200 takes as many statements for many apps as for few', async ({ assert }) => {
    const { world, apps } = await manyApps(24)
    const { admin, organizationId } = world
    for (const app of apps) {
      await admin.post(`/app/${app}/release`, { version: '1.0.0' })
      await admin.put(`/app/${app}/release/${app}:1.0.0/kickoff`)
    }
    await workThrough(organizationId)
    const ask = (limit: number) => () => admin.get(`/org/${organizationId}/overview?limit=${limit}`)
    await ask(24)()
    if (!isPostgres()) return
    const [few, many] = [await statementsOf(ask(6)), await statementsOf(ask(24))]
    assert.isAtMost(many, few)
    assert.isAtMost(many, 40)
  })
})
