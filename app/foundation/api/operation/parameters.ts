import type { Principal } from '../../core/principal.js'
import type { Prefetcher, Scope } from '../../core/scope.js'

/** The meaning of a path parameter, declared by the module whose ids it takes. */
export interface ParameterDeclaration {
  description: string
  example: string
  /** Returns its value if the path does not contain it: the organization of the key. */
  own?(principal: Principal): string
  /**
   * Refuses a value that the principal cannot see or must not change, before any input is read.
   * @throws not_found and others
   */
  admit?(scope: Scope, value: string, isWrite: boolean): void | Promise<void>
  /**
   * Locks the row of the value until the transaction ends, which serializes writes to it; absent if
   * writes need no order.
   * @returns false if the row does not exist
   */
  lock?(scope: Scope, value: string): Promise<boolean>
  /**
   * Sends the first reads of a write to the value in advance (`Scope.prefetch`), together with the
   * lock or while the previous write is running.
   * @param params all parameters of the path
   */
  prefetch?(asker: Prefetcher, params: Readonly<Record<string, string>>): void
  /** Describes when a request is answered 308; present if ids of this kind can change. */
  moves?: string
}

/** The path parameters of every module, by name. */
class ParameterRegistry {
  readonly #parameters = new Map<string, ParameterDeclaration>()

  /** @throws when a name is declared twice. */
  add(parameters: Readonly<Record<string, ParameterDeclaration>>): void {
    for (const [name, declaration] of Object.entries(parameters)) {
      if (this.#parameters.has(name)) throw new Error(`The parameter ${name} is declared twice`)
      this.#parameters.set(name, declaration)
    }
  }

  /** @throws when nobody declared it. */
  get(name: string): ParameterDeclaration {
    const found = this.#parameters.get(name)
    if (!found) throw new Error(`The path parameter ${name} is not described`)
    return found
  }

  /** Returns the parameters of a path with their names, in the order of the path. */
  in(path: string): [name: string, declaration: ParameterDeclaration][] {
    return parameterNames(path).map((name) => [name, this.get(name)])
  }

  entries(): IterableIterator<[string, ParameterDeclaration]> {
    return this.#parameters.entries()
  }
}

/** Completes the parameters of an operation with those that the principal implies. */
export function ownParams(
  { path }: { path: string },
  principal: Principal,
  given: Readonly<Record<string, string>>
): Record<string, string> {
  const params = { ...given }
  for (const [name, { own }] of parameters.in(path)) {
    if (own) params[name] ??= own(principal)
  }
  return params
}

/** Returns the parameter names in a path: `/app/{appId}` has `appId`. */
export function parameterNames(path: string): readonly string[] {
  let names = namesInPaths.get(path)
  if (!names) {
    names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    namesInPaths.set(path, names)
  }
  return names
}

/** Parameter names by declared path; they are needed for every request. */
const namesInPaths = new Map<string, readonly string[]>()

export const parameters = new ParameterRegistry()
