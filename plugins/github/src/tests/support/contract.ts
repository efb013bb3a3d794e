import { Ajv, type ValidateFunction } from 'ajv'
import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'
import { graphqlOperation } from './graphql.js'
import { publishedOperations, type Published } from './published.js'

const REPO = '/repos/{owner}/{repo}'

/** The operations that the plugin calls. */
const OPERATIONS = [
  `GET ${REPO}/branches/{branch}`,
  `GET ${REPO}/commits`,
  `GET ${REPO}/commits/{ref}`,
  `GET ${REPO}/compare/{basehead}`,
  `GET ${REPO}/contents/{path}`,
  `GET ${REPO}/git/blobs/{file_sha}`,
  `GET ${REPO}/git/ref/{ref}`,
  `POST ${REPO}/git/refs`,
  `PATCH ${REPO}/git/refs/{ref}`,
  `DELETE ${REPO}/git/refs/{ref}`,
  `POST ${REPO}/git/tags`,
  `GET ${REPO}/git/tags/{tag_sha}`,
  `POST ${REPO}/git/trees`,
  `GET ${REPO}/git/commits/{commit_sha}`,
  `POST ${REPO}/git/commits`,
  `POST ${REPO}/merges`,
  `POST ${REPO}/statuses/{sha}`,
  `GET ${REPO}/releases/tags/{tag}`,
  `POST ${REPO}/releases`,
  `PATCH ${REPO}/releases/{release_id}`,
  `GET ${REPO}/pulls`,
  `POST ${REPO}/pulls`,
  `PUT ${REPO}/pulls/{pull_number}/merge`,
  `GET ${REPO}/actions/workflows`,
  `POST ${REPO}/actions/workflows/{workflow_id}/dispatches`,
  `GET ${REPO}/actions/workflows/{workflow_id}/runs`,
  `GET ${REPO}/actions/runs`,
  `GET ${REPO}/actions/runs/{run_id}`,
  `POST ${REPO}/actions/runs/{run_id}/cancel`,
  `GET ${REPO}/actions/runs/{run_id}/artifacts`,
  `GET ${REPO}/actions/artifacts/{artifact_id}`,
  `GET ${REPO}/actions/artifacts/{artifact_id}/{archive_format}`,
  `GET ${REPO}/issues`,
  `GET ${REPO}/issues/{issue_number}`,
  `PATCH ${REPO}/issues/{issue_number}`,
  `POST ${REPO}/issues/{issue_number}/labels`,
  `GET ${REPO}/milestones`,
  `POST ${REPO}/milestones`,
  `PATCH ${REPO}/milestones/{milestone_number}`,
  `GET ${REPO}/hooks`,
  `POST ${REPO}/hooks`,
  `PATCH ${REPO}/hooks/{hook_id}`,
  `DELETE ${REPO}/hooks/{hook_id}`,
  'POST /app/installations/{installation_id}/access_tokens',
  'POST /app-manifests/{code}/conversions',
  'GET /installation/repositories',
  'GET /user',
]

/** Returns the faults of requests and answers, by GitHub's description. */
export function contractFaults(
  exchanges: readonly Exchange[],
  operations = contractOfGitHub()
): string[] {
  return exchanges.flatMap((exchange) => {
    const { method, url } = exchange
    const { pathname } = new URL(url)
    const operation = operations.find((each) => each.method === method && each.path.test(pathname))
    if (!operation) return [`${method} ${pathname} is no operation`]
    return [
      ...(operation.checkRequest?.(exchange) ?? []),
      ...(operation.checkResponse?.(exchange) ?? []),
    ]
  })
}

/** Parameters that may hold slashes, which clients write as `%2F` or as they are. */
const LONG = ['branch', 'ref', 'path', 'basehead', 'tag']

interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content?: Record<string, { schema: object }> }
  responses: Record<string, Response>
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: object
}
type Response = { $ref?: string; content?: Record<string, { schema: object }> }

/** Returns GitHub's published operations as checks of requests and of the fake's answers. */
export function contractOfGitHub(): ContractOperation[] {
  const published = publishedOperations(OPERATIONS)
  const check = checkerFor(published, false)
  const checkSent = checkerFor(published, true)
  const checkParameters = checkerFor(published, true, true)
  const operations = OPERATIONS.map((each): ContractOperation => {
    const [method, path] = each.split(' ')
    const operation = published.paths[path][method.toLowerCase()] as unknown as Operation
    const { required: isRequired = false, content } = operation.requestBody ?? {}
    const body = content?.['application/json']?.schema
    const pattern = patternOf(path)
    const [inPath, inQuery] = ['path', 'query'].map((place) => parametersIn(operation, place))
    return {
      id: each,
      method,
      path: pattern,
      verified: true,
      checkRequest({ body: sent, url }) {
        const { pathname, searchParams } = new URL(url)
        return [
          ...checkParameters(each, inPath, { ...pattern.exec(pathname)?.groups }),
          ...checkParameters(each, inQuery, Object.fromEntries(searchParams)),
          ...(sent === '' && isRequired ? [`${each} has no body`] : []),
          ...(body && sent !== '' ? checkSent(each, body, JSON.parse(sent)) : []),
        ]
      },
      checkResponse: ({ response }) => checkResponse(each, operation, response),
    }
  })

  /** Returns the schema of an operation's parameters in the path or the query. */
  function parametersIn({ parameters = [] }: Operation, place: string): object {
    const found = parameters
      .map((each) => ('$ref' in each ? resolve<Parameter>(published, each.$ref) : each))
      .filter((each) => each.in === place)
    return {
      type: 'object',
      properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
      required: found.filter((each) => each.required).map(({ name }) => name),
    }
  }

  function checkResponse(id: string, { responses }: Operation, given: Exchange['response']) {
    if (!given) return []
    const { status, headers, body } = given
    const declared = responses[String(status)]
    // GitHub's limits and outages are declared nowhere.
    if (!declared)
      return [401, 403, 429].includes(status) || status >= 500 ? [] : [`${id} answers ${status}`]
    const found = declared.$ref ? resolve<Response>(published, declared.$ref) : declared
    const schema = found.content?.['application/json']?.schema
    const isJson = headers['content-type']?.includes('json') ?? false
    return schema && isJson && body !== '' ? check(`${id} ${status}`, schema, JSON.parse(body)) : []
  }

  return [...operations, graphqlOperation(), storage]
}

function resolve<Found>({ components }: Published, ref: string): Found {
  const [, , kind, name] = ref.split('/')
  return components[kind][name] as Found
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    LONG.includes(name) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`
  )
  return new RegExp(`^${source}$`)
}

/**
 * Checks values against a schema of the document; errors are sentences.
 * @param isWhole whether required members have to be there
 * @param isText whether numbers are texts, as in an address
 */
function checkerFor(published: Published, isWhole: boolean, isText = false) {
  const coerceTypes = isText
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, coerceTypes })
  const components = asJsonSchema(published, published.components, isWhole)
  ajv.addSchema({ $id: BASE, components } as object)
  const known = new Map<object, ValidateFunction>()
  return (what: string, schema: object, value: unknown): string[] => {
    let validator = known.get(schema)
    if (!validator) {
      validator = ajv.compile(absolute(published, schema, isWhole))
      known.set(schema, validator)
    }
    if (validator(value)) return []
    return (validator.errors ?? []).map(
      ({ instancePath, message, params: { additionalProperty = '' } }) =>
        `${what}: ${instancePath} ${message} ${additionalProperty}`.trimEnd()
    )
  }
}

const BASE = 'https://github.example/'

const absolute = (published: Published, schema: object, isWhole: boolean) =>
  JSON.parse(
    JSON.stringify(asJsonSchema(published, schema, isWhole)).replaceAll(
      '"#/components/',
      `"${BASE}#/components/`
    )
  ) as object

/**
 * Returns a schema of the document as JSON Schema, in which `nullable` becomes a type; a member that
 * GitHub does not name is a fault. The fake gives only those members of GitHub's that the plugin
 * reads, so answers need none; requests have all that are required.
 */
function asJsonSchema(published: Published, value: unknown, isWhole: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => asJsonSchema(published, each, isWhole))
  if (typeof value !== 'object' || value === null) return value
  if ('allOf' in value) {
    return asJsonSchema(published, wholeOf(published, value.allOf as Part[]), isWhole)
  }
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (['example', 'examples', 'nullable'].includes(name)) continue
    if (name === 'required' && Array.isArray(member)) {
      if (isWhole) members.required = member
      continue
    }
    // Without required members several of the shapes may match.
    members[name === 'oneOf' ? 'anyOf' : name] = asJsonSchema(published, member, isWhole)
  }
  const { nullable, properties, additionalProperties } = value as Record<string, unknown>
  if (isObject(properties) && additionalProperties === undefined) {
    members.additionalProperties = false
  }
  return nullable === true ? { anyOf: [members, { type: 'null' }] } : members
}

interface Part {
  $ref?: string
  properties?: Record<string, unknown>
  required?: string[]
}

/** Returns the object that has the members of all parts. */
function wholeOf(published: Published, parts: readonly Part[]): object {
  const found = parts.map((each) => (each.$ref ? resolve<Part>(published, each.$ref) : each))
  return {
    type: 'object',
    properties: Object.assign({}, ...found.map(({ properties }) => properties)) as object,
    required: found.flatMap(({ required = [] }) => required),
  }
}

/** A map of properties may have one that is called `properties`. */
const isObject = (properties: unknown) =>
  typeof properties === 'object' &&
  properties !== null &&
  !('type' in properties && typeof properties.type === 'string')

/** GitHub's host of artifacts: its only documented operation is a GET. */
const storage: ContractOperation = {
  id: 'GET artifact',
  method: 'GET',
  path: /^\/artifacts\/\d+\.zip$/,
  verified: false,
}
