import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import pg from 'pg'
import { operations } from '../api/operation/registry.js'
import { KeyedQueue } from '../api/execution/write_queue.js'
import type { Problem } from '../core/problems/problem.js'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { startService } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

test.group('Writes to the same thing', () => {
  test('run one after the other, even after one that failed', async ({ assert }) => {
    const queue = new KeyedQueue(10)
    const seen: string[] = []
    const work = (name: string) => async () => {
      seen.push(`${name} begins`)
      await new Promise((done) => setImmediate(done))
      seen.push(`${name} ends`)
      if (name === 'first') throw new Error('no')
      return name
    }
    const results = await Promise.allSettled([
      queue.run('a', work('first')),
      queue.run('a', work('second')),
      queue.run('a', work('third')),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled']
    )
    const order = ['first', 'second', 'third'].flatMap((each) => [`${each} begins`, `${each} ends`])
    assert.deepEqual(seen, order)
  })

  test('do not wait for writes to another thing, and too many of them are refused', async ({
    assert,
  }) => {
    const queue = new KeyedQueue(2)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const waiting = [1, 2, 3].map(() => queue.run('a', () => held))
    assert.equal(await queue.run('b', async () => 'other'), 'other')
    const refusal: Problem = await queue
      .run('a', () => held)
      .then(
        () => assert.fail('it was let in'),
        (problem) => problem
      )
    assert.equal(refusal.code, 'not_ready')
    assert.equal(refusal.headers?.['retry-after'], '5')
    release()
    await Promise.all(waiting)
    assert.equal(await queue.run('a', async () => 'again'), 'again')
  })

  test('are refused if those before them take too long', async ({ assert }) => {
    const queue = new KeyedQueue(10, 1, 20)
    let release = () => {}
    const first = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)))
    const seen: string[] = []
    const refused = queue.run('a', async () => void seen.push('refused'))
    await assert.rejects(() => refused, /Too many writes/)
    const next = queue.run('a', async () => void seen.push('next'))
    release()
    await Promise.all([first, next])
    assert.deepEqual(seen, ['next'])
  })
})

if (process.env.DATABASE_URL) {
  test.group('A lock that somebody holds', () => {
    /** Makes a world with an app whose row another connection keeps locked until `release`. */
    async function lockedApp() {
      const world = await makeWorld()
      const appId = await makeApp(world)
      const outside = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await outside.connect()
      await outside.query('begin')
      await outside.query('select id from apps where id = $1 for update', [appId])
      const write = (api: Api, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, patch) =>
            api.post(`/app/${appId}/release`, { version: `1.0.${patch}` })
          )
        )
      const rehearse = async (count: number) => {
        const executor = await app.container.make('executor')
        const declared = operations.get('createRelease')
        const rehearsals = Array.from({ length: count }, (_, patch) =>
          executor.rehearse(
            declared,
            world.principal,
            {
              params: { appId },
              origin: { baseUrl: '' },
              input: async () => ({
                query: undefined,
                body: { version: `1.0.${patch}` },
                fingerprint: () => '',
              }),
            },
            async ({ rendered }) => rendered.status
          )
        )
        return Promise.all(rehearsals)
      }
      return { world, write, rehearse, release: () => outside.end() }
    }

    test('does not delay requests of others', async ({ assert }) => {
      const { world, write, release } = await lockedApp()
      const other = await makeWorld()
      const writes = write(world.admin, 12)
      for (let count = 0; count < 5; count++) {
        const { status } = await other.admin.get(`/org/${other.organizationId}/group`)
        assert.equal(status, 200)
      }
      await release()
      for (const { status, text } of await writes) assert.equal(status, 201, text)
    }).timeout(9_000)

    test('does not delay requests of others behind rehearsals either', async ({ assert }) => {
      const { rehearse, release } = await lockedApp()
      const other = await makeWorld()
      const rehearsals = rehearse(32)
      for (let count = 0; count < 5; count++) {
        const { status } = await other.admin.get(`/org/${other.organizationId}/group`)
        assert.equal(status, 200)
      }
      await release()
      assert.deepEqual([...new Set(await rehearsals)], [201])
    }).timeout(9_000)

    test('causes a 503 if it takes too long', async ({ assert, cleanup }) => {
      const { world, write, release } = await lockedApp()
      const url = new URL(process.env.DATABASE_URL!)
      url.searchParams.set('lock_timeout', '200')
      const service = await startService({ DATABASE_URL: url.href })
      cleanup(async () => {
        await release()
        await service.stop()
      })
      const [{ status, body, headers }] = await write(new Api(world.adminKey, service.base), 1)
      assert.deepEqual([status, body.code], [503, 'not_ready'])
      assert.equal(headers['retry-after'], '5')
    }).timeout(30_000)
  })
}
