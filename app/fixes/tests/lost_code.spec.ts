import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

/** Makes a release with a fix that was picked and observed there. */
async function makeMerged(cleanup: Parameters<typeof makeLate>[0]) {
  const late = await makeLate(cleanup)
  const { repository, ask, look, show } = late
  const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
  const id = await ask({ commitHashes: [fix] })
  await workAway()
  await look()
  if ((await show(id)).status !== 'merged') throw new Error('It is not merged')
  return {
    ...late,
    fix,
    id,
    lost: async () =>
      (await late.timeline('1.0.0')).filter(({ type }) => type === 'fix.codeLost').length,
    async turn() {
      await look()
      await workAway()
      const { status, failure, mergedAt } = await show(id)
      return [status, failure?.commitHash ?? null, mergedAt === null]
    },
  }
}

test.group('Code of a fix that was merged', () => {
  test('is reported lost if the release branch is forced away from it, and not picked again', async ({
    assert,
    cleanup,
  }) => {
    const { repository, fix, turn, lost, tip, subjects } = await makeMerged(cleanup)
    repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
    const before = tip()
    assert.deepEqual(await turn(), ['failed', fix, true])
    assert.deepEqual(await turn(), ['failed', fix, true])
    assert.deepEqual([await lost(), tip()], [1, before])
    const note = `Fix\n\n(cherry picked from commit ${fix})`
    repository.commit({ branch: BRANCH, message: note, files: { 'fix.txt': '1' } })
    assert.deepEqual(await turn(), ['merged', null, false])
    assert.deepEqual(subjects(), ['Fix', 'Of the release'])
  })

  test('is not picked again after somebody reverts it', async ({ assert, cleanup }) => {
    const { repository, fix, turn, lost, tip } = await makeMerged(cleanup)
    repository.commit({
      branch: BRANCH,
      message: `Revert "Fix"\n\nThis reverts commit ${tip()}.`,
      files: { 'fix.txt': null },
    })
    const before = tip()
    assert.deepEqual(await turn(), ['failed', fix, true])
    assert.deepEqual([await lost(), tip()], [1, before])
  })

  test('counts as present under another hash', async ({ assert, cleanup }) => {
    const { repository, turn, lost } = await makeMerged(cleanup)
    // The branch is rebuilt.
    repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
    repository.commit({ branch: BRANCH, message: 'Before it', files: { 'before.txt': '1' } })
    repository.commit({ branch: BRANCH, message: 'Fix', files: { 'fix.txt': '1' } })
    assert.deepEqual(await turn(), ['merged', null, false])
    assert.equal(await lost(), 0)
  })

  test('stays merged when more is done for its ticket', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, lost } = await makeMerged(cleanup)
    const id = await ask({ ticketId: 'SHOP-3' })
    repository.commit({ message: 'SHOP-3 One', files: { 'one.txt': '1' } })
    await look()
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    repository.commit({ message: 'SHOP-3 Two', files: { 'two.txt': '1' } })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(await lost(), 0)
  })
})
