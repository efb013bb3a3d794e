import { test } from '@japa/runner'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { code } from './support/code.js'

/*
 * A plugin implements what the product asks for: a method that nothing calls is left out of the kit.
 */

/** The types of capabilities that are named otherwise than their kind. */
const TYPES: Readonly<Record<string, string>> = { ci: 'ContinuousIntegration' }

/** Names of variables that hold a capability, beside its kind. */
const NAMES: Readonly<Record<string, string>> = {
  experimentation: 'flags',
  localization: 'service',
}

/** Those that are still to be called, or left out. */
const UNCALLED = ['testManagement.getRun']

/** Code that calls providers for the product: no provider, and no simulation of one. */
const callers = code.filter(
  ({ path }) => !/^app\/(simulation|integrations\/providers)\//.test(path)
)

/**
 * Methods are called by name, or through `feature`; where optional, by `?.` or `!`. What calls one
 * names the kind or the type of its capability, or what it calls is named after it: others have
 * methods of the same name.
 */
const isCalled = (kind: string, method: string) => {
  const type = TYPES[kind] ?? `${kind[0].toUpperCase()}${kind.slice(1)}`
  const names = [kind, ...(kind in NAMES ? [NAMES[kind]] : [])].join('|')
  const capability = new RegExp(`'${kind}'|\\b${type}\\b`)
  const call = new RegExp(`\\.${method}(\\?\\.|!)?\\(|'${method}'\\)`)
  const own = new RegExp(
    `\\b(${names})\\.${method}(\\?\\.|!)?\\(|feature\\((${names}), '${method}'\\)`
  )
  return callers.some(({ text }) => own.test(text) || (capability.test(text) && call.test(text)))
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
