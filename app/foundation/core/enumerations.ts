const names = new WeakMap<readonly string[], string>()

/**
 * A closed list of words under the name the specification gives it: wherever an input or an
 * answer takes these words, the document refers to the enumeration by that name.
 */
export function enumeration<const Values extends readonly string[]>(
  name: string,
  values: Values
): Values {
  names.set(values, name)
  return values
}

/** As a member of a JSON Schema; empty for a list without a name. */
export function enumerationId(values: readonly string[]): { $id?: string } {
  const name = names.get(values)
  return name === undefined ? {} : { $id: name }
}
