import { test } from '@japa/runner'
import { makeFeatures } from './support.js'

/** Makes a release whose branch has a commit of its own. */
async function makeBranched(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, release, kickOff, look, admin, path, timeline, detail } = made
  repository.git('tag', 'v0.9.0', repository.commit())
  repository.commit({ message: 'Of both', files: { 'both.txt': '1' } })
  await release('1.0.0')
  await kickOff('1.0.0')
  repository.commit({ branch: 'release/1.0.0', message: 'Own', files: { 'own.txt': '1' } })
  await look()
  return {
    ...made,
    async warnings() {
      const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
      return body.warnings.map(({ code, subject }: any) => `${code} ${subject.id}`) as string[]
    },
    reported: async (type: string) =>
      (await timeline('1.0.0')).filter((each) => each.type === type),
    branch: async () => (await detail('1.0.0')).releaseBranch as string,
  }
}

test.group('The branch of a release', () => {
  test('is reported when it is gone, and its last observed state stays', async ({
    assert,
    cleanup,
  }) => {
    const { repository, look, items, warnings, reported, branch } = await makeBranched(cleanup)
    const before = await items('1.0.0')
    assert.property(before, 'Own')
    repository.git('branch', '-m', 'release/1.0.0', 'elsewhere')
    await look()
    await look()
    assert.deepEqual(await items('1.0.0'), before)
    assert.deepEqual(await warnings(), ['branch_missing release/1.0.0'])
    assert.lengthOf(await reported('release.branchMissing'), 1)
    repository.git('branch', '-m', 'elsewhere', 'release/1.0.0')
    repository.commit({ branch: 'release/1.0.0', message: 'More', files: { 'more.txt': '1' } })
    await look()
    assert.property(await items('1.0.0'), 'More')
    assert.deepEqual(await warnings(), [])
    assert.equal(await branch(), 'release/1.0.0')
  })

  test('is followed when it is renamed by the app’s present pattern', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeBranched(cleanup)
    const { repository, look, items, warnings, reported, branch, setBranches } = made
    repository.git('branch', '-m', 'release/1.0.0', 'rel/1.0.0')
    repository.commit({ branch: 'rel/1.0.0', message: 'More', files: { 'more.txt': '1' } })
    await setBranches({ allPattern: 'rel/{version}' })
    await look()
    assert.equal(await branch(), 'rel/1.0.0')
    assert.includeMembers(Object.keys(await items('1.0.0')), ['Own', 'More'])
    assert.deepEqual(await warnings(), [])
    const [entry] = await reported('release.branchRenamed')
    assert.deepEqual(entry.data, { from: 'release/1.0.0', to: 'rel/1.0.0' })
  })

  test('is not replaced by a branch that lacks some of its commits', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeBranched(cleanup)
    const { repository, look, items, warnings, branch, setBranches } = made
    const before = await items('1.0.0')
    repository.git('branch', '-m', 'release/1.0.0', 'kept')
    repository.git('branch', 'rel/1.0.0', 'main')
    await setBranches({ allPattern: 'rel/{version}' })
    await look()
    assert.equal(await branch(), 'release/1.0.0')
    assert.deepEqual(await items('1.0.0'), before)
    assert.deepEqual(await warnings(), ['branch_missing release/1.0.0'])
  })
})
