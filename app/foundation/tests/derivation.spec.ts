import { test } from '@japa/runner'
import { derivations } from '#foundation/core/derivation'
import type { Scope } from '#foundation/core/scope'
import { makeWorld } from '#tests/support/world'

/** A row without a table; each test defines what is derived from it. */
class Sample {
  constructor(readonly id: string) {}
}

/** The action of deriving a sample, by its id. */
const rules = new Map<string, (scope: Scope, sample: Sample) => void>()
const derived: string[] = []
derivations
  .extend({
    model: Sample as never,
    async derive(scope, sample) {
      derived.push(sample.id)
      rules.get(sample.id)?.(scope, sample)
    },
  })
  .register()

test.group('The derivation in a unit of work', (group) => {
  group.each.setup(() => {
    derived.length = 0
    rules.clear()
  })

  test('derives each touched row once, after the action and before the commit', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await world.write(async (scope) => {
      for (const id of ['a', 'b', 'a']) scope.touch(new Sample(id))
      assert.isTrue(scope.isTouched)
      assert.isEmpty(derived)
    })
    assert.deepEqual(derived, ['b', 'a'])
  })

  test('derives rows that were touched meanwhile, in rounds until none is left', async ({
    assert,
  }) => {
    const world = await makeWorld()
    rules.set('a', (scope) => scope.touch(new Sample('b')))
    rules.set('b', (scope) => scope.touch(new Sample('c')))
    await world.write(async (scope) => scope.touch(new Sample('a')))
    assert.deepEqual(derived, ['a', 'b', 'c'])
  })

  test('fails, and commits nothing, if rules touch each other for ever', async ({ assert }) => {
    const world = await makeWorld()
    rules.set('a', (scope) => scope.touch(new Sample('b')))
    rules.set('b', (scope) => scope.touch(new Sample('a')))
    const before = await world.events()
    await assert.rejects(
      () => world.write(async (scope) => scope.touch(new Sample('a'))),
      'The rules of derived state do not converge'
    )
    assert.lengthOf(derived, 5)
    assert.deepEqual(await world.events(), before)
  })

  test('is part of a rehearsal, and separate from the rows outside of it', async ({ assert }) => {
    const world = await makeWorld()
    await world.write(async (scope) => {
      const { result } = await scope.rehearse(async (rehearsal) => {
        rehearsal.touch(new Sample('a'))
        return async () => [...derived]
      })
      assert.deepEqual(result, ['a'])
      assert.deepEqual(derived, ['a'])
      assert.isFalse(scope.isTouched)
    })
    assert.deepEqual(derived, ['a'])
  })

  test('fails for a row without a derivation rule', async ({ assert }) => {
    const world = await makeWorld()
    await assert.rejects(
      () => world.write(async (scope) => scope.touch({ id: 'x' })),
      'Nothing is derived of Object'
    )
  })
})
