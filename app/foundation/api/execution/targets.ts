import type { Principal } from '../../core/principal.js'
import type { AnyOperation } from '../operation/declaration.js'
import { parameterNames, parameters } from '../operation/parameters.js'

/** Returns the parameter that names the target of a write: the innermost one that can be locked. */
export function targetParameter(
  operation: AnyOperation,
  params: Record<string, string>,
  principal: Principal
): [name: string, value: string] {
  const locked = parameterNames(operation.path).findLast((name) => parameters.get(name).lock)
  if (locked) return [locked, params[locked]]
  for (const [name, { own, lock }] of parameters.entries()) {
    if (own && lock) return [name, own(principal)]
  }
  throw new Error('No parameter can be locked')
}

/** Returns the target of a write; writes with the same target are serialized. */
export function targetOf(
  operation: AnyOperation,
  params: Record<string, string>,
  principal: Principal
) {
  return targetParameter(operation, params, principal).join(' ')
}

/** Returns the values of a pattern's parameters in a path. */
export function paramsOf(pattern: string, path: string): Record<string, string> {
  const names = pattern.split('/')
  const values = path.split('/')
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name.startsWith('{') && values[index] !== undefined
        ? [[name.slice(1, -1), decodeURIComponent(values[index])]]
        : []
    )
  )
}
