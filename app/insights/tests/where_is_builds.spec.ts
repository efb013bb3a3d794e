import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Api } from '#tests/support/api'
import type { TestContext } from '@japa/runner/core'
import { ciBuilds } from '#builds/tables'
import { makeFeatures } from '#features/tests/support'
import { chunked } from '#foundation/core/chunked'
import { newId } from '#foundation/core/ids'
import { readRelease } from '#releases/queries/read_release'
import { form } from '#tests/support/form'

/**
 * Creates a version that shipped with a change which its branch then reverted, and a working
 * branch.
 */
async function makeBuilt(cleanup: TestContext['cleanup']) {
  const made = await makeFeatures(cleanup)
  const { repository, admin, app, path, look, release, kickOff, world } = made
  repository.git('tag', 'v0.9.0', repository.commit())
  const one = repository.commit({ message: 'One' })
  await release('1.0.0')
  await kickOff('1.0.0')
  const branch = 'release/1.0.0'
  const two = repository.commit({ branch, message: 'Two' })
  const revert = repository.commit({ branch, message: `No\n\nThis reverts commit ${one}.` })
  const later = repository.commit({ message: 'Later' })
  await look()
  const info = (commitHash: string) => ({
    ...{ buildIdentifier: commitHash.slice(0, 8), branch: 'main', integrationId: 'generic-ci' },
    ...{ commitHash, workflowData: { workflowId: 'dev', workflowName: 'Dev' } },
  })
  return {
    ...made,
    ...{ one, two, revert, later },
    /** Creates builds of commits, for a release or for none. */
    build: (hashes: string[], version: string | null) =>
      world.write(async (scope) => {
        const found = version === null ? null : await readRelease(scope, app, `${app}:${version}`)
        await scope.insert(
          ciBuilds,
          hashes.map((commitHash) => ({
            ...{ id: newId('build'), appId: app, installationId: null },
            ...{ integrationId: 'generic-ci' as const, buildIdentifier: commitHash.slice(0, 8) },
            ...{ isRequested: false, status: 'success' as const, branch: 'main', baseBranch: null },
            ...{ commitHash, commitMessage: null, commitAuthor: null, commitUrl: null, url: null },
            ...{ workflowId: 'rc', workflowName: 'rc', startedAt: scope.now, finishedAt: null },
            ...{ version: null, releaseId: found?.release.id ?? null, createdBy: scope.actor },
            ...{ createdAt: scope.now, updatedAt: scope.now },
          }))
        )
      }),
    /** Uploads a build into a bucket. Returns its path. */
    async upload(bucketId: string, commitHash: string) {
      const data = JSON.stringify({ ciBuildInfo: info(commitHash) })
      const file = form({ file: 'the build', fileName: 'Acme.ipa' }, data)
      const { body } = await admin.post(`/app/${app}/bucket/${bucketId}/build`, undefined, file)
      return `/app/${app}/bucket/${bucketId}/build/${body.id}`
    },
    async openBucket(name: string) {
      const { body } = await admin.post(`/app/${app}/bucket`, { name, orgWideAccessEnabled: true })
      return body.id as string
    },
    async whereIs(commit: string, by: Api = admin) {
      const { status, body, text } = await by.get(`/app/${app}/whereIs?commit=${commit}`)
      if (status !== 200) throw new Error(text)
      return body.apps[0]
    },
    path,
  }
}

const named = (hashes: string[]) => hashes.map((each) => each.slice(0, 8)).sort()
const identifiers = (where: any) =>
  where.builds.map(({ buildIdentifier }: any) => buildIdentifier).sort()

test.group('Builds that hold a change', () => {
  test('200 those made before it was taken back, and those of the working branch that has it', async ({
    assert,
    cleanup,
  }) => {
    const { one, two, revert, later, build, whereIs } = await makeBuilt(cleanup)
    await build([one, two, revert], '1.0.0')
    await build([later], null)
    const where = await whereIs(one)
    assert.deepEqual(where.releases, [])
    assert.deepEqual(identifiers(where), named([one, two, later]))
    assert.deepEqual(identifiers(await whereIs(two)), named([two, revert]))
  })

  test('200 those that CI uploaded into buckets, as long as testers get them', async ({
    assert,
    cleanup,
  }) => {
    const { one, revert, later, upload, openBucket, whereIs, admin, app, world } =
      await makeBuilt(cleanup)
    const [nightly, all] = [await openBucket('Nightly'), await openBucket('All')]
    const { body: hidden } = await admin.post(`/app/${app}/bucket`, { name: 'Hidden' })
    const build = await upload(nightly, later)
    await upload(all, later)
    await upload(all, revert)
    await upload(hidden.id, later)
    // A key that may not see a bucket does not see it here either.
    const key = await world.keyed({ groups: ['Marketing'] })
    const where = await whereIs(one, key)
    assert.deepEqual(identifiers(where), named([later]))
    const [{ buckets, ...shown }] = where.builds
    assert.containsSubset(shown, { commitHash: later, branch: 'main', releaseId: null })
    assert.sameMembers(
      buckets.map(({ name }: any) => name),
      ['Nightly', 'All']
    )
    const [{ buckets: every }] = (await whereIs(one)).builds
    assert.sameMembers(
      every.map(({ name }: any) => name),
      ['Nightly', 'All', 'Hidden']
    )
    const { body } = await admin.get(build)
    assert.equal(buckets.find(({ name }: any) => name === 'Nightly').since, body.createdAt)
    await admin.patch(build, { status: 'expired' })
    const [{ buckets: left }] = (await whereIs(one, key)).builds
    assert.deepEqual(
      left.map(({ name }: any) => name),
      ['All']
    )
  })

  test('200 a build that CI reported and uploaded as well once, with its buckets', async ({
    assert,
    cleanup,
  }) => {
    const { one, later, build, upload, openBucket, whereIs } = await makeBuilt(cleanup)
    const nightly = await openBucket('Nightly')
    await upload(nightly, later)
    await build([later], null)
    const { builds } = await whereIs(one)
    assert.deepEqual(identifiers({ builds }), named([later]))
    assert.deepEqual(
      builds[0].buckets.map(({ id }: any) => id),
      [nightly]
    )
  })

  test('200 the newest builds, and no more than the limit', async ({ assert, cleanup }) => {
    const { one, two, later, build, upload, openBucket, whereIs } = await makeBuilt(cleanup)
    const all = await openBucket('All')
    await build(Array.from({ length: 210 }).fill(one) as string[], '1.0.0')
    await build(Array.from({ length: 210 }).fill(later) as string[], null)
    const first = (await upload(all, two)).split('/').at(-1)!
    await upload(await openBucket('Nightly'), later)
    const row = await db.from('distribution_builds').where('id', first).firstOrFail()
    const info = JSON.parse(row.ci_build)
    const copies = Array.from({ length: 150 }, (_, index) => ({
      ...{ ...row, id: `copy${index}`, created_at: '2020-01-01T00:00:00.000Z' },
      ci_build: JSON.stringify({ ...info, buildIdentifier: `old ${index}`, commitHash: later }),
    }))
    for (const some of chunked(copies, 20)) await db.table('distribution_builds').multiInsert(some)
    const { builds } = await whereIs(one)
    assert.lengthOf(builds, 400)
    assert.isFalse(builds.some(({ buildIdentifier }: any) => buildIdentifier.startsWith('old')))
  })

  test('200 what a rollback ships again, and none of what it takes away', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, path, repository, release, kickOff, look, two, whereIs } =
      await makeBuilt(cleanup)
    const complete = async (version: string) => {
      const { status, text } = await admin.put(`${path(version)}/complete`)
      assert.equal(status, 200, text)
    }
    repository.git('tag', 'v1.0.0', 'release/1.0.0')
    await complete('1.0.0')
    const three = repository.commit({ message: 'Three' })
    await release('1.1.0')
    await kickOff('1.1.0')
    await look()
    await complete('1.1.0')
    const offered = async (commit: string) => (await whereIs(commit)).share.stores[0].offered
    assert.deepEqual([await offered(two), await offered(three)], [0, 100])
    const { status, text } = await admin.post(`/app/${app}/release`, {
      ...{ version: '1.1.1', releaseType: 'rollback' },
      rollback: { sourceVersion: '1.0.0', targetVersion: '1.1.0' },
    })
    assert.equal(status, 201, text)
    const kickoff = await admin.put(`${path('1.1.1')}/kickoff`)
    assert.equal(kickoff.status, 200, kickoff.text)
    await complete('1.1.1')
    assert.deepEqual([await offered(two), await offered(three)], [100, 0])
    const versions = (await whereIs(two)).releases.map(({ version }: any) => version)
    assert.deepEqual(versions, ['1.1.1', '1.0.0'])
  })
})
