import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

const NOW_CALLED = 'rel/1.0.0'

/** Returns the timeline entries about failed picks. */
const failed = async ({ timeline }: Awaited<ReturnType<typeof makeLate>>) =>
  (await timeline('1.0.0')).filter(({ type }) => type.endsWith('Failed'))

test.group('The branch of a release that is renamed at its host', () => {
  for (const wayIn of ['cherryPick', 'backMerge']) {
    test(`gets code that was requested before the rename was observed: ${wayIn}`, async ({
      assert,
      cleanup,
    }) => {
      const late = await makeLate(cleanup)
      const { repository, ask, show, look, setBranches } = late
      const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
      await look()
      repository.git('branch', '-m', BRANCH, NOW_CALLED)
      await setBranches({ allPattern: 'rel/{version}' })
      const id = await ask({ commitHashes: [fix], wayIn })
      await workAway()
      await workAway()
      await look()
      const { status, failure } = await show(id)
      assert.deepEqual([status, failure], ['merged', null])
      assert.isEmpty(await failed(late))
      assert.include(repository.git('log', '--format=%s', NOW_CALLED).split('\n'), 'Fix')
      assert.isNull(repository.tip(BRANCH))
    })
  }

  test('is waited for while its name is unknown, and nothing fails', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look } = late
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    repository.git('branch', '-m', BRANCH, 'elsewhere')
    const id = await ask({ commitHashes: [fix] })
    for (let turn = 0; turn < 4; turn++) await look()
    assert.equal((await show(id)).status, 'approved')
    const commands = () =>
      db.from('jobs').where({ kind: 'fixRequest.pick', subject: id }).select('id')
    assert.lengthOf(await commands(), 1)
    repository.git('branch', '-m', 'elsewhere', BRANCH)
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.lengthOf(await commands(), 2)
    assert.isEmpty(await failed(late))
  })

  test('does not hide failures for another reason', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { ask, show, fails } = late
    fails.compare = 'unavailable'
    // A commit that the host neither has nor reports as missing.
    const id = await ask({ commitHashes: ['a'.repeat(40)] })
    delete fails.compare
    await workAway()
    assert.equal((await show(id)).status, 'failed')
    assert.lengthOf(await failed(late), 1)
  })
})
