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

test.group('Specs that a change touches', () => {
  test('are the changed spec itself, and those of the project', ({ assert }) => {
    const [spec] = SPECS
    assert.deepEqual(touched(spec), [spec, 'tests/architecture.spec.ts'])
    assert.deepEqual(touched('docs/how-to/README.md'), ['tests/architecture.spec.ts'])
  })

  test('are those that import a changed test helper, directly or not', ({ assert }) => {
    assert.deepEqual(touched('tests/support/world.ts'), [
      'app/stores/tests/submit.spec.ts',
      'tests/architecture.spec.ts',
    ])
  })

  test('are those of the module of a changed source, and of the modules that import it', ({
    assert,
  }) => {
    assert.deepEqual(touched('app/releases/tables.ts'), SPECS.slice(1, 5))
    assert.deepEqual(touched('app/stores/submit.ts'), SPECS.slice(2, 5))
  })

  test('are all when a file changes that everything depends on', ({ assert }) => {
    for (const file of ['app/foundation/core/clock.ts', 'start/routes.ts', 'package.json']) {
      assert.deepEqual(touched(file), SPECS, file)
    }
  })

  test('are found by relative imports and by aliases', ({ assert }) => {
    const imports = readImports()
    assert.include(imports.get('tests/changed.spec.ts'), 'tests/runner/changed.ts')
    const used = [...imports.values()].flat()
    for (const file of ['tests/support/effort.ts', 'app/releases/tables.ts']) {
      assert.include(used, file)
    }
  })
})
