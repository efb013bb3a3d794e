import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { RecordCiBuild } from '#builds/actions/record_ci_build'
import { randomText } from '#foundation/core/ids'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { sha256, sendFile, storedKeys } from './support.js'
import { makeRuled } from './ruled_buckets.js'

const RELEASES = { type: 'Branch', branch: 'release/{version}' }

test.group('Rules of buckets', () => {
  test('a successful build is added to every bucket with a rule for it, with its events', async ({
    assert,
  }) => {
    const { admin, app, buckets, builds, send, reported } = await makeRuled(
      [{ type: 'Branch', branch: 'main' }, RELEASES],
      [{ ...RELEASES, workflow: 'Release', fileFilterPatterns: ['Acme.*'] }],
      [{ ...RELEASES, workflow: 'nightly.yml' }],
      [{ ...RELEASES, fileFilterPatterns: ['*.aab'] }],
      [{ type: 'PR', baseBranch: 'release/{version}' }]
    )
    const before = await storedKeys()
    const { body: sent } = await send({}, { bytes: `bits of ${app}` })
    const [first, second, ...others] = await Promise.all(buckets.map(builds))
    assert.deepEqual(others, [[], [], []])
    for (const [index, [build, ...more]] of [first, second].entries()) {
      assert.isEmpty(more)
      assert.containsSubset(build, {
        status: 'active',
        source: 'rule',
        artifactFileName: 'Acme.ipa',
        createdBy: { type: 'automation', id: null, name: 'Bucket rule release/{version}' },
        ciBuild: { id: sent.id, buildStatus: 'success', branch: 'release/1.4.0' },
      })
      const { body } = await admin.get(buckets[index])
      assert.deepEqual([body.buildCount, body.latestBuild.id], [1, build.id])
      const { pathname } = new URL(build.downloadUrl)
      assert.equal((await admin.get(pathname)).text, `bits of ${app}`)
    }
    assert.deepEqual(
      (await reported()).map(({ type }) => type),
      [
        'ciBuild.statusChanged',
        ...buckets
          .slice(0, 2)
          .flatMap(() => ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable']),
      ]
    )
    assert.lengthOf(await storedKeys(), before.length + 1)
  })

  test('an unfinished or unsuccessful build is added to no bucket', async ({ assert }) => {
    const { buckets, builds, send } = await makeRuled([RELEASES])
    for (const status of ['pending', 'running', 'failed', 'canceled', 'skipped']) {
      await send({ buildIdentifier: status, status }, { bytes: status })
    }
    assert.isEmpty(await builds(buckets[0]))
    await send({ buildIdentifier: 'running', status: 'success' }, { bytes: 'running' })
    assert.lengthOf(await builds(buckets[0]), 1)
  })

  test('builds of pull requests match PR rules alone, by the base branch', async ({ assert }) => {
    const { buckets, builds, send } = await makeRuled(
      [{ type: 'PR', baseBranch: 'main' }],
      [{ type: 'Branch', branch: '*' }]
    )
    await send({ branch: 'feature/x', baseBranch: 'refs/heads/main' })
    await send({ buildIdentifier: '2', branch: 'feature/x', baseBranch: 'next' }, { bytes: '2' })
    const [ofPr, ofBranch] = await Promise.all(buckets.map(builds))
    assert.deepEqual(
      ofPr.map((each: any) => each.ciBuild.buildIdentifier),
      ['1873']
    )
    assert.isEmpty(ofBranch)
  })

  test('the tokens of working and release branches stand for those of the app', async ({
    assert,
  }) => {
    const { app, buckets, builds, send } = await makeRuled(
      [{ type: 'Branch', branch: '{workingBranchName}' }],
      [{ type: 'Branch', branch: '{releaseBranchName}' }]
    )
    const branches = {
      integration: 'vcs',
      hotfixPattern: 'hotfix/{version}',
      workingBranch: 'main',
    }
    const settings = JSON.stringify([{ ...branches, allPattern: 'rel-{versionConcise}' }])
    await db.from('apps').where('id', app).update({ branch_settings: settings })
    for (const branch of ['main', 'rel-1.2', 'hotfix/1.2.3', 'feature/main', 'rel-x']) {
      await send({ buildIdentifier: branch, branch }, { bytes: branch })
    }
    const [working, release] = await Promise.all(buckets.map(builds))
    const branchesOf = (all: any[]) => all.map((each) => each.ciBuild.branch).sort()
    assert.deepEqual(branchesOf(working), ['main'])
    assert.deepEqual(branchesOf(release), ['hotfix/1.2.3', 'rel-1.2'])
  })

  test('a file that is attached later adds the build, once', async ({ assert }) => {
    const { admin, path, buckets, builds, send } = await makeRuled([RELEASES])
    const { body: sent } = await send({}, { fileName: 'all.zip' })
    assert.isEmpty(await builds(buckets[0]))
    const to = `${path}/${sent.id}/additionalFiles`
    await sendFile(admin, to, { bytes: 'app', fileName: 'Acme.ipa' })
    await sendFile(admin, to, { bytes: 'more', fileName: 'Acme-debug.ipa' })
    const [build, ...others] = await builds(buckets[0])
    assert.isEmpty(others)
    assert.deepEqual([build.artifactFileName, build.fileSize], ['Acme.ipa', 3])
  })

  test('a build that was deleted from a bucket does not come back', async ({ assert }) => {
    const { admin, path, buckets, builds, send } = await makeRuled([RELEASES])
    const { body: sent } = await send()
    const [build] = await builds(buckets[0])
    assert.equal((await admin.delete(`${buckets[0]}/build/${build.id}`)).status, 204)
    await send()
    await sendFile(admin, `${path}/${sent.id}/additionalFiles`, { fileName: 'b.ipa' })
    assert.isEmpty(await builds(buckets[0]))
    assert.equal((await admin.get(buckets[0])).body.buildCount, 0)
  })

  test('a released file adds no build, and no build waits for it', async ({ assert }) => {
    const { admin, path, buckets, builds, send } = await makeRuled([RELEASES], [])
    const { body: sent } = await send()
    const [build] = await builds(buckets[0])
    await admin.delete(`${buckets[0]}/build/${build.id}`)
    await admin.patch(buckets[1], { rules: [RELEASES] })
    await sendFile(admin, `${path}/${sent.id}/additionalFiles`, { fileName: 'notes.txt' })
    assert.isEmpty(await builds(buckets[1]))
    // Sending its bytes again makes it available.
    await send()
    const [landed] = await builds(buckets[1])
    assert.deepEqual([landed.status, landed.artifactFileName], ['active', 'Acme.ipa'])
  })

  test('a build waits for its artifact, not for an attached file of that name', async ({
    assert,
  }) => {
    const { admin, app, path, world, installation, buckets, builds } = await makeRuled([
      { ...RELEASES, fileFilterPatterns: ['Acme.*'] },
    ])
    const observe = (...files: [string, string?][]) =>
      world.write((scope) =>
        new RecordCiBuild(scope).observe({
          ...CUSTOM_BUILD,
          appId: app,
          installationId: installation,
          integrationId: 'generic-ci',
          baseBranch: null,
          status: 'success',
          files: files.map(([fileName, bytes]) => ({
            kind: 'artifact',
            fileName,
            contentType: 'application/octet-stream',
            ...(bytes !== undefined && {
              stored: { key: `files/${randomText(32)}`, size: bytes.length, sha256: sha256(bytes) },
            }),
          })),
        })
      )
    const { id } = await observe(['Acme.ipa'], ['Acme.txt'])
    const to = `${path}/${id}/additionalFiles`
    await sendFile(admin, to, { bytes: 'symbols', fileName: 'Acme.ipa' })
    const [waiting] = await builds(buckets[0])
    assert.equal(waiting.status, 'pending')
    await observe(['Acme.ipa', `${app} app`])
    const [landed] = await builds(buckets[0])
    assert.deepEqual([landed.status, landed.fileSize], ['active', `${app} app`.length])
    const further = `${buckets[0]}/build/${landed.id}/additionalFiles/Acme.txt`
    assert.equal((await admin.get(further)).body.detail, 'The file has not been stored yet.')
    await observe(['Acme.txt', `${app} notes`])
    const [whole] = await builds(buckets[0])
    assert.deepEqual(
      whole.additionalArtifacts.map(({ size }: { size: number }) => size),
      [`${app} notes`.length]
    )
  })

  test('changed rules do not apply to builds that finished before', async ({ assert }) => {
    const { admin, buckets, builds, send } = await makeRuled([])
    await send()
    await admin.patch(buckets[0], { rules: [RELEASES] })
    await send()
    assert.isEmpty(await builds(buckets[0]))
    await send({ buildIdentifier: '1874' }, { bytes: 'next' })
    assert.lengthOf(await builds(buckets[0]), 1)
  })

  test('a build lands at most once, despite concurrent reports and edits of the bucket', async ({
    assert,
  }) => {
    const { admin, buckets, builds, send } = await makeRuled([RELEASES], [])
    const work = ['a', 'b', 'c'].flatMap((buildIdentifier) => [
      send({ buildIdentifier }, { bytes: buildIdentifier }),
      admin.patch(buckets[1], { rules: [RELEASES] }),
      send({ buildIdentifier }, { bytes: buildIdentifier }),
    ])
    const responses = await Promise.all(work)
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    const identifiers = async (bucket: string) =>
      (await builds(bucket)).map((each: any) => each.ciBuild.buildIdentifier).sort()
    assert.deepEqual(await identifiers(buckets[0]), ['a', 'b', 'c'])
    const second = await identifiers(buckets[1])
    assert.lengthOf(new Set(second), second.length)
  })
})
