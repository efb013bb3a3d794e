import { createServer } from 'node:http'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import sharp from 'sharp'
import { requestIcon } from '#apps/icons/icon_command'
import { refuse } from '#foundation/core/problems/problem'
import { unitOfWork } from '#foundation/core/services'
import { OutboundClient } from '#outbound-client/client'
import { connectToLoopback } from '#tests/support/loopback'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'
import { storedKeys } from '#tests/support/disks'

/** Starts a web server with one image, a text and no other address. */
async function startImageServer() {
  const picture = await sharp({
    create: { width: 8, height: 8, channels: 3, background: 'teal' },
  })
    .jpeg()
    .toBuffer()
  const server = createServer((request, response) => {
    if (request.url === '/icon.jpg') response.end(picture)
    else if (request.url === '/text') response.end('no image')
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('No port')
  return { base: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

/** Lets a worker run all due jobs, those that fetch icons among them. */
async function fetchIcons(): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  await worker.turn()
}

test.group('Icon of a configuration file', (group) => {
  let pictures: Awaited<ReturnType<typeof startImageServer>>
  group.setup(async () => {
    pictures = await startImageServer()
    const disconnect = await connectToLoopback()
    return () => {
      disconnect()
      pictures.close()
    }
  })

  test('is fetched in the background and stored by the service', async ({ assert }) => {
    const world = await makeWorld()
    const made = await makeApp(world, `icon: ${pictures.base}/icon.jpg`)
    assert.equal(made.iconUrl, `${pictures.base}/icon.jpg`)
    await fetchIcons()
    const { body } = await world.admin.get(`/app/${made.id}`)
    assert.match(body.iconUrl, /\/icons\/\w+\.png$/)
    const icon = await world.admin.get(new URL(body.iconUrl).pathname)
    assert.equal(icon.status, 200)
    const exported = await world.admin.get(`/app/${made.id}/config`)
    assert.include(exported.text, `icon: ${pictures.base}/icon.jpg\n`)

    const cleared = await sendYaml(world.admin, 'PATCH', `/app/${made.id}/config`, 'icon: null')
    assert.isNull(cleared.body.iconUrl)
    assert.equal((await world.admin.get(new URL(body.iconUrl).pathname)).status, 404)
  })

  test('that cannot be fetched causes a warning, not an error', async ({ assert }) => {
    const world = await makeWorld()
    for (const path of ['/absent', '/text']) await makeApp(world, `icon: ${pictures.base}${path}`)
    await fetchIcons()
    const warnings = await db
      .from('events')
      .where({ organization_id: world.organizationId, type: 'app.iconFailed' })
    assert.sameMembers(
      warnings.map((each) => JSON.parse(each.data).url),
      [`${pictures.base}/absent`, `${pictures.base}/text`]
    )
    // Webhooks do not send this event, so it has no sequence number.
    assert.isTrue(warnings.every((each) => each.sequence === null))
  })

  test('that cannot be fetched is explained in the app and its timeline until one can', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const url = `${pictures.base}/absent`
    const made = await makeApp(world, `icon: ${url}`)
    await fetchIcons()
    const shownFailure = async () => (await world.admin.get(`/app/${made.id}`)).body.iconFailure
    const failure = await shownFailure()
    assert.containsSubset(failure, { url, reason: 'The address responded with 404' })
    const { body } = await world.admin.get(`/app/${made.id}/timelineEvents?type=app.iconFailed`)
    assert.containsSubset(body.data, [
      { actor: { type: 'system', name: 'icon' }, data: { url, reason: failure.reason } },
    ])
    await sendYaml(
      world.admin,
      'PATCH',
      `/app/${made.id}/config`,
      `icon: ${pictures.base}/icon.jpg`
    )
    await fetchIcons()
    assert.isNull(await shownFailure())
  })

  test('of an app that has been deleted causes neither a file nor a warning', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const made = await makeApp(world)
    await world.admin.delete(`/app/${made.id}/config`)
    const before = await storedKeys('icons/')
    for (const path of ['/icon.jpg', '/absent']) {
      await world.write((scope) => requestIcon(scope, made.id, `${pictures.base}${path}`))
      await fetchIcons()
    }
    const after = await storedKeys('icons/')
    assert.lengthOf(after, before.length)
    const warned = (await world.events()).filter(({ type }) => type === 'app.iconFailed')
    assert.lengthOf(warned, 0)
  })

  test('does not replace a change of the icon that is stored while it is fetched', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const made = await makeApp(world)
    const url = `${pictures.base}/icon.jpg`
    await db.from('apps').where('id', made.id).update({ icon_url: url })
    await world.write((scope) => requestIcon(scope, made.id, url))
    let fetching: Promise<unknown> = Promise.resolve()
    await world.write(async (scope) => {
      await scope.table('apps').where('id', made.id).update({ icon_url: 'https://x.example/i' })
      fetching = fetchIcons()
      // Gives the worker time to reach the locked row.
      await setTimeout(400)
    })
    await fetching
    const row = await db.from('apps').where('id', made.id).firstOrFail()
    assert.containSubset(row, { icon_url: 'https://x.example/i', icon_file: null })
  })

  test('keeps its file if the write may have succeeded, and loses it if the write failed', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const made = await makeApp(world)
    const url = `${pictures.base}/icon.jpg`
    const fileCount = async () => (await storedKeys('icons/')).length
    const inTransaction = unitOfWork.inTransaction.bind(unitOfWork)
    cleanup(() => void Object.assign(unitOfWork, { inTransaction }))
    for (const [code, isStored, newFiles] of [
      ['not_stored', false, 0],
      ['outcome_unknown', true, 1],
    ] as const) {
      await db.from('apps').where('id', made.id).update({ icon_url: url })
      const before = await fileCount()
      await world.write((scope) => requestIcon(scope, made.id, url))
      unitOfWork.inTransaction = async (principal, work) => {
        if (isStored) await inTransaction(principal, work)
        throw refuse(code)
      }
      await fetchIcons()
      unitOfWork.inTransaction = inTransaction
      assert.equal((await fileCount()) - before, newFiles, code)
    }
    const { body } = await world.admin.get(`/app/${made.id}`)
    assert.equal((await world.admin.get(new URL(body.iconUrl).pathname)).status, 200)
  })

  test('is not fetched from an address that outgoing requests may not reach', async ({
    assert,
  }) => {
    app.container.bindValue('outbound', new OutboundClient())
    const world = await makeWorld()
    const made = await makeApp(world, `icon: ${pictures.base}/icon.jpg`)
    await fetchIcons()
    assert.equal(
      (await world.admin.get(`/app/${made.id}`)).body.iconUrl,
      `${pictures.base}/icon.jpg`
    )
  })
})

test.group('An icon that is still to be fetched', () => {
  /** Returns the planned jobs that fetch icons. */
  const plannedFetches = (world: World) =>
    db
      .from('jobs')
      .where({ organization_id: world.organizationId, kind: 'app.icon', state: 'planned' })

  test('is planned with the app, and survives the end of the process', async ({ assert }) => {
    const world = await makeWorld()
    const made = await makeApp(world, 'icon: https://pictures.example/icon.png')
    const [job] = await plannedFetches(world)
    assert.containsSubset(job, { subject: made.id, attempts: 0, nature: 'command' })
    assert.deepEqual(JSON.parse(job.payload), { url: 'https://pictures.example/icon.png' })
  })

  test('is replaced by the next one, and removed with the app', async ({ assert }) => {
    const icon = (name: string) => `icon: https://pictures.example/${name}.png`
    const world = await makeWorld()
    const made = await makeApp(world, icon('one'))
    const path = `/app/${made.id}/config`
    await sendYaml(world.admin, 'PATCH', path, icon('two'))
    const urls = (await plannedFetches(world)).map(({ payload }) => JSON.parse(payload).url)
    assert.deepEqual(urls, ['https://pictures.example/two.png'])
    await sendYaml(world.admin, 'PATCH', path, 'icon: null')
    assert.lengthOf(await plannedFetches(world), 0)
    await sendYaml(world.admin, 'PATCH', path, icon('three'))
    assert.lengthOf(await plannedFetches(world), 1)
    await world.admin.delete(path)
    assert.lengthOf(await plannedFetches(world), 0)
  })

  test('is tried again while the server may recover, and then causes a warning', async ({
    assert,
    cleanup,
  }) => {
    const statuses = [503, 200, 404, 503, 503, 503, 503]
    const server = createServer((_request, response) => {
      response.writeHead(statuses.shift() ?? 500).end('no image')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const disconnect = await connectToLoopback()
    cleanup(() => {
      disconnect()
      server.close()
    })
    const { port } = server.address() as { port: number }
    const world = await makeWorld()
    const warnings = async () =>
      (await world.events()).filter(({ type }) => type === 'app.iconFailed').length
    /** Runs the planned jobs, and returns the counts of warnings and of jobs that are left. */
    const runJobs = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await world.write((scope) =>
          scope
            .table('jobs')
            .where('state', 'planned')
            .update({ visible_at: '2020-01-01T00:00:00.000Z' })
        )
        await fetchIcons()
      }
      return [await warnings(), (await plannedFetches(world)).length]
    }
    const icon = `icon: http://127.0.0.1:${port}/icon.png`
    await makeApp(world, icon)
    assert.deepEqual(await runJobs(1), [0, 1])
    assert.deepEqual(await runJobs(1), [1, 0])
    await makeApp(world, icon)
    assert.deepEqual(await runJobs(1), [2, 0])
    await makeApp(world, icon)
    assert.deepEqual(await runJobs(3), [2, 1])
    assert.deepEqual(await runJobs(1), [3, 0])
  })
})
