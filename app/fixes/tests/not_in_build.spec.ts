import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeLate } from './late.js'
import { storeOf, type Late } from './store_of_late.js'

const warningsOf = async ({ admin, path }: Late) => {
  const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
  return body.warnings.filter(({ code }: { code: string }) => code === 'fix_not_in_build')
}

test.group('A fix that is merged', () => {
  for (const [state, standing] of [
    ['inReview', 'submitted'],
    ['live', 'rolling out'],
  ] as const) {
    test(`after the build that is ${standing} is missing in it, and people are notified`, async ({
      assert,
      cleanup,
    }) => {
      const late = await makeLate(cleanup)
      const { repository, ask, tip, timeline } = late
      await storeOf(late, tip(), state)
      const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
      const id = await ask({ commitHashes: [fix] })
      await workAway()
      const [warning, ...others] = await warningsOf(late)
      assert.deepEqual(others, [])
      assert.equal(warning.subject.id, id)
      assert.include(
        warning.message,
        `It crashes is merged and not in build 41, which is ${standing}`
      )
      const [merged] = await timeline('1.0.0', '?type=fixRequest.merged')
      assert.equal(
        merged.title,
        `Fix merged: It crashes. It is not in build 41, which is ${standing}`
      )
    })
  }

  test('causes no warning if it is in the build, or if the build is unknown', async ({
    assert,
    cleanup,
  }) => {
    for (const isKnown of [true, false]) {
      const late = await makeLate(cleanup)
      const { repository, ask, tip, look } = late
      const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
      await ask({ commitHashes: [fix] })
      await workAway()
      await look()
      await storeOf(late, isKnown ? tip() : 'f'.repeat(40), 'live')
      assert.deepEqual(await warningsOf(late), [])
    }
  })
})
