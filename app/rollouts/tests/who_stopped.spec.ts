import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { guarded } from './guarded.js'
import { rollingOut } from './support.js'

interface Warning {
  code: string
  message: string
  subject: { type: string }
}

/*
 * The answer to why a release does not move says who stopped its rollout, and why.
 */

test.group('GET …/whyNotMoving of a stopped rollout', (group) => {
  group.each.teardown(tidy)

  const warned = async ({
    admin,
    path,
  }: Pick<Awaited<ReturnType<typeof rollingOut>>, 'admin' | 'path'>) => {
    const { body } = await admin.get(`${path}/whyNotMoving`)
    return (body.warnings as Warning[]).filter(({ code }) => code === 'rollout_stopped')
  }

  for (const type of ['google', 'apple'] as const) {
    test(`names the person before and after the store shows the stop, ${type}`, async ({
      assert,
    }) => {
      const given = await rollingOut(type)
      const { admin, path, work } = given
      await admin.put(`${path}/rollout`, { action: 'pause' })
      const [before] = await warned(given)
      assert.match(
        before.message,
        /^admin decided to stop the rollout at .*still shows it at 1?[02] %/
      )
      for (let turn = 0; turn < 3; turn++) await work()
      const [after, ...others] = await warned(given)
      assert.isEmpty(others)
      assert.match(after.message, /^admin decided to stop .* It is (halted|paused) at 1?[02] %/)
      await admin.put(`${path}/rollout`, { action: 'resume' })
      assert.isEmpty(await warned(given))
    })
  }

  test('shows the finding of the guard, and names nobody for a stop outside of the service', async ({
    assert,
  }) => {
    const given = await guarded()
    const { crash, turns } = given
    crash()
    await turns(5)
    const [warning] = await warned(given)
    assert.match(
      warning.message,
      /^The guard decided to stop the rollout at .*: .*crashFreeSessions/
    )
    assert.equal(warning.subject.type, 'triageIssue')

    const other = await rollingOut()
    other.store.become('halted')
    other.store.rollout({ state: 'halted', fraction: 0.1 })
    for (let turn = 0; turn < 3; turn++) await other.work()
    const [outside] = await warned(other)
    assert.match(outside.message, /^The rollout was seen to be stopped outside of Tarmac at/)
  })
})
