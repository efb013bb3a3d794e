import { test } from '@japa/runner'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { code } from './support/code.js'

/*
 * A plugin implements what the product asks for: a method that nothing calls is left out of the kit.
 */

/** The types of capabilities that are named otherwise than their kind. */
const TYPES: Readonly<Record<string, string>> = { ci: 'ContinuousIntegration' }

/** Code that calls providers for the product: no provider, and no simulation of one. */
const callers = code.filter(
  ({ path }) => !/^app\/(simulation|integrations\/providers)\//.test(path)
)

/**
 * Methods are called by name, or through `feature`; where optional, by `?.` or `!`. What calls one
 * names the kind or the type of its capability: others have methods of the same name.
 */
const isCalled = (kind: string, method: string) => {
  const type = TYPES[kind] ?? `${kind[0].toUpperCase()}${kind.slice(1)}`
  const capability = new RegExp(`'${kind}'|\\b${type}\\b`)
  const call = new RegExp(`\\.${method}(\\?\\.|!)?\\(|'${method}'\\)`)
  return callers.some(({ text }) => capability.test(text) && call.test(text))
}

test.group('Methods of the plugin kit', () => {
  test('each has a caller in the product', ({ assert }) => {
    const methods = [OPTIONAL_METHODS, REQUIRED_METHODS].flatMap((kinds) =>
      Object.entries(kinds).flatMap(([kind, names]) =>
        Object.keys(names).map((name) => [kind, name])
      )
    )
    assert.isAbove(methods.length, 60)
    const uncalled = methods.filter(([kind, name]) => !isCalled(kind, name))
    assert.deepEqual(
      uncalled.map((each) => each.join('.')),
      []
    )
  })
})
