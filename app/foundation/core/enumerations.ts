interface Named {
  name: string
  description: string
}

const names = new WeakMap<readonly string[], Named>()

/**
 * Names an enumeration as the specification does. The OpenAPI document refers to it by that name
 * wherever a request or a response contains one of its values.
 * @param description the meaning of the values, for the document
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
 * Returns the name and description of an enumeration for its JSON Schema; empty without a name.
 */
export function enumerationId(values: readonly string[]): { $id?: string; description?: string } {
  const named = names.get(values)
  return named === undefined ? {} : { $id: named.name, description: named.description }
}
