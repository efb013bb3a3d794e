import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { isPostgres } from '../core/database/connections.js'
import { as, select } from '../core/database/statement.js'
import { text } from '../core/database/table.js'
import { operations } from '../api/operation/registry.js'
import type { Scope } from '../core/scope.js'
import { unitOfWork } from '../core/services.js'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld, type World } from '#tests/support/world'

/* What follows from what is stored is made once until anybody commits, and never shown after. */

const TIMES = 20

const GROUPS = select({ id: as(text(), 'g.id') }, 'from groups g where g.organization_id = :org')

/** Makes a number that is higher each time, as of what is stored. */
function counted(world: World, meanwhile: (scope: Scope) => unknown = () => undefined) {
  let times = 0
  return async () => {
    const scope = unitOfWork.readScope(world.principal)
    // As a request does, which reads who asks.
    await scope.rows(GROUPS)
    return scope.onceStored(`what ${world.organizationId} is`, async () => {
      times += 1
      const made = { times }
      await meanwhile(scope)
      return { made, size: 10 }
    })
  }
}

let names = 0

const rename = (world: World) =>
  world.write((scope) =>
    scope
      .table('groups')
      .where('name', 'like', 'QA%')
      .update({ name: `QA ${++names}` })
  )

async function often(ask: () => Promise<{ times: number }>): Promise<number> {
  let last = 0
  for (let count = 0; count < TIMES; count++) last = (await ask()).times
  return last
}

test.group('What is made of what is stored', () => {
  test('is made once while nobody commits, and again afterwards', async ({ assert }) => {
    const world = await makeWorld()
    const ask = counted(world)
    // Others may commit meanwhile.
    assert.isBelow(await often(ask), TIMES)
    const before = (await ask()).times
    await rename(world)
    assert.isAbove((await ask()).times, before)
  })

  test('is not kept where the time was looked at', async ({ assert }) => {
    const world = await makeWorld()
    assert.equal(await often(counted(world, (scope) => scope.now)), TIMES)
  })

  test('is not kept where somebody commits while it is made', async ({ assert }) => {
    const world = await makeWorld()
    assert.equal(await often(counted(world, async () => rename(world))), TIMES)
  })

  test('is made anew in a transaction', async ({ assert }) => {
    const world = await makeWorld()
    const ask = counted(world)
    await often(ask)
    const fresh = await world.write((scope) =>
      scope.onceStored(`what ${world.organizationId} is`, async () => ({ made: 'mine', size: 4 }))
    )
    assert.equal(fresh, 'mine')
  })
})

type Train = Awaited<ReturnType<typeof makeTrain>>

/** The operations that are kept: where each is asked, and a change that it is to show. */
const KEPT: Record<string, { path(train: Train): string; change(train: Train): Promise<unknown> }> =
  {
    listReleases: {
      path: ({ app }) => `/v2/app/${app}/releases`,
      change: ({ world }) =>
        world.write((scope) => scope.table('releases').update({ status: 'completed' })),
    },
    getRelease: {
      path: ({ app }) => `/v2/app/${app}/releases/${app}:1.0.0`,
      change: ({ world }) =>
        world.write((scope) => scope.table('releases').update({ status: 'completed' })),
    },
    listReleaseChecklistItems: {
      path: ({ path }) => `${path('1.0.0')}/checklistItems`,
      change: ({ world }) =>
        world.write((scope) => scope.table('release_items').update({ title: 'Other' })),
    },
  }

test.group('Answers that are kept', () => {
  test('are those of the operations that say so', ({ assert }) => {
    const declared = operations.all().filter(({ isOfStored }) => isOfStored)
    assert.sameMembers(
      declared.map(({ id }) => id),
      Object.keys(KEPT)
    )
    assert.deepEqual([...new Set(declared.map(({ method }) => method))], ['GET'])
  })

  for (const [id, { path: pathOf, change }] of Object.entries(KEPT)) {
    test(`${id}: once for one asker, and each change at once`, async ({ assert, cleanup }) => {
      const train = await makeTrain(['1.0.0'])
      const item = { title: 'Look at it', stepType: 'submission' }
      const made = await train.admin.post(`/app/${train.app}/checklistItem`, item)
      assert.equal(made.status, 201)
      const path = pathOf(train)
      const declared = operations.get(id) as { handle(call: unknown): Promise<unknown> }
      const { handle } = declared
      let times = 0
      declared.handle = (call) => {
        times += 1
        return handle(call)
      }
      cleanup(() => void (declared.handle = handle))

      const first = await train.admin.get(path)
      assert.equal(first.status, 200)
      for (let count = 1; count < TIMES; count++) {
        const again = await train.admin.get(path)
        assert.deepEqual(again.body, first.body)
        assert.equal(again.headers.etag, first.headers.etag)
      }
      // Where requests are counted in the database, each of them commits.
      if (!isPostgres(db as never)) assert.isBelow(times, TIMES)
      const headers = { 'if-none-match': first.headers.etag }
      assert.equal((await train.admin.get(path, { headers })).status, 304)

      const before = times
      const reader = await train.world.keyed()
      assert.deepEqual((await reader.get(path)).body, first.body)
      assert.isAbove(times, before)

      await change(train)
      const changed = await train.admin.get(path, { headers })
      assert.equal(changed.status, 200)
      assert.notDeepEqual(changed.body, first.body)
    })
  }
})
