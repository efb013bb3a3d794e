import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'

type Models = typeof import('jira.js/cloud')

/** The part of a Zod schema that is used here. */
interface Schema {
  safeParse(value: unknown): {
    error?: { issues: readonly { path: PropertyKey[]; message: string }[] }
  }
}

interface Schemas {
  /** The parameters of a query, or the schema of a body. */
  request?: readonly string[] | Schema
  response?: Schema
}

/** The parameters of a function of `jira.js`. */
type Taken<Name extends keyof Models> = Models[Name] extends (
  client: never,
  ...given: infer Given
) => unknown
  ? keyof NonNullable<Given[0]>
  : never

/** The parameters that operations accept, among those that the plugin sends. */
const PERMISSIONS = ['permissions'] satisfies Taken<'getMyPermissions'>[]
const SEARCH = [
  'jql',
  'fields',
  'maxResults',
  'nextPageToken',
] satisfies Taken<'searchAndReconsileIssuesUsingJql'>[]
const VERSIONS = ['query', 'startAt', 'maxResults'] satisfies Taken<'getProjectVersionsPaginated'>[]

const API = '^(?:/ex/jira/[^/]+)?/rest/api/3'

/**
 * Returns the operations that the plugin calls, with the schemas of `jira.js` for requests and
 * answers. The schemas refuse unknown members, so the fake cannot invent any.
 */
export async function contractOfJira(): Promise<ContractOperation[]> {
  // The package reads it when it is imported.
  process.env.AUDIT_SCHEMAS = 'true'
  const jira = await import('jira.js/cloud')
  const of = (id: string, schemas: Schemas) => operation(jira, id, schemas)
  return [
    of('GET /myself', { response: jira.DashboardUserSchema }),
    of('GET /mypermissions', { request: PERMISSIONS, response: jira.PermissionsSchema }),
    of('GET /search/jql', { request: SEARCH, response: jira.SearchAndReconcileResultsSchema }),
    of('POST /issue/bulkfetch', {
      request: jira.BulkFetchIssueRequestSchema,
      response: jira.BulkIssueResultsSchema,
    }),
    of('GET /issue/{key}', { response: jira.IssueSchema }),
    of('PUT /issue/{key}', { request: jira.IssueUpdateDetailsSchema }),
    of('GET /project/{key}', { response: jira.ProjectSchema }),
    of('GET /project/{key}/statuses', { response: listOf(jira.IssueTypeWithStatusSchema) }),
    of('GET /project/{key}/version', { request: VERSIONS, response: jira.PageVersionSchema }),
    of('POST /version', { request: jira.VersionSchema, response: jira.VersionSchema }),
    of('PUT /version/{id}', { request: jira.VersionSchema, response: jira.VersionSchema }),
  ]
}

const listOf = (schema: Schema): Schema => ({
  safeParse: (value) => ({
    error: {
      issues: (value as unknown[]).flatMap((each) => schema.safeParse(each).error?.issues ?? []),
    },
  }),
})

function operation(jira: Models, id: string, { request, response }: Schemas): ContractOperation {
  const [method, path] = id.split(' ')
  return {
    id,
    method,
    path: new RegExp(`${API}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    verified: true,
    checkRequest: ({ body, url }) => {
      if (!request) return []
      if ('safeParse' in request) return faultsOf(`${id} sends`, request, parsed(body))
      const names = [...new URL(url).searchParams.keys()]
      const unknown = names.filter((name) => !request.includes(name))
      return unknown.map((name) => `${id} takes no ${name}`)
    },
    checkResponse: ({ response: given }) => (given ? faultsIn(jira, id, given, response) : []),
  }
}

function faultsIn(
  jira: Models,
  id: string,
  { status, body }: NonNullable<Exchange['response']>,
  schema: Schema | undefined
): string[] {
  if (status >= 400) {
    return faultsOf(`${id} ${status}`, jira.ErrorCollectionSchema, parsed(body))
  }
  if (!schema) return body === '' ? [] : [`${id} answers a body`]
  const answer = parsed(body) as { issues?: Issue[]; permissions?: object } & Issue
  return [
    ...faultsOf(id, schema, answer),
    ...[...(answer.issues ?? []), answer].flatMap((each) => errorsOfFields(jira, id, each)),
    ...Object.values(answer.permissions ?? {}).flatMap((each) =>
      faultsOf(`${id} permissions`, jira.UserPermissionSchema, each)
    ),
  ]
}

interface Issue {
  fields?: { status?: unknown; assignee?: unknown; fixVersions?: unknown[] }
}

/** Fields of an issue, which its own schema does not describe. */
function errorsOfFields(jira: Models, id: string, { fields = {} }: Issue): string[] {
  const { status, assignee, fixVersions = [] } = fields
  return [
    ...(status ? faultsOf(`${id} status`, jira.StatusDetailsSchema, status) : []),
    ...(assignee ? faultsOf(`${id} assignee`, jira.UserDetailsSchema, assignee) : []),
    ...fixVersions.flatMap((each) => faultsOf(`${id} fixVersions`, jira.VersionSchema, each)),
  ]
}

function faultsOf(what: string, schema: Schema, value: unknown): string[] {
  const { issues = [] } = schema.safeParse(value).error ?? {}
  return issues.map(({ path, message }) => `${what}: ${path.join('.')} ${message}`)
}

const parsed = (text: string): unknown => (text === '' ? null : JSON.parse(text))
