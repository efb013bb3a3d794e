import { test } from '@japa/runner'
import { counted } from '#tests/support/counted'
import { yieldsOf } from '#tests/support/yields'
import { makeWorld } from '#tests/support/world'
import { ChangeAppFromConfiguration } from '../actions/change_app_from_configuration.js'
import { CreateAppFromConfiguration } from '../actions/create_app_from_configuration.js'
import { withWarnings, type PlannedChange } from '../plan.js'
import { HEAD, step, tree } from './helpers.js'

const MANY = 30
const numbered = (make: (index: number) => string) =>
  Array.from({ length: MANY }, (_, i) => make(i))

test.group('Files of many entries', () => {
  test('are stored with the thread yielded in between', async ({ assert }) => {
    const world = await makeWorld()
    const types = 'standard: {required: true}'
    const steps = numbered((index) => step('screenshots', types, `Step ${index}`))
    const file = tree(
      `${HEAD}appUsers: [${numbered((index) => `user${index}@acme.example`)}]\n` +
        `buildDistro: {buckets: {${numbered((index) => `b${index}:`)}}}\n` +
        `stepGroups: [{steps: [${steps}]}]`
    )
    let appId = ''
    const made = await world.write((scope) =>
      yieldsOf(async () => ({ appId } = await new CreateAppFromConfiguration(scope).handle(file)))
    )
    assert.isAtLeast(made, 3 * MANY)
    const empty = tree('buildDistro: {buckets: {}}\nstepGroups: [{steps: [' + steps[0] + ']}]')
    const changed = await world.write(async (scope) => {
      await scope.lock('apps', appId)
      return yieldsOf(() => new ChangeAppFromConfiguration(scope).handle(appId, empty))
    })
    assert.isAtLeast(changed, 2 * MANY - 1)
  })

  test('are planned without going through all changes for each warning', ({ assert }) => {
    const change = (path: string): PlannedChange => {
      return { op: 'add', path, from: null, to: null, effect: 'Something' }
    }
    const readsOf = (count: number) => {
      const own = change('x-destinations.d.appStoreReleaseSettings')
      const others = Array.from({ length: count }, (_, i) => change(`buildDistro.buckets.b${i}`))
      const changes = counted([...others, own])
      const warnings = Array.from({ length: 150 }, () => ({
        ...{ pointer: '', line: 1, column: 1, code: 'no_meaning' as const, message: 'Told' },
        path: `${own.path}.rollout.ladder`,
      }))
      const reported = withWarnings(changes.value, warnings)
      assert.match(reported.at(-1)!.effect, /^Something(\. Told){150}$/)
      assert.equal(reported[0].effect, 'Something')
      return changes.reads()
    }
    assert.isAtMost(readsOf(2000), 10.5 * readsOf(200))
  })
})
