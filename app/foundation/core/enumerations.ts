interface Named {
  name: string
  description: string
}

const names = new WeakMap<readonly string[], Named>()

/**
 * A closed list of words under the name the specification gives it: wherever an input or an answer
 * takes these words, the document refers to the enumeration by that name.
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

/** As members of a JSON Schema; empty for a list without a name. */
export function enumerationId(values: readonly string[]): { $id?: string; description?: string } {
  const named = names.get(values)
  return named === undefined ? {} : { $id: named.name, description: named.description }
}
