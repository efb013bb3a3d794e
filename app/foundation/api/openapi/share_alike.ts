import type { JsonSchema, SchemaCollector, Shared } from './collect_schemas.js'

/** Characters from which a shared example is shorter than two of them. */
const LEAST_LENGTH = 200

/** Characters from which a schema without a name is worth one. */
const LEAST_SCHEMA = 400

/** The content of a body, by type. */
type Content = Record<string, { example?: unknown; examples?: { example: unknown } }>

interface Bodied {
  content?: Content
}

/** What has bodies: an operation, or a webhook. */
export interface WithBodies {
  operationId: string
  requestBody?: unknown
  responses: Record<string, unknown>
  [member: string]: unknown
}

/** An operation as the document has it. */
export interface Described extends WithBodies {
  parameters: JsonSchema[]
  responses: Record<string, JsonSchema>
}

/**
 * Has the operations share the parameters and answers that several of them have in common. A
 * parameter goes by its name, an answer by its first operation.
 */
export function shareAlike(operations: readonly Described[], collector: SchemaCollector): void {
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((key) => ({ in: responses, key, name: `${operationId}-${key}` }))
  )
  const parameters = operations.flatMap(({ parameters: all }) =>
    Object.keys(all).map((key) => ({ in: all as never, key, name: String(all[Number(key)].name) }))
  )
  shareIn('responses', answers, collector)
  shareIn('parameters', parameters, collector)
}

/** A place in the document whose value may stand elsewhere, too. */
interface Place {
  in: Record<string, JsonSchema>
  key: string
  name: string
}

function shareIn(kind: Shared, places: readonly Place[], collector: SchemaCollector): void {
  const open = places.filter(({ in: all, key }) => !('$ref' in all[key]))
  for (const same of Map.groupBy(open, ({ in: all, key }) => JSON.stringify(all[key])).values()) {
    const [{ in: first, key: of, name }] = same
    if (same.length === 1 || name in collector.shared[kind]) continue
    const value = first[of]
    for (const { in: all, key } of same) all[key] = collector.share(kind, name, value)
  }
}

/**
 * Has bodies share the examples that several of them have in common. One goes by the first
 * operation and body that it is of.
 */
export function shareExamples(operations: readonly WithBodies[], collector: SchemaCollector): void {
  const ofOperations = operations.flatMap(({ operationId, requestBody, responses }) => [
    ...placesIn(requestBody, operationId),
    ...Object.entries(responses).flatMap(([status, each]) =>
      placesIn(each, `${operationId}-${status}`)
    ),
  ])
  const ofShared = Object.entries(collector.shared.responses).flatMap(([name, each]) =>
    placesIn(each, name)
  )
  const places = [...ofOperations, ...ofShared]
  const alike = Map.groupBy(places, ({ content, type }) => JSON.stringify(content[type].example))
  for (const [text, same] of alike) {
    if (same.length === 1 || text.length < LEAST_LENGTH) continue
    const [{ name }] = same
    for (const { content, type } of same) {
      const { example: value, ...media } = content[type]
      content[type] = {
        ...media,
        examples: { example: collector.share('examples', name, { value }) },
      }
    }
  }
}

function placesIn(body: unknown, name: string) {
  const content = (body as Bodied | undefined)?.content ?? {}
  return Object.keys(content)
    .filter((type) => content[type].example !== undefined)
    .map((type) => ({ content, type, name }))
}

/**
 * Has schemas share the objects and lists that several of them have among their members. One goes
 * by the schema and the member where it stands first: `WebhookEndpointCreate.events`.
 */
export function shareSchemas(collector: SchemaCollector): void {
  const places = Object.entries(collector.schemas).flatMap(([name, schema]) =>
    [schema, ...((schema.allOf ?? []) as JsonSchema[])].flatMap(({ properties }) =>
      Object.keys(properties ?? {}).map((key) => ({
        in: properties as Record<string, JsonSchema>,
        key,
        name: `${name}.${key}`,
      }))
    )
  )
  const alike = Map.groupBy(places, ({ in: all, key }) => JSON.stringify(all[key]))
  for (const [text, same] of alike) {
    if (same.length === 1 || text.length < LEAST_SCHEMA) continue
    const [{ in: first, key: of, name }] = same
    const value = first[of]
    for (const { in: all, key } of same) all[key] = collector.add(name, value)
  }
}
