import { compareTexts } from '../../core/compare_texts.js'
import {
  hasSecretAddress,
  isWrite,
  MAX_DATA,
  TEXT_TYPES,
  type ResponseDeclaration,
  type AnyOperation,
  type InputValidator,
  type UploadDeclaration,
  type WireDeclaration,
} from '../operation/declaration.js'
import type { EventDeclaration } from '../../core/events/catalog.js'
import { anyPayload } from '../../core/events/payloads.js'
import { allProblems } from '../../core/problems/catalog.js'
import { SchemaCollector, type JsonSchema } from './collect_schemas.js'
import { exampleOfEvent, exampleIn } from './example_of.js'
import { describeLike, inputSchema } from './input_schema.js'
import { parameters as pathParameters } from '../operation/parameters.js'
import { tags } from '../operation/tags.js'
import { headerParameters, IGNORED_FIELDS, ownHeaders } from './parameters.js'
import { problemExample, problemSchema } from './problem_schema.js'
import {
  extendSchemas,
  shareAlike,
  shareExamples,
  shareSchemas,
  type Described,
  type WithBodies,
} from './share_alike.js'

type WireContent = NonNullable<WireDeclaration['content']>

/**
 * Returns the statuses of the problems that an operation can respond with, derived from its
 * declaration.
 */
function problemStatuses(operation: AnyOperation): number[] {
  const statuses = new Set<number>([406, 500, 503, ...(operation.errors ?? [])])
  const body = operation.body as AnyOperation['body'] | undefined
  if (operation.access.kind !== 'open') for (const each of [401, 403, 429]) statuses.add(each)
  if (hasSecretAddress(operation)) statuses.add(429)
  // A path that cannot be decoded is malformed.
  if (operation.path.includes('{')) for (const each of [400, 404]) statuses.add(each)
  if (operation.query) for (const each of [400, 422]) statuses.add(each)
  if (isWrite(operation)) for (const each of [400, 409, 422]) statuses.add(each)
  if (body && hasContent(body)) for (const each of [413, 415]) statuses.add(each)
  if (operation.precondition) for (const each of [412, 428]) statuses.add(each)
  return [...statuses].sort((a, b) => a - b)
}

/** Returns whether requests may have a body of this declaration. */
function hasContent(body: NonNullable<AnyOperation['body']>): boolean {
  return body.kind !== 'wire' || body.content !== undefined
}

/** Returns whether requests contain JSON, so that they may have unknown members. */
function acceptsJson({ body: declared }: AnyOperation): boolean {
  const body = declared as AnyOperation['body'] | undefined
  return body?.kind === 'json' || (body?.kind === 'upload' && body.data !== undefined)
}

function problemTitle(status: number): string {
  return [...allProblems().values()].find(([each]) => each === status)?.[1] ?? 'A problem'
}

function parametersOf(operation: AnyOperation, collector: SchemaCollector): JsonSchema[] {
  const parameters: JsonSchema[] = []
  for (const [name, parameter] of pathParameters.in(operation.path)) {
    parameters.push(
      collector.share('parameters', name, {
        name,
        in: 'path',
        required: true,
        description: parameter.description,
        schema: { type: 'string', minLength: 1, maxLength: 200 },
        example: parameter.example,
      })
    )
  }
  if (operation.query) {
    const schema = inputSchema(operation.query)
    const required = new Set((schema.required ?? []) as string[])
    for (const [name, each] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      const { description, ...rest } = collector.use(each)
      parameters.push({
        name,
        in: 'query',
        ...(required.has(name) && { required: true }),
        ...(description ? { description } : {}),
        schema: rest,
      })
    }
  }
  const addHeader = (header: (typeof headerParameters)[keyof typeof headerParameters]) =>
    parameters.push(collector.share('parameters', header.name, header))
  const isRepeatable = isWrite(operation) && !operation.apart && operation.access.kind !== 'open'
  if (isRepeatable) addHeader(headerParameters.idempotencyKey)
  const body = operation.body as AnyOperation['body'] | undefined
  if (body?.kind === 'wire') parameters.push(...ownHeaders(body.headers))
  if (acceptsJson(operation)) addHeader(headerParameters.prefer)
  if (body?.kind === 'upload') {
    addHeader(headerParameters.contentDigest)
    addHeader(headerParameters.reprDigest)
  }
  if (operation.precondition) addHeader(headerParameters.ifMatch)
  return parameters
}

/**
 * Returns the schema of a body, or of either one body or a list if the validator accepts lists.
 */
function orList(schema: unknown, { maxList }: InputValidator<unknown>): unknown {
  if (maxList === undefined) return schema
  return { anyOf: [schema, { type: 'array', items: schema, minItems: 1, maxItems: maxList }] }
}

function requestBodyOf(operation: AnyOperation, collector: SchemaCollector): unknown {
  const body = operation.body as AnyOperation['body'] | undefined
  if (!body) return undefined
  if (body.kind === 'json') {
    const { name, description, validator, like } = body
    const schema = collector.add(name, { description, ...inputSchema(validator) })
    if (like) describeLike(schema, collector.use(like), collector)
    return {
      description,
      required: !body.optional,
      content: { 'application/json': { schema: orList(schema, validator), example: body.example } },
    }
  }
  if (body.kind === 'wire') return body.content && bytesBodyOf(body.content)
  const maxLength = body.maxBytes
  const file = {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'string',
        description: `The file, of at most ${maxLength} bytes.`,
        contentMediaType: 'application/octet-stream',
        maxLength,
      },
    },
  }
  if (body.kind === 'upload') return uploadBodyOf(body, file, collector)
  const text = { schema: { type: 'string', maxLength }, example: body.example }
  return {
    required: true,
    description: body.description,
    content: {
      ...Object.fromEntries(TEXT_TYPES[body.format].map((type) => [type, text])),
      'multipart/form-data': { schema: file, example: { file: body.example } },
    },
  }
}

/** Returns the request body of raw bytes. */
function bytesBodyOf({ contentType, description, maxBytes: maxLength }: WireContent): unknown {
  const schema = { type: 'string', description, maxLength, contentMediaType: contentType }
  const example = 'The bytes of the file.'
  return { required: false, description, content: { [contentType]: { schema, example } } }
}

/** Returns a form with a file and, if declared, a part `data` with JSON. */
function uploadBodyOf(
  { name, description, data }: UploadDeclaration<never>,
  file: { properties: object },
  collector: SchemaCollector
): unknown {
  const dataSchema = data && {
    type: 'string',
    description: 'Details of the file, as JSON text.',
    contentMediaType: 'application/json',
    contentSchema: inputSchema(data.validator),
    maxLength: MAX_DATA,
  }
  const schema = collector.add(name, {
    description,
    ...file,
    properties: { ...file.properties, ...(dataSchema ? { data: dataSchema } : {}) },
  })
  const example = {
    file: 'The bytes of the file.',
    ...(data ? { data: JSON.stringify(data.example) } : {}),
  }
  return { required: true, description, content: { 'multipart/form-data': { schema, example } } }
}

const problemContent = (status: number) => ({
  'application/problem+json': {
    schema: { $ref: '#/components/schemas/Error' },
    example: problemExample(status),
  },
})

/** Returns the content types that a response with a body may have. */
const typesOf = ({ contentType = 'application/json', orTypes = [] }: ResponseDeclaration) => [
  contentType,
  ...orTypes,
]

const headerOf = (description: string) => ({ description, schema: { type: 'string' } })

/** Headers that many responses have. */
const COMMON_HEADERS = {
  'X-Request-Id': headerOf('Id of the request.'),
  'ETag': headerOf('Entity tag of the representation.'),
  'Ignored-Fields': headerOf(IGNORED_FIELDS),
  'Location': headerOf('Path of the created resource.'),
}

/** Names of these headers in `components`. They are short because every response refers to some. */
const HEADER_NAMES = {
  'X-Request-Id': 'id',
  'ETag': 'tag',
  'Ignored-Fields': 'ignored',
  'Location': 'place',
} as const satisfies Record<keyof typeof COMMON_HEADERS, string>

const commonHeader = (name: keyof typeof COMMON_HEADERS, collector: SchemaCollector) => ({
  [name]: collector.share('headers', HEADER_NAMES[name], COMMON_HEADERS[name]),
})

/**
 * Returns a reference to the shared response of a problem status. The status is its name, because
 * there are many references.
 */
const problemResponse = (status: number, collector: SchemaCollector) =>
  collector.share('responses', String(status), {
    description: problemTitle(status),
    headers: commonHeader('X-Request-Id', collector),
    content: problemContent(status),
  })

function responsesOf(
  operation: AnyOperation,
  collector: SchemaCollector
): Record<string, JsonSchema> {
  const responses: Record<string, JsonSchema> = {}
  for (const [status, response] of Object.entries(operation.responses)) {
    const schema = response.schema ? collector.use(response.schema) : { type: 'string' }
    responses[status] = {
      description: response.description,
      headers: {
        ...commonHeader('X-Request-Id', collector),
        ...(status === '201' ? commonHeader('Location', collector) : {}),
        ...Object.fromEntries(
          Object.entries(response.headers ?? {}).map(([name, description]) => [
            name,
            headerOf(description),
          ])
        ),
        ...(acceptsJson(operation) ? commonHeader('Ignored-Fields', collector) : {}),
        ...(response.schema ? commonHeader('ETag', collector) : {}),
      },
      ...(response.schema || response.contentType
        ? {
            content: {
              ...Object.fromEntries(
                typesOf(response).map((type) => [
                  type,
                  {
                    schema,
                    ...(response.example === undefined ? {} : { example: exampleIn(response) }),
                  },
                ])
              ),
              ...(Number(status) < 400 ? {} : problemContent(Number(status))),
            },
          }
        : {}),
    }
  }
  if (operation.method === 'GET') {
    responses['304'] = collector.share('responses', '304', {
      description: 'The representation still has the entity tag given in If-None-Match.',
    })
  }
  const moved = pathParameters.in(operation.path).filter(([, { moves }]) => moves !== undefined)
  if (moved.length > 0) {
    const name = ['Moved', ...moved.map(([parameter]) => parameter)].join('-')
    responses['308'] = collector.share('responses', name, {
      description: moved.map(([, { moves }]) => moves).join(' '),
      headers: { Location: headerOf('Path of the same request with the current id.') },
    })
  }
  for (const status of problemStatuses(operation)) {
    responses[String(status)] ??= problemResponse(status, collector)
  }
  return responses
}

function operationObject(operation: AnyOperation, collector: SchemaCollector): Described {
  const { access } = operation
  const requestBody = requestBodyOf(operation, collector)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    ...(operation.deprecated ? { deprecated: true } : {}),
    tags: [operation.tag],
    ...(access.kind === 'open' ? { security: [] } : {}),
    parameters: parametersOf(operation, collector),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(operation, collector),
    ...(access.kind === 'actions' ? { 'x-user-actions': access.anyOf } : {}),
    ...(access.kind === 'admin' ? { 'x-admin': true } : {}),
    ...(operation.events?.length ? { 'x-webhook-events': operation.events } : {}),
    ...(operation.beyond ? { 'x-beyond-specification': true } : {}),
  }
}

function webhookObject(event: EventDeclaration, collector: SchemaCollector): { post: WithBodies } {
  return {
    post: {
      operationId: `on${event.type.replace(/(^|\.)(\w)/g, (_, _dot, letter) => letter.toUpperCase())}`,
      summary: event.summary,
      description: `${event.description} Platforms: ${event.platforms}.`,
      tags: ['Webhooks'],
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: collector.use(anyPayload([event.payload])),
            example: exampleOfEvent(event),
          },
        },
      },
      responses: {
        '200': collector.share('responses', 'Delivered', {
          description: 'Any status from 200 to 299 confirms the delivery.',
        }),
        '410': collector.share('responses', 'Disabling', { description: 'Disables the endpoint.' }),
      },
    },
  }
}

/** Returns the OpenAPI 3.1 document of the declared operations and events. */
export function buildDocument(
  operations: readonly AnyOperation[],
  events: readonly EventDeclaration[],
  version: string
): Record<string, unknown> {
  const collector = new SchemaCollector()
  collector.use(problemSchema())
  const paths: Record<string, Record<string, Described>> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = operationObject(operation, collector)
  }
  const described = Object.values(paths).flatMap(Object.values<Described>)
  shareAlike(described, collector)
  const webhooks = Object.fromEntries(
    events.map((event) => [event.type, webhookObject(event, collector)])
  )
  shareExamples([...described, ...Object.values(webhooks).map(({ post }) => post)], collector)
  shareSchemas(collector)
  extendSchemas(collector)
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Tarmac',
      version,
      description:
        'Release management for mobile app teams. Every path also works under `/v1`. ' +
        'Instants are RFC 3339 in UTC with milliseconds; requests may use any offset. ' +
        'Every GET supports `If-None-Match` and returns 304 while the entity tag is unchanged. ' +
        'The examples tell one story: Acme releases version 4.2.0 of its iOS app.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Tarmac', url: 'https://example.com/tarmac' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ apiKey: [] }],
    tags: tags.all(),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      ...collector.shared,
      schemas: Object.fromEntries(
        Object.entries(collector.schemas).sort(([a], [b]) => compareTexts(a, b))
      ),
    },
  }
}
