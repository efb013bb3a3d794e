import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

/** Makes a release, and records the state of a request after each poll. */
async function makeMoving(cleanup: Parameters<typeof makeLate>[0]) {
  const late = await makeLate(cleanup)
  const { repository, look, show, timeline } = late
  return {
    ...late,
    async turn(id: string) {
      await look()
      await workAway()
      return (await show(id)).status as string
    },
    /** Returns the timeline's merges and losses, newest first. */
    reported: async () =>
      (await timeline('1.0.0'))
        .map(({ type }) => type)
        .filter((type) => ['fix.codeLost', 'fixRequest.merged'].includes(type)),
    revert: (hash: string, files: Record<string, string | null>) =>
      repository.commit({ message: `Revert it\n\nThis reverts commit ${hash}.`, files }),
    back: (count: number) =>
      repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~${count}`),
  }
}

test.group('Code of a merged fix that moves', () => {
  test('is reported lost if it goes with the very next change', async ({ assert, cleanup }) => {
    const { repository, ask, turn, reported, back } = await makeMoving(cleanup)
    const id = await ask({ pullRequestNumbers: [7] })
    repository.commit({ branch: BRANCH, message: 'Fix (#7)', files: { 'fix.txt': '1' } })
    assert.equal(await turn(id), 'merged')
    back(1)
    assert.equal(await turn(id), 'failed')
    repository.commit({ branch: BRANCH, message: 'More', files: { 'more.txt': '1' } })
    assert.equal(await turn(id), 'failed')
    assert.deepEqual(await reported(), ['fix.codeLost', 'fixRequest.merged'])
  })

  test('is reported lost even if the working branch no longer has it either', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, turn, reported, revert, back, tip } = await makeMoving(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    await turn(id)
    assert.equal(await turn(id), 'merged')
    revert(fix, { 'fix.txt': null })
    assert.equal(await turn(id), 'merged')
    back(1)
    const before = tip()
    assert.equal(await turn(id), 'failed')
    repository.commit({ message: 'Other', files: { 'other.txt': '1' } })
    assert.equal(await turn(id), 'failed')
    assert.equal(tip(), before)
    assert.lengthOf(await reported(), 2)
  })

  test('is not lost if only the working branch reverted it', async ({ assert, cleanup }) => {
    const { repository, ask, turn, reported, revert } = await makeMoving(cleanup)
    const fix = repository.commit({ message: 'Fix (#7)', files: { 'fix.txt': '1' } })
    const message = `[1.0] Fix it (#7)\n\n(cherry picked from commit ${fix})`
    repository.commit({ branch: BRANCH, message, files: { 'fix.txt': '1' } })
    const ids = [await ask({ pullRequestNumbers: [7] }), await ask({ commitHashes: [fix] })]
    for (const id of ids) assert.equal(await turn(id), 'merged')
    repository.commit({ message: 'Other', files: { 'other.txt': '1' } })
    for (const id of ids) assert.equal(await turn(id), 'merged')
    revert(fix, { 'fix.txt': null })
    for (const id of ids) assert.equal(await turn(id), 'merged')
    assert.deepEqual(await reported(), ['fixRequest.merged', 'fixRequest.merged'])
  })

  test('is not lost if a person finished its pick and the working branch reverted it', async ({
    assert,
    cleanup,
  }) => {
    const { repository, conflicting, ask, turn, reported, revert, look } = await makeMoving(cleanup)
    const fix = conflicting()
    await look()
    const id = await ask({ commitHashes: [fix] })
    assert.equal(await turn(id), 'failed')
    const message = `Fix for 1.0\n\n(cherry picked from commit ${fix})`
    repository.commit({ branch: BRANCH, message, files: { 'file.txt': 'four\n' } })
    assert.equal(await turn(id), 'merged')
    repository.commit({ message: 'Other', files: { 'other.txt': '1' } })
    assert.equal(await turn(id), 'merged')
    revert(fix, { 'file.txt': 'one\n' })
    assert.equal(await turn(id), 'merged')
    assert.deepEqual(await reported(), ['fixRequest.merged'])
  })

  test('is found in a squash that names its pull request', async ({ assert, cleanup }) => {
    const { repository, ask, turn, reported, back } = await makeMoving(cleanup)
    const id = await ask({ pullRequestNumbers: [7] })
    repository.commit({ branch: BRANCH, message: 'Fix one (#7)', files: { 'fix.txt': '1' } })
    assert.equal(await turn(id), 'merged')
    repository.commit({ branch: BRANCH, message: 'More', files: { 'more.txt': '1' } })
    assert.equal(await turn(id), 'merged')
    back(2)
    const files = { 'fix.txt': '1', 'more.txt': '1' }
    repository.commit({ branch: BRANCH, message: 'Fix one and more (#7)', files })
    assert.equal(await turn(id), 'merged')
    assert.deepEqual(await reported(), ['fixRequest.merged'])
    back(1)
    assert.equal(await turn(id), 'failed')
  })
})
