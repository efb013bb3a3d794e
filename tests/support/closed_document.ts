type Schema = { [keyword: string]: unknown }

const UNIONS = ['anyOf', 'oneOf', 'allOf']

/**
 * Returns a copy of an OpenAPI document in which every object is closed, so that undescribed
 * members are refused. The published document leaves objects open, so that members can be added
 * later; the service itself may answer described members only.
 */
export function closedDocument(document: object): Record<string, unknown> {
  const copy = structuredClone(document) as {
    paths: Schema
    webhooks: Schema
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = copy.components
  // A named schema itself stays open, as references to it may be a whole value or a part of one.
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withClosedMembers(schema)
  closeContents(copy.paths)
  closeContents(copy.webhooks)
  return copy
}

/** Closes the schemas of all bodies in a part of the document. */
function closeContents(place: unknown): void {
  if (typeof place !== 'object' || place === null) return
  for (const [name, value] of Object.entries(place as Schema)) {
    if (name === 'example') continue
    if (name !== 'content') closeContents(value)
    else for (const body of Object.values(value as Schema)) closeBody(body as { schema: Schema })
  }
}

function closeBody(body: { schema: Schema }) {
  body.schema = closed(body.schema)
}

/** Closes the schema of a whole value. A schema without a type allows everything and stays open. */
function closed(schema: Schema): Schema {
  const inner = withClosedMembers(schema)
  const says = ['type', '$ref', ...UNIONS].some((keyword) => keyword in inner)
  return says ? { ...inner, unevaluatedProperties: false } : inner
}

/** Closes the members of a schema but not the schema itself, which may be a part of a union. */
function withClosedMembers(schema: Schema): Schema {
  const inner = { ...schema }
  for (const keyword of ['properties', 'patternProperties']) {
    if (keyword in inner) inner[keyword] = mapped(inner[keyword] as Record<string, Schema>, closed)
  }
  for (const keyword of ['items', 'additionalProperties']) {
    if (typeof inner[keyword] === 'object') inner[keyword] = closed(inner[keyword] as Schema)
  }
  for (const keyword of UNIONS) {
    if (keyword in inner) inner[keyword] = (inner[keyword] as Schema[]).map(withClosedMembers)
  }
  return inner
}

function mapped(schemas: Record<string, Schema>, change: (schema: Schema) => Schema) {
  return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, change(each)]))
}
