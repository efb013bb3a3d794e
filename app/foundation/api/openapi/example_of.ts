import type { EventDeclaration } from '../../core/events/catalog.js'
import { payloadSchema } from '../../core/events/payloads.js'
import { SchemaCollector, type JsonSchema } from './collect_schemas.js'

const TEXTS: Record<string, string> = {
  'date-time': '2026-11-20T09:00:00.000Z',
  'date': '2026-11-20',
  'email': 'ada@acme.example',
  'uri': 'https://acme.example/page',
}

/**
 * A plausible value of a schema, for documents: the schema's own example where it has
 * one, else the simplest value that fits.
 */
export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>): unknown {
  if (typeof schema.$ref === 'string') {
    return exampleOf(schemas[schema.$ref.split('/').at(-1)!], schemas)
  }
  if (schema.example !== undefined) return schema.example
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (variants) return exampleOf(variants[0], schemas)
  if (Array.isArray(schema.allOf)) {
    return Object.assign(
      {},
      ...(schema.allOf as JsonSchema[]).map((each) => exampleOf(each, schemas))
    )
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return typeof schema.format === 'string' ? (TEXTS[schema.format] ?? 'text') : 'text'
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'array':
      return schema.items ? [exampleOf(schema.items as JsonSchema, schemas)] : []
    case 'object': {
      const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
      return Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, exampleOf(each, schemas)])
      )
    }
    default:
      return null
  }
}

/** A payload of an event, as it could be sent. */
export function exampleOfEvent({ payload, example, type }: EventDeclaration) {
  const collector = new SchemaCollector()
  const made =
    example ?? (exampleOf(collector.use(payloadSchema(payload)), collector.schemas) as object)
  return { ...made, eventType: type, type }
}
