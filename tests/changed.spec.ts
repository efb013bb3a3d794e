import { test } from '@japa/runner'
import { readImports, touchedBy } from './runner/changed.js'

const SPECS = [
  'app/builds/tests/builds.spec.ts',
  'app/releases/tests/releases.spec.ts',
  'app/stores/tests/derive.spec.ts',
  'app/stores/tests/submit.spec.ts',
  'tests/architecture.spec.ts',
  'tests/fuzz.spec.ts',
]

const IMPORTS = new Map([
  ['app/stores/submit.ts', ['app/releases/tables.ts']],
  ['app/stores/tests/submit.spec.ts', ['app/stores/tests/support.ts']],
  ['app/stores/tests/support.ts', ['tests/support/world.ts', 'tests/support/api.ts']],
  ['tests/support/api.ts', ['tests/support/world.ts']],
  ['tests/support/world.ts', ['tests/support/api.ts']],
])

const touched = (...changed: string[]) => touchedBy(changed, SPECS, IMPORTS)

test.group('What a change touches', () => {
  test('is a spec of its own, and those of the project', ({ assert }) => {
    const [spec] = SPECS
    assert.deepEqual(touched(spec), [spec, 'tests/architecture.spec.ts'])
    assert.deepEqual(touched('docs/how-to/README.md'), ['tests/architecture.spec.ts'])
  })

  test('is what imports a helper of tests, by others too', ({ assert }) => {
    assert.deepEqual(touched('tests/support/world.ts'), [
      'app/stores/tests/submit.spec.ts',
      'tests/architecture.spec.ts',
    ])
  })

  test('are the modules of a source and of those that import it', ({ assert }) => {
    assert.deepEqual(touched('app/releases/tables.ts'), SPECS.slice(1, 5))
    assert.deepEqual(touched('app/stores/submit.ts'), SPECS.slice(2, 5))
  })

  test('is everything where all begin', ({ assert }) => {
    for (const file of ['app/foundation/core/clock.ts', 'start/routes.ts', 'package.json']) {
      assert.deepEqual(touched(file), SPECS, file)
    }
  })

  test('is read from imports of either kind', ({ assert }) => {
    const imports = readImports()
    assert.include(imports.get('tests/changed.spec.ts'), 'tests/runner/changed.ts')
    const used = [...imports.values()].flat()
    for (const file of ['tests/support/effort.ts', 'app/releases/tables.ts']) {
      assert.include(used, file)
    }
  })
})
