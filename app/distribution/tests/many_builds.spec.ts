import { test } from '@japa/runner'
import { referenceFile } from '#foundation/core/files/held_files'
import { randomText } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { makeApp } from '#tests/support/app_fixture'
import { yieldsOf } from '#tests/support/yields'
import { makeWorld } from '#tests/support/world'
import { addBuild } from '../add_build.js'
import { appExtension } from '../app_extension.js'
import Bucket from '../models/bucket.js'
import { expireBuilds } from '../retention/expire_builds.js'
import { sha256 } from './support.js'

const BUILDS = 20

/** Adds a build with one file to a bucket. */
async function add(scope: Scope, bucket: Bucket) {
  const hash = sha256(randomText(20))
  const fileId = await referenceFile(scope, { key: `files/${hash}`, size: 1, sha256: hash })
  const artifact = { kind: 'artifact' as const, fileName: 'a.ipa', contentType: 'x/y' }
  const added = {
    ciBuild: null,
    ciBuildId: null,
    branch: null,
    testerNotes: null,
    source: 'upload' as const,
    createdBy: scope.actor,
  }
  const files = [{ ...artifact, size: 1, sha256: hash, fileId }]
  return addBuild(scope, bucket, added, files, '')
}

test.group('Many builds', () => {
  test('expire and are removed without blocking the event loop', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { body } = await world.admin.post(`/app/${app}/bucket`, { name: 'Beta' })
    const builds = await world.write(async (scope) => {
      await scope.lock('apps', app)
      const bucket = (await scope.query(Bucket).where('id', body.id).first())!
      const made: { id: string; ciBuildId: string | null }[] = []
      for (let index = 0; index < BUILDS; index++) {
        made.push({ id: (await add(scope, bucket)).id, ciBuildId: null })
      }
      return made
    })
    const expired = await world.write((scope) => yieldsOf(() => expireBuilds(scope, builds)))
    // Once for each build, and once for each file.
    assert.isAtLeast(expired, 2 * BUILDS)
    const rows = () =>
      world.write((scope) => scope.table('distribution_builds').where('app_id', app))
    assert.deepEqual(
      (await rows()).map(({ status }) => status),
      builds.map(() => 'expired')
    )
    const removed = await world.write((scope) =>
      yieldsOf(() => appExtension.remove!(scope, { id: app } as never))
    )
    assert.isAtLeast(removed, 1)
    assert.lengthOf(await rows(), 0)
  })
})
