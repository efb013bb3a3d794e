import { schema as graphql } from '@octokit/graphql-schema'
import { Ajv, type ValidateFunction } from 'ajv'
import { buildSchema, parse, validate, type GraphQLSchema } from 'graphql'
import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'
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

/** Parameters that may hold slashes, which clients write as `%2F` or as they are. */
const LONG = ['branch', 'ref', 'path', 'basehead', 'tag']

interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content?: Record<string, { schema: object }> }
  responses: Record<string, Response>
}
interface Parameter {
  name: string
  in: string
}
type Response = { $ref?: string; content?: Record<string, { schema: object }> }

/** Returns GitHub's published operations as checks of requests and of the fake's answers. */
export function contractOfGitHub(): ContractOperation[] {
  const published = publishedOperations(OPERATIONS)
  const check = checkerFor(published, false)
  const checkSent = checkerFor(published, true)
  const operations = OPERATIONS.map((each): ContractOperation => {
    const [method, path] = each.split(' ')
    const operation = published.paths[path][method.toLowerCase()] as unknown as Operation
    const body = operation.requestBody?.content?.['application/json']?.schema
    return {
      id: each,
      method,
      path: patternOf(path),
      verified: true,
      checkRequest: ({ body: sent, url }) => [
        ...unknownIn(operation, url).map((name) => `${each} takes no parameter ${name}`),
        ...(body && sent !== '' ? checkSent(each, body, sent) : []),
      ],
      checkResponse: ({ response }) => checkResponse(each, operation, response),
    }
  })

  /** Returns the query parameters of a request that its operation does not have. */
  function unknownIn({ parameters = [] }: Operation, url: string): string[] {
    const known = parameters
      .map((each) => ('$ref' in each ? (resolve(published, each.$ref) as Parameter) : each))
      .filter((each) => each.in === 'query')
      .map(({ name }) => name)
    return [...new URL(url).searchParams.keys()].filter((name) => !known.includes(name))
  }

  function checkResponse(id: string, { responses }: Operation, given: Exchange['response']) {
    if (!given) return []
    const { status, headers, body } = given
    const declared = responses[String(status)]
    // GitHub's limits and outages are declared nowhere.
    if (!declared)
      return [401, 403, 429].includes(status) || status >= 500 ? [] : [`${id} answers ${status}`]
    const found = declared.$ref ? (resolve(published, declared.$ref) as Response) : declared
    const schema = found.content?.['application/json']?.schema
    const isJson = headers['content-type']?.includes('json') ?? false
    return schema && isJson && body !== '' ? check(`${id} ${status}`, schema, body) : []
  }

  return [...operations, graphqlOperation(), storage]
}

const resolve = ({ components }: Published, ref: string) => {
  const [, , kind, name] = ref.split('/')
  return components[kind][name] as Response | Parameter
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    LONG.includes(name) ? '.+' : '[^/]+'
  )
  return new RegExp(`^${source}$`)
}

/**
 * Checks JSON against a schema of the document; errors are sentences.
 * @param isWhole whether required members have to be there
 */
function checkerFor({ components }: Published, isWhole: boolean) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: BASE, components: asJsonSchema(components, isWhole) } as object)
  const known = new Map<object, ValidateFunction>()
  return (what: string, schema: object, text: string): string[] => {
    let validator = known.get(schema)
    if (!validator) {
      validator = ajv.compile(absolute(schema, isWhole))
      known.set(schema, validator)
    }
    if (validator(JSON.parse(text))) return []
    return (validator.errors ?? []).map(
      ({ instancePath, message }) => `${what}: ${instancePath} ${message}`
    )
  }
}

const BASE = 'https://github.example/'

const absolute = (schema: object, isWhole: boolean) =>
  JSON.parse(
    JSON.stringify(asJsonSchema(schema, isWhole)).replaceAll(
      '"#/components/',
      `"${BASE}#/components/`
    )
  ) as object

/**
 * Returns a schema of the document as JSON Schema, in which `nullable` becomes a type; a member that
 * GitHub does not name is a fault. The fake gives only those members of GitHub's that the plugin
 * reads, so answers need none; requests have all that are required.
 */
function asJsonSchema(value: unknown, isWhole: boolean, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((each) => asJsonSchema(each, isWhole, isPart))
  if (typeof value !== 'object' || value === null) return value
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (['example', 'examples', 'nullable'].includes(name)) continue
    if (name === 'required' && Array.isArray(member)) {
      if (isWhole) members.required = member
      continue
    }
    // Without required members several of the shapes may match.
    members[name === 'oneOf' ? 'anyOf' : name] = asJsonSchema(member, isWhole, name === 'allOf')
  }
  const { nullable, properties, additionalProperties } = value as Record<string, unknown>
  if (isObject(properties) && additionalProperties === undefined && !isPart) {
    members.additionalProperties = false
  }
  return nullable === true ? { anyOf: [members, { type: 'null' }] } : members
}

/** A map of properties may have one that is called `properties`. */
const isObject = (properties: unknown) =>
  typeof properties === 'object' &&
  properties !== null &&
  !('type' in properties && typeof properties.type === 'string')

/** Checks GraphQL queries against the schema that GitHub publishes. */
function graphqlOperation(): ContractOperation {
  let schema: GraphQLSchema | undefined
  return {
    id: 'POST /graphql',
    method: 'POST',
    path: /^\/graphql$/,
    verified: true,
    checkRequest({ body }) {
      schema ??= buildSchema(graphql.idl, { assumeValid: true })
      const { query } = JSON.parse(body) as { query: string }
      return validate(schema, parse(query)).map(({ message }) => `GraphQL: ${message}`)
    },
  }
}

/** GitHub's host of artifacts: its only documented operation is a GET. */
const storage: ContractOperation = {
  id: 'GET artifact',
  method: 'GET',
  path: /^\/artifacts\/\d+\.zip$/,
  verified: false,
}
