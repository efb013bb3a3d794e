import { test } from '@japa/runner'
import { allProblems } from '#foundation/core/problems/catalog'
import { code, sources } from './support/code.js'
import { parse, readSources } from './support/sources.js'
import { refusedCodes, unusedExports } from './support/unused.js'

/*
 * Nothing is kept that nobody needs.
 */

/** Exports that no code imports by name, each with the reason why it is needed. */
const NEEDED: readonly { what: RegExp; by: string }[] = [
  { what: /_worker\.ts default$/, by: 'A thread is started with its file.' },
  { what: /\/tables\.ts \w+$/, by: 'Tests compare every description with its table.' },
  {
    what: /^app\/agents\/tools\/catalog\.ts LEFT_OUT$/,
    by: 'A test reads this list, which stands beside the tools.',
  },
]

/** Codes that one file chooses and another refuses with, by the file that chooses them. */
const CHOSEN: Readonly<Record<string, string>> = {
  key_missing: 'app/foundation/api/http/http_adapter.ts',
  key_invalid: 'app/organizations/api_key_authenticator.ts',
  key_revoked: 'app/organizations/api_key_authenticator.ts',
  key_expired: 'app/organizations/api_key_authenticator.ts',
  release_not_skipped: 'app/releases/engine/transitions.ts',
  release_kicked_off: 'app/releases/engine/transitions.ts',
}

const OTHERS = [
  'benchmarks',
  'bin',
  'config',
  'database',
  'packages',
  'providers',
  'start',
  'tests',
]

test.group('unused', () => {
  test('what a file exports is imported by another', ({ assert }) => {
    const unused = unusedExports(sources, [...sources, ...OTHERS.flatMap(readSources)])
    assert.deepEqual(
      unused.filter((each) => !NEEDED.some(({ what }) => what.test(each))),
      []
    )
    // Every exception still applies.
    assert.deepEqual(
      NEEDED.filter(({ what }) => !unused.some((each) => what.test(each))),
      []
    )
  })

  test('an export without an importer is detected', ({ assert }) => {
    const files = [
      parse(
        'app/a.ts',
        `export const one = 1
        export function two() {}
        export class Three {}
        export const four = 4
        export const five = four
        export default class {}
        export interface Six {}`
      ),
      parse('app/b.ts', `import { one } from './a.js'`),
      parse('app/tests/b.spec.ts', `import { two, four, five } from '../a.js'`),
    ]
    const unused = ['two', 'Three', 'five', 'default'].map((name) => `app/a.ts ${name}`)
    assert.deepEqual(unusedExports(files, files), unused)
    for (const text of [
      `import * as a from './a.js'`,
      `export * from './a.js'`,
      `const a = () => import('./a.js')`,
    ]) {
      assert.deepEqual(unusedExports(files, [...files, parse('app/c.ts', text)]), [], text)
    }
    const named = `export { two } from './a.js'
      import Other, { Three as Third } from './a.js'`
    assert.deepEqual(unusedExports(files, [...files, parse('app/c.ts', named)]), ['app/a.ts five'])
  })

  test('every problem code is refused with somewhere', ({ assert }) => {
    const refused = refusedCodes(code)
    const unanswered = [...allProblems().keys()].filter((each) => !refused.has(each))
    assert.sameMembers(unanswered, Object.keys(CHOSEN))
    for (const [each, path] of Object.entries(CHOSEN)) {
      const chosen = code.find((source) => source.path === path)
      assert.include(chosen?.text, `'${each}'`)
    }
  })

  test('a code counts where it is refused with, and nowhere else', ({ assert }) => {
    const refused = refusedCodes([
      parse(
        'app/a.ts',
        `throw refuse('one', { detail: 'two' })
        throw refuse(isLate ? 'three' : 'four')
        throw new Problem('five')
        const six = 'six'`
      ),
      parse('app/tests/a.spec.ts', `refuse('seven')`),
    ])
    assert.sameMembers([...refused], ['one', 'three', 'four', 'five'])
  })
})
