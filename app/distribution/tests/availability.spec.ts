import { Readable } from 'node:stream'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { MINUTE } from '#foundation/jobs/tests/support/stage'
import { operations } from '#foundation/api/operation/registry'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { refuse } from '#foundation/core/problems/problem'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { form } from '#tests/support/form'
import { endingWith, serveAlone } from '#tests/support/upload_server'
import type { World } from '#tests/support/world'
import { bytes, makeProvided } from './provided_bucket.js'
import { CI_BUILD, makeBucket, sendFile, sha256, storedKeys } from './support.js'
import { begin, send } from './tus_requests.js'

/*
 * Whatever is repeated, crashes or is reported twice: a build is announced once as visible, and then
 * once as downloadable.
 */

const ONCE = ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable']

/** Returns the events of builds, by build, in order of their sequence. */
async function reported(world: World): Promise<Map<string, string[]>> {
  const events = (await world.events()).filter(({ type }) => type.startsWith('buildDistro.'))
  const byBuild = Map.groupBy(events, ({ payload }) => payload.build.id as string)
  return new Map([...byBuild].map(([id, ofBuild]) => [id, ofBuild.map(({ type }) => type)]))
}

/** Asserts that the builds of buckets are announced exactly once each, and no other builds. */
async function requireOnce(assert: Assert, world: World, paths: readonly string[], builds: number) {
  const ids: string[] = []
  for (const path of paths) {
    const { body } = await world.admin.get(`${path}/builds`)
    for (const { id, status } of body.data) {
      assert.equal(status, 'active')
      ids.push(id)
    }
  }
  assert.lengthOf(ids, builds)
  const all = await reported(world)
  assert.sameMembers([...all.keys()], ids)
  for (const types of all.values()) assert.deepEqual(types, ONCE)
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

test.group('An uploaded build is announced once', () => {
  test('however often the upload is repeated with its key, in turn and concurrently', async ({
    assert,
  }) => {
    const { world, admin, path, upload } = await makeBucket()
    const data = { ciBuildInfo: CI_BUILD }
    for (let turn = 0; turn < 3; turn++) {
      assert.equal((await upload({ data }, admin, keyed('in-turn'))).status, 200)
    }
    await requireOnce(assert, world, [path], 1)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => upload({ data }, admin, keyed('at-once')))
    )
    for (const { status, body } of responses) {
      assert.isTrue(status === 200 || body.code === 'request_running', `${status}`)
    }
    assert.equal((await upload({ data }, admin, keyed('at-once'))).status, 200)
    await requireOnce(assert, world, [path], 2)
  })

  test('if it is sent again, as nobody knows whether it was stored', async ({
    assert,
    cleanup,
  }) => {
    for (const isDone of [true, false]) {
      const { world, app: appId, bucket, path } = await makeBucket()
      const upload = async (transactions?: UnitOfWork) => {
        const params = { appId, bucketId: bucket.id }
        const operation = operations.get('uploadBucketBuild')
        const { client, close } = await serveAlone(operation, { params, transactions })
        cleanup(close)
        return client(world.adminKey)(form({ file: 'the build' }), keyed('lost').headers)
      }
      const lost = await upload(endingWith(refuse('outcome_unknown'), { isDone }))
      assert.equal(lost.body.code, 'outcome_unknown')
      assert.equal((await reported(world)).size, isDone ? 1 : 0)
      const { status, headers } = await upload()
      const isReplayed = headers['idempotent-replayed'] === 'true'
      assert.deepEqual([status, isReplayed], [200, isDone])
      await requireOnce(assert, world, [path], 1)
    }
  })

  test('if it is sent in parts, and the last part again after a crash', async ({ assert }) => {
    const { world, admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    const id = at.split('/').at(-1)!
    assert.equal((await send(admin, at, 0, 'the build')).status, 204)
    // The state after a crash between creating the build and recording that.
    await db.from('resumable_uploads').where('id', id).update({ finished_at: null, location: null })
    const files = await app.container.make('partFiles')
    await files.begin(id)
    await files.append(id, Readable.from([Buffer.from('the build')]), 0, 1000)
    assert.equal((await send(admin, at, 8, 'd')).status, 204)
    await requireOnce(assert, world, [path], 1)
  })

  test('for each of several concurrent uploads of the same file', async ({ assert }) => {
    const { world, path, upload } = await makeBucket()
    await Promise.all(Array.from({ length: 4 }, () => upload()))
    await requireOnce(assert, world, [path], 4)
  })

  test('and never if it was refused or not stored', async ({ assert, cleanup }) => {
    const { world, app: appId, bucket, path, upload, admin } = await makeBucket()
    const wrong = { headers: { 'content-digest': `sha-256=:${'A'.repeat(43)}=:` } }
    assert.equal((await upload({}, admin, wrong)).status, 400)
    assert.equal((await upload({ data: { ciBuildInfo: {} } })).status, 422)
    const failing = await serveAlone(operations.get('uploadBucketBuild'), {
      params: { appId, bucketId: bucket.id },
      transactions: endingWith(refuse('not_stored'), { isDone: false }),
    })
    cleanup(() => failing.close())
    const response = await failing.client(world.adminKey)(form({ file: 'x' }))
    assert.equal(response.body.code, 'not_stored')
    assert.equal((await reported(world)).size, 0)
    assert.isEmpty((await admin.get(`${path}/builds`)).body.data)
  })
})

test.group('A build that rules bring in is announced once in each bucket', () => {
  test('from custom CI, even if it is sent several times concurrently', async ({ assert }) => {
    const {
      world,
      app: appId,
      admin,
      path,
    } = await makeBucket({
      rules: [{ type: 'Branch', branch: 'release/{version}', fileFilterPatterns: ['*.ipa'] }],
    })
    const rules = [{ type: 'Branch', branch: '*', fileFilterPatterns: [] }]
    const other = await admin.post(`/app/${appId}/bucket`, { name: 'All', rules })
    const paths = [path, `/app/${appId}/bucket/${other.body.id}`]
    const integration = await installIntegration(world, appId, 'generic-ci')
    const at = `/app/${appId}/integration/${integration}/build`
    const sendBuild = (options = {}) => sendFile(admin, at, { data: CUSTOM_BUILD }, options)
    assert.equal((await sendBuild(keyed('first'))).status, 200)
    await Promise.all([sendBuild(keyed('first')), sendBuild(), sendBuild(), sendBuild(keyed('x'))])
    await requireOnce(assert, world, paths, 2)
  })

  test('from a provider, even if polls report it repeatedly, late and concurrently', async ({
    assert,
    cleanup,
  }) => {
    const { world, server, paths, observe, work } = await makeProvided(cleanup, 2)
    server.answers(bytes('the app'))
    await Promise.all([observe('running'), observe('running')])
    await Promise.all([observe('success'), observe('success'), observe('running')])
    assert.equal(await work(), 1)
    await Promise.all([observe('success'), observe('pending'), observe('failed')])
    assert.equal(await work(), 0)
    await requireOnce(assert, world, paths, 2)
  })

  test('from a provider, even if a worker loses its lease and finishes late', async ({
    assert,
    cleanup,
  }) => {
    const { stage, world, server, paths, observe, work } = await makeProvided(cleanup, 2)
    server.answers(bytes('the app'))
    const before = await storedKeys()
    await observe('success')
    // A worker that has fetched the file and is held up before its transaction.
    const reached = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = stage.another({
      readScope: (principal) => stage.unitOfWork.readScope(principal),
      inTransaction: async (principal, act) => {
        reached.resolve()
        await goOn.promise
        return stage.unitOfWork.inTransaction(principal, act)
      },
    } as UnitOfWork)
    stage.clock.travelTo(new Date().toISOString())
    const late = slow.turn()
    await reached.promise
    assert.lengthOf(server.seen, 1)
    assert.lengthOf(await storedKeys(), before.length + 1, 'the file is stored')
    for (const types of (await reported(world)).values()) assert.deepEqual(types, [ONCE[0]])
    assert.equal(await work(), 0, 'the lease has not expired')
    await stage.pass(31 * MINUTE)
    assert.lengthOf(server.seen, 2)
    await requireOnce(assert, world, paths, 2)
    goOn.resolve()
    await late
    await requireOnce(assert, world, paths, 2)
    assert.lengthOf(await storedKeys(), before.length + 1, 'the late file was discarded')
    await stage.pass(31 * MINUTE)
    assert.lengthOf(server.seen, 2)
    const { body } = await world.admin.get(`${paths[0]}/builds`)
    const { text } = await world.admin.get(new URL(body.data[0].downloadUrl).pathname)
    assert.equal(sha256(text), sha256('the app'))
  })
})
