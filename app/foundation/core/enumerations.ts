interface Named {
  name: string
  description: string
}

const names = new WeakMap<readonly string[], Named>()

/**
 * Names a closed list of words as the specification does. The OpenAPI document refers to it by that
 * name wherever an input or an answer takes these words.
 * @param description what the words mean, for the document
 */
export function enumeration<const Values extends readonly string[]>(
  name: string,
  values: Values,
  description: string
): Values {
  names.set(values, { name, description })
  return values
}

/**
 * Returns the name and description of a list for its JSON Schema; empty for a list without a name.
 */
export function enumerationId(values: readonly string[]): { $id?: string; description?: string } {
  const named = names.get(values)
  return named === undefined ? {} : { $id: named.name, description: named.description }
}
