import type { JsonSchema, SchemaCollector, Shared } from './collect_schemas.js'

/** Minimum length of an example for which sharing saves space, in characters. */
const MIN_LENGTH = 200

/** Minimum saving in characters for which an unnamed schema gets a name. */
const MIN_SAVED = 120

/** Approximate length of a reference to a shared schema, in characters. */
const REFERENCE_LENGTH = 60

/** The content of a body, by type. */
type Content = Record<string, { example?: unknown; examples?: { example: unknown } }>

interface Bodied {
  content?: Content
}

/** Something with bodies: an operation, or a webhook. */
export interface WithBodies {
  operationId: string
  requestBody?: unknown
  responses: Record<string, unknown>
  [member: string]: unknown
}

/** An operation as the document describes it. */
export interface Described extends WithBodies {
  parameters: JsonSchema[]
  responses: Record<string, JsonSchema>
}

/**
 * Moves parameters and answers that several operations have in common to `components`. A parameter
 * is named by its name, a response by its first operation.
 */
export function shareAlike(operations: readonly Described[], collector: SchemaCollector): void {
  const results = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((key) => ({ in: responses, key, name: `${operationId}-${key}` }))
  )
  const parameters = operations.flatMap(({ parameters: all }) =>
    Object.keys(all).map((key) => ({ in: all as never, key, name: String(all[Number(key)].name) }))
  )
  shareIn('responses', results, collector)
  shareIn('parameters', parameters, collector)
}

/** A place in the document whose value may occur elsewhere, too. */
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
 * Moves examples that several bodies have in common to `components`. An example is named by the
 * first operation and body that uses it.
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
    if (same.length === 1 || text.length < MIN_LENGTH) continue
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
 * Moves equal members of schemas, at any depth, to `components`. Each is named by the path where it
 * occurs first: `WebhookEndpointCreate.events`. The longest are moved first, so that members inside
 * of them count only once.
 */
export function shareSchemas(collector: SchemaCollector): void {
  const places = Object.entries(collector.schemas).flatMap(([name, schema]) =>
    membersOf(schema, name)
  )
  const alike = [...Map.groupBy(places, ({ in: all, key }) => JSON.stringify(all[key]))]
  const moved = new Set<object>()
  for (const [text, same] of alike.sort(([one], [other]) => other.length - one.length)) {
    const remaining = same.filter(({ in: all }) => !moved.has(all))
    const saved = (remaining.length - 1) * text.length - remaining.length * REFERENCE_LENGTH
    const named = remaining.find(({ name }) => !(name in collector.schemas))
    if (saved < MIN_SAVED || !named) continue
    collector.schemas[named.name] = named.in[named.key]
    for (const { in: all, key } of remaining) {
      if (all !== named.in) for (const inner of membersOf(all[key], '')) moved.add(inner.in)
      all[key] = collector.add(named.name, {})
    }
  }
}

/** Returns the members of a schema and of its variants and items, at any depth. */
function membersOf(schema: JsonSchema, name: string): Place[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const variants = ['allOf', 'anyOf', 'oneOf'].flatMap(
    (each) => (schema[each] ?? []) as JsonSchema[]
  )
  const items = schema.items ? [schema.items as JsonSchema] : []
  return [
    ...Object.entries(properties).flatMap(([key, member]) => [
      { in: properties, key, name: `${name}.${key}` },
      ...membersOf(member, `${name}.${key}`),
    ]),
    ...[...variants, ...items].flatMap((each) => membersOf(each, name)),
  ]
}

/** Minimum members of a base: fewer may be equal by chance. */
const MIN_EXTENDED = 4

interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>
  required?: string[]
}

/**
 * Makes an entity that has all members of another one extend it (`allOf`). Schemas of webhooks may
 * extend entities, but not the other way round.
 */
export function extendSchemas({ schemas }: SchemaCollector): void {
  const objects = Object.entries(schemas).filter(
    (entry): entry is [string, ObjectSchema] =>
      'properties' in entry[1] && !('allOf' in entry[1] || 'additionalProperties' in entry[1])
  )
  const longestFirst = objects.toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one))
  for (const [name, { properties, required = [], ...rest }] of objects) {
    const own = { properties, required } as ObjectSchema
    const base = longestFirst.find(
      ([of, schema]) =>
        sizeOf(schema) >= MIN_EXTENDED &&
        sizeOf(schema) < sizeOf(own) &&
        (!of.startsWith('Webhook') || name.startsWith('Webhook')) &&
        holds(own, schema)
    )
    if (!base) continue
    const [of, { properties: inherited }] = base
    const isOwn = (key: string) => !(key in inherited)
    const needed = required.filter(isOwn)
    schemas[name] = {
      ...rest,
      allOf: [{ $ref: `#/components/schemas/${of}` }],
      ...(needed.length > 0 && { required: needed }),
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isOwn(key))),
    }
  }
}

const sizeOf = ({ properties }: ObjectSchema) => Object.keys(properties).length

/** Returns whether one has all members of the other, with equal schemas and equally required. */
function holds(one: ObjectSchema, other: ObjectSchema): boolean {
  const isNeeded = ({ required = [] }: ObjectSchema, key: string) => required.includes(key)
  return Object.entries(other.properties).every(
    ([key, member]) =>
      JSON.stringify(one.properties[key]) === JSON.stringify(member) &&
      isNeeded(one, key) === isNeeded(other, key)
  )
}
