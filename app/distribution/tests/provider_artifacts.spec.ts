import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { MINUTE, SECOND } from '#foundation/jobs/tests/support/stage'
import { bytes, makeProvided } from './provided_bucket.js'
import { storedKeys } from './support.js'

const isCommand = ({ nature }: { nature: string }) => nature === 'command'

test.group('Artifacts of a CI provider', () => {
  test('are fetched once if buckets accept their build, for all of these buckets', async ({
    assert,
    cleanup,
  }) => {
    const { admin, server, paths, observe, work, builds, reported } = await makeProvided(cleanup, 2)
    server.answers(bytes('the app'))
    const before = await storedKeys()
    await observe('running')
    assert.equal(await work(), 0, 'the build is still running')
    await observe('success')
    await observe('success')
    const [waiting] = await builds(paths[0])
    assert.deepEqual([waiting.status, waiting.fileSize, waiting.downloadUrl], ['pending', 3, null])
    assert.deepEqual(await reported(), Array(2).fill('buildDistro.newBuildAvailable'))
    assert.equal(await work(), 1)
    await observe('success')
    assert.equal(await work(), 0)
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['/runs/7/files/Acme.ipa']
    )
    for (const path of paths) {
      const [build, ...more] = await builds(path)
      assert.isEmpty(more)
      assert.deepEqual([build.status, build.fileSize], ['active', 7])
      assert.equal((await admin.get(new URL(build.downloadUrl).pathname)).text, 'the app')
    }
    assert.deepEqual(
      (await reported()).slice(2),
      Array(2).fill('buildDistro.buildArtifactAvailable')
    )
    assert.lengthOf(await storedKeys(), before.length + 1)
  })

  test('are never fetched if no bucket accepts their build', async ({ assert, cleanup }) => {
    const { server, paths, observe, work, builds } = await makeProvided(cleanup)
    await observe('success', ['Acme.ipa'], 'main')
    await observe('success', ['Acme.dSYM.zip'])
    assert.equal(await work(), 0)
    assert.isEmpty(server.seen)
    assert.isEmpty(await builds(paths[0]))
  })

  test('arrive one by one: the first makes the build active', async ({ assert, cleanup }) => {
    const { admin, server, paths, observe, work, builds } = await makeProvided(cleanup)
    server.answers((response, seen) => bytes(`of ${seen.url.split('/').at(-1)}`)(response, seen))
    await observe('success', ['Acme.ipa', 'notes.txt'])
    assert.equal(await work(), 2)
    const [build] = await builds(paths[0])
    assert.deepEqual([build.status, build.artifactFileName], ['active', 'Acme.ipa'])
    const at = `${paths[0]}/build/${build.id}/additionalFiles/notes.txt`
    assert.equal((await admin.get(at)).text, 'of notes.txt')
  })

  test('are requested again if the provider breaks off, and stored complete', async ({
    assert,
    cleanup,
  }) => {
    const { stage, server, paths, observe, work, builds } = await makeProvided(cleanup)
    const before = await storedKeys()
    server.answers((response) => {
      response.writeHead(200, { 'content-length': '7' })
      response.write('the', () => response.destroy())
    }, bytes('the app'))
    await observe('success')
    assert.equal(await work(), 1)
    assert.equal((await builds(paths[0]))[0].status, 'pending')
    assert.deepEqual(await storedKeys(), before)
    await stage.pass(MINUTE)
    assert.deepEqual(
      (await builds(paths[0])).map(({ status, fileSize }: any) => [status, fileSize]),
      [['active', 7]]
    )
  })

  test('that are missing or empty fail the builds that wait for them', async ({
    assert,
    cleanup,
  }) => {
    for (const gone of [bytes('no such file', 404), bytes('')]) {
      const { server, paths, observe, work, builds, reported } = await makeProvided(cleanup)
      const before = await storedKeys()
      server.answers(gone)
      await observe('success')
      assert.equal(await work(), 1)
      const [build] = await builds(paths[0])
      assert.deepEqual(
        [build.status, build.metadataStatus, build.metadataFailure, build.downloadUrl],
        ['failed', 'failed', 'Acme.ipa could not be fetched from the CI system.', null]
      )
      await observe('success')
      assert.equal(await work(), 0)
      assert.deepEqual(await reported(), ['buildDistro.newBuildAvailable'])
      assert.deepEqual(await storedKeys(), before)
    }
  })

  test('are discarded if their build was deleted from its buckets before or while they arrive', async ({
    assert,
    cleanup,
  }) => {
    const { stage, admin, server, paths, observe, work, builds } = await makeProvided(cleanup)
    const before = await storedKeys()
    await observe('success')
    const [build] = await builds(paths[0])
    const [entry] = (await stage.jobs()).filter(isCommand)
    await db.from('jobs').where('id', entry.id).update({ attempts: 1, doubts: 1 })
    server.answers(async (response, seen) => {
      // The build is deleted while the file is being fetched.
      await admin.delete(`${paths[0]}/build/${build.id}`)
      bytes('the app')(response, seen)
    })
    assert.equal(await work(), 1)
    assert.lengthOf(server.seen, 1)
    assert.deepEqual(await storedKeys(), before)
    assert.isEmpty(await builds(paths[0]))

    const other = await makeProvided(cleanup)
    await other.observe('success')
    const [unwanted] = await other.builds(other.paths[0])
    await other.admin.delete(`${other.paths[0]}/build/${unwanted.id}`)
    assert.isEmpty((await other.stage.jobs()).filter(isCommand))
    await other.stage.pass(SECOND)
    assert.isEmpty(other.server.seen)
  })
})
