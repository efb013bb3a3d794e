/** Returns query parameters as an object; a repeated or bracketed name becomes a list. */
export function queryObject(search: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of search) {
    const isList = name.endsWith('[]')
    const key = isList ? name.slice(0, -2) : name
    const before = query[key]
    if (before === undefined) query[key] = isList ? [value] : value
    else if (Array.isArray(before)) before.push(value)
    else query[key] = [before, value]
  }
  return { ...query }
}
