import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isPostgres } from '../core/database/connections.js'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { Api } from '#tests/support/api'
import { startService, type RunningService } from '#tests/support/processes'
import { hasRedis } from '#tests/support/redis'
import { makeWorld } from '#tests/support/world'

/* Several processes that share a PostgreSQL have one limit, and none answers outdated data. */

const LIMIT = 20
const LASTS_MS = 3000

/** When an accepted request was sent and answered, in milliseconds. */
type Span = readonly [sent: number, answered: number]

/** Returns the most requests that were certainly accepted within one second. */
function mostInASecond(accepted: readonly Span[]): number {
  const counts = accepted.map(
    ([from]) => accepted.filter(([sent, answered]) => sent >= from && answered < from + 1000).length
  )
  return Math.max(0, ...counts)
}

function startAll(count: number, store: string): Promise<RunningService[]> {
  const settings = { LIMIT_STORE: store, LIMIT_PER_SECOND: String(LIMIT), WORK_IN_SERVER: 'false' }
  const redis =
    store === 'redis' ? { REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' } : {}
  return Promise.all(Array.from({ length: count }, () => startService({ ...settings, ...redis })))
}

/** Sends requests to all processes, in bursts and singly, and returns the accepted ones. */
async function crowd(services: readonly RunningService[], key: string): Promise<Span[]> {
  const accepted: Span[] = []
  const ask = async (api: Api) => {
    const sent = performance.now()
    const { status } = await api.get('/org/absent')
    if (status !== 429) accepted.push([sent, performance.now()])
  }
  const apis = services.map(({ base }) => new Api(key, base))
  // The first request to a process is slow, because it loads modules.
  await Promise.all(apis.map(ask))
  const ends = performance.now() + LASTS_MS
  await Promise.all(
    Array.from({ length: 12 }, async (_, client) => {
      while (performance.now() < ends) {
        await ask(apis[client % apis.length])
        // Eight clients stay far above the limit, and leave the processor to the services.
        await pause(client % 3 === 0 ? Math.random() * 400 : 20)
      }
    })
  )
  return accepted
}

if (isPostgres(db as never)) {
  test.group('Several processes', (group) => {
    let services: RunningService[] = []
    group.setup(async () => {
      services = await startAll(3, 'database')
      return async () => void (await Promise.all(services.map((each) => each.stop())))
    })

    test('accept together what one may accept, in whatever second', async ({ assert }) => {
      const { adminKey } = await makeWorld()
      const accepted = await crowd(services, adminKey)
      assert.isAtMost(mostInASecond(accepted), LIMIT)
      assert.isAbove(accepted.length, LIMIT)
    })

    test('show what another has just written, and refuse a key that it revoked', async ({
      assert,
    }) => {
      const { world, app } = await makeTrain(['1.0.0'])
      const path = `/v2/app/${app}/releases/${app}:1.0.0`
      const apis = services.map(({ base }) => new Api(world.adminKey, base))
      for (const api of apis) assert.equal((await api.get(path)).status, 200)
      for (let round = 0; round < 6; round++) {
        await pause(200)
        const [writer, reader] = [apis[round % 3], apis[(round + 1) % 3]]
        const name = { releaseName: `Name ${round}` }
        assert.equal((await writer.put(`/app/${app}/release/${app}:1.0.0`, name)).status, 200)
        assert.equal((await reader.get(path)).body.releaseName, name.releaseName)
      }
      await world.write((scope) =>
        scope.table('api_keys').update({ revoked_at: '2026-01-01T00:00:00.000Z' })
      )
      for (const api of apis) assert.equal((await api.get(path)).body.code, 'key_revoked')
    })
  })
}

if (isPostgres(db as never) && (await hasRedis())) {
  test.group('Several processes with a Redis', () => {
    test('accept together what one may accept, in whatever second', async ({ assert, cleanup }) => {
      const services = await startAll(2, 'redis')
      cleanup(async () => void (await Promise.all(services.map((each) => each.stop()))))
      const { adminKey } = await makeWorld()
      const accepted = await crowd(services, adminKey)
      assert.isAtMost(mostInASecond(accepted), LIMIT)
      assert.isAbove(accepted.length, LIMIT)
    })
  })
}

test.group('The most in a second', () => {
  test('counts requests that certainly fall into one second, and no others', ({ assert }) => {
    assert.equal(mostInASecond([]), 0)
    assert.equal(
      mostInASecond([
        [0, 10],
        [5, 900],
        [10, 1200],
        [1001, 1002],
      ]),
      2
    )
    assert.equal(
      mostInASecond([
        [500, 510],
        [600, 1499],
        [1499, 1499],
      ]),
      3
    )
  })
})
