import { test } from '@japa/runner'
import { makeRepository } from '#features/tests/git_releases'
import { findChange } from '#features/queries/find_change'
import { placesOf } from '#features/queries/change_holders'
import type { Scope } from '#foundation/core/scope'

test.group('The cost of finding a change', () => {
  test('is nothing of working branches nobody asks of, where what they come after was never noted', async ({
    assert,
    cleanup,
  }) => {
    const { change, cut, ship, git, look, world, app, reported } = await makeRepository(cleanup)
    change('main', 'one')
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      await cut(version)
      change('main', `after ${version}`)
      await look()
      await ship(version)
    }
    git.on('main')
    const tip = git.git('rev-parse', 'HEAD')
    await world.write((scope) => scope.table('release_features').update({ working_edge: null }))
    const one = git.git('rev-parse', 'HEAD~3')
    const read: string[] = []
    const counted = (scope: Scope) =>
      new Proxy(scope, {
        get(target, name) {
          const value = Reflect.get(target, name, target)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            const bound = given[1] as { side?: string } | undefined
            if (name === 'rows' && bound?.side === 'working') read.push(bound.side)
            return value.apply(target, given)
          }
        },
      })
    const having = await world.write(async (scope) => {
      const commits = await findChange(scope, app, { commit: one })
      const places = await placesOf(counted(scope), app, commits)
      assert.lengthOf(places.holders, 3)
      assert.lengthOf(read, 0)
      return [...(await places.having([tip]))]
    })
    // The requested commit is only in the working branch of the last release.
    assert.deepEqual(having, [tip])
    assert.isAtMost(read.length, 1)
    assert.deepEqual(await reported('one'), ['1.2.0', '1.1.0', '1.0.0'])
  })
})
