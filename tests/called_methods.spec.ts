import { test } from '@japa/runner'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { code } from './support/code.js'

/*
 * Plugins implement only what the product needs: the kit has no method that nothing calls.
 */

/** Type names of capabilities, where they do not follow from the kind. */
const TYPES: Readonly<Record<string, string>> = { ci: 'ContinuousIntegration' }

/** Further names of variables that hold a capability, besides its kind. */
const NAMES: Readonly<Record<string, string>> = {
  experimentation: 'flags',
  localization: 'service',
}

/** Exceptions: still to be called by the product, or removed from the kit. */
const UNCALLED = ['testManagement.getRun']

/** Code that calls providers for the product: no provider, and no simulation of one. */
const callers = code.filter(
  ({ path }) => !/^app\/(simulation|integrations\/providers)\//.test(path)
)

/**
 * A method is called by its name, with `?.` or `!` where it is optional, or through `feature`. Other
 * classes have methods of the same name, so a call counts only on a variable named after the
 * capability, or in a file that names the capability's kind or type.
 */
const isCalled = (kind: string, method: string) => {
  const type = TYPES[kind] ?? `${kind[0].toUpperCase()}${kind.slice(1)}`
  const names = [kind, ...(kind in NAMES ? [NAMES[kind]] : [])].join('|')
  const capability = new RegExp(`'${kind}'|\\b${type}\\b`)
  const call = new RegExp(`\\.${method}(\\?\\.|!)?\\(|'${method}'\\)`)
  const callOnCapability = new RegExp(
    `\\b(${names})\\.${method}(\\?\\.|!)?\\(|feature\\((${names}), '${method}'\\)`
  )
  return callers.some(
    ({ text }) => callOnCapability.test(text) || (capability.test(text) && call.test(text))
  )
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
    assert.sameMembers(
      uncalled.map((each) => each.join('.')),
      UNCALLED
    )
  })
})
