import { test } from '@japa/runner'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { code } from './support/code.js'

/*
 * A plugin implements what the product asks for. A method that nothing calls is named here, with
 * the part of the product that is to call it; a reason that nothing needs any more is refused.
 */

const UNCALLED: Readonly<Record<string, string>> = {
  'versionControl.openPullRequest': 'back-merges where a branch takes no direct merge',
  'versionControl.mergePullRequest': 'the same',
  'localization.getStoreMetadata': 'texts of the store from translations',
}

/** Code that calls providers for the product: no provider, and no simulation of one. */
const callers = code.filter(
  ({ path }) => !/^app\/(simulation|integrations\/providers)\//.test(path)
)
const text = callers.map((each) => each.text).join('\n')

/** Methods are called by name, or through `feature`; where optional, by `?.` or `!`. */
const isCalled = (method: string) =>
  new RegExp(`\\.${method}(\\?\\.|!)?\\(|'${method}'\\)`).test(text)

test.group('Methods of the plugin kit', () => {
  test('each has a caller in the product, or a reason', ({ assert }) => {
    const methods = [OPTIONAL_METHODS, REQUIRED_METHODS].flatMap((kinds) =>
      Object.entries(kinds).flatMap(([kind, names]) =>
        Object.keys(names).map((name) => `${kind}.${name}`)
      )
    )
    assert.isAbove(methods.length, 60)
    const uncalled = methods.filter((each) => !isCalled(each.split('.')[1]))
    assert.sameMembers(uncalled, Object.keys(UNCALLED))
  })
})
