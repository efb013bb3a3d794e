interface Operation {
  parameters?: unknown[]
  requestBody?: object
  responses: object
}

/** Operations by path and method. */
type Paths = Record<string, Record<string, Operation>>

const mapped = (members: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]))

/**
 * Returns the document with shared parameters, headers, responses and examples written out at each
 * operation and webhook.
 */
export function writtenOut(document: Record<string, unknown>): Record<string, unknown> {
  const components = document.components as Record<string, Record<string, unknown>>
  const resolve = (value: unknown) => {
    const { $ref } = value as { $ref?: string }
    if ($ref === undefined) return value
    const [kind, name] = $ref.split('/').slice(-2)
    return components[kind][name]
  }
  const media = (value: unknown) => {
    const { examples, ...rest } = value as { examples?: { example: unknown } }
    if (!examples) return value
    return { ...rest, example: (resolve(examples.example) as { value: unknown }).value }
  }
  const body = <Body extends object>(value: Body & { content?: object }) =>
    value.content ? { ...value, content: mapped(value.content, media) } : value
  const response = (value: unknown) => {
    const resolved = resolve(value) as { headers?: object; content?: object }
    return { ...body(resolved), headers: mapped(resolved.headers ?? {}, resolve) }
  }
  const operation = ({ parameters = [], requestBody, responses, ...rest }: Operation) => ({
    ...rest,
    ...(requestBody && { requestBody: body(requestBody) }),
    parameters: parameters.map(resolve),
    responses: mapped(responses, response),
  })
  const item = (methods: unknown) =>
    mapped(methods as object, (each) => operation(each as Operation))
  return {
    ...document,
    paths: mapped(document.paths as Paths, item),
    webhooks: mapped(document.webhooks as Paths, item),
  }
}
