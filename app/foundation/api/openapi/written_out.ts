/** Operations by path and method. */
type Paths = Record<string, Record<string, { parameters?: unknown[]; responses: object }>>

const mapped = (members: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]))

/** The document with shared parameters, headers and responses written out at each operation. */
export function writtenOut(document: Record<string, unknown>): Record<string, unknown> {
  const components = document.components as Record<string, Record<string, unknown>>
  const resolve = (value: unknown) => {
    const { $ref } = value as { $ref?: string }
    if ($ref === undefined) return value
    const [kind, name] = $ref.split('/').slice(-2)
    return components[kind][name]
  }
  const paths = Object.entries(document.paths as Paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { parameters = [], responses, ...rest }]) => [
        method,
        {
          ...rest,
          parameters: parameters.map(resolve),
          responses: mapped(responses, (each) => {
            const response = resolve(each) as { headers?: object }
            return { ...response, headers: mapped(response.headers ?? {}, resolve) }
          }),
        },
      ])
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}
