import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { exampleJson } from './requests.js'

type Schema = { [keyword: string]: any }
type Get = (name: string) => Promise<string>

/**
 * Members of bodies that refer to an entity, each with a maker of its value. A maker returns the
 * whole member, which may be a list of objects.
 */
const references: Record<string, ((get: Get) => Promise<unknown>) | undefined> = {
  'groupIds': async (get) => [await get('groupId')],
  'email': (get) => get('userEmail'),
  'userEmail': (get) => get('userEmail'),
  'userEmails': async (get) => [await get('userEmail')],
  'releasePilotId': (get) => get('userId'),
  'userId': (get) => get('userId'),
  'appId': (get) => get('appId'),
  'followsAppId': (get) => get('appId'),
  'appIds': async (get) => [await get('appId')],
  'requesterEmail': (get) => get('userEmail'),
  'requestTriageIssueFix.releaseId': (get) => get('kickedOffId'),
  'releaseId': (get) => get('releaseId'),
  'stepConfigId': (get) => get('stepConfigId'),
  'owners': async (get) => [{ type: 'group', id: await get('groupId') }],
  'ciBuildId': (get) => get('buildId'),
  'buildDistroBuildId': (get) => get('buildDistroBuildId'),
  'ids': async (get) => [await get('checklistItemId')],
  'updateRegressionItems.items.0.id': (get) => get('checklistItemId'),
  'ignoreFeatureReadinessItems.items.0.id': (get) => get('featureItemId'),
  'itemIds': async (get) => [await get('featureItemId')],
  'createBucket.members.0.id': (get) => get('groupId'),
  'updateBucket.members.0.id': (get) => get('groupId'),
}

/** Members that look like a reference to an entity but are none, or need more than a fixture. */
const WORDS = new Set([
  'integrationId',
  'workflowId',
  'issuerId',
  'keyId',
  'updateFixRequestFormFieldsSettings.fields.0.id',
  // The address of somebody who does not exist yet.
  'createUser.email',
  // An id at GitHub.
  'installationId',
  // The connections of the fixtures have another plugin; covered by
  // app/integrations/tests/browser_connections.spec.ts.
  'authorizeProvider.connectionId',
  // An id of a repository.
  'createTrustRule.repositoryId',
  'updateTrustRule.repositoryId',
  // A wrong token is refused without a reason; covered by
  // app/organizations/keyless/tests/keyless.spec.ts.
  'exchangeToken.orgId',
  'exchangeToken.appId',
  // An id of a browser's session; without it, the request ends all of them.
  'signInId',
  'ticketId',
  'fieldId',
  // Null is the only store of the app; others are covered by app/rollouts/tests/policy.spec.ts.
  'setRolloutPolicy.destinationId',
  'foreseeRollouts.destinationId',
  // These need a store with builds; covered by app/stores/tests/selected_builds.spec.ts.
  'setSelectedBuilds.builds.0.destinationId',
  'setSelectedBuilds.builds.0.appStoreBuildId',
  // This needs a beta testing step; covered by app/stores/tests/give_to_testers.spec.ts.
  'distributeBetaBuild.appStoreBuildId',
])

/** Names that look like a reference: a new one needs an entry above. */
const LOOKS_LIKE_REFERENCE = /(^|[a-z])(Ids?|Emails?)$|^(ids?|emails?|owners)$/

export interface BodyReference {
  /** The place in the body, list entries as their index. */
  path: (string | number)[]
  value: (get: Get) => Promise<unknown>
}

/**
 * Returns the places in an operation's JSON that refer to entities.
 * @throws Error for one without an entry above
 */
export function bodyReferences(operation: AnyOperation): BodyReference[] {
  const body = operation.body as AnyOperation['body'] | undefined
  const { validator } = (body?.kind === 'upload' ? body.data : body?.kind === 'json' && body) || {}
  return validator ? walk(inputSchema(validator) as Schema, [], operation.id) : []
}

function walk(schema: Schema, path: (string | number)[], operationId: string): BodyReference[] {
  if (schema.items && !Array.isArray(schema.items)) {
    return walk(schema.items, [...path, 0], operationId)
  }
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(
    ([name, member]) => {
      const here = [...path, name]
      const place = `${operationId}.${here.join('.')}`
      const value = WORDS.has(place) ? undefined : (references[place] ?? references[name])
      if (value) return [{ path: here, value }]
      if (LOOKS_LIKE_REFERENCE.test(name) && !WORDS.has(name) && !WORDS.has(place)) {
        throw new Error(
          `Say in tests/support/references.ts what ${here.join('.')} of ${operationId} refers to`
        )
      }
      return walk(member, here, operationId)
    }
  )
}

/**
 * Returns a copy of a body with one place set; missing objects and lists on the path are created.
 */
export function withValue(body: unknown, path: (string | number)[], value: unknown): unknown {
  if (path.length === 0) return value
  const [head, ...rest] = path
  if (typeof head === 'number') {
    const list = Array.isArray(body) ? body : []
    return [withValue(list[0], rest, value)]
  }
  const object = (typeof body === 'object' && body !== null ? body : {}) as Schema
  return { ...object, [head]: withValue(object[head], rest, value) }
}

/** Returns the operation's example with the references in it filled in from a world. */
export async function exampleBody(operation: AnyOperation, get: Get): Promise<unknown> {
  const example = exampleJson(operation)
  let filled = example
  for (const { path, value } of bodyReferences(operation)) {
    if (has(example, path)) filled = withValue(filled, path, await value(get))
  }
  return filled
}

function has(body: unknown, path: (string | number)[]): boolean {
  const place = path.reduce<unknown>((at, step) => (at as Schema | undefined)?.[step], body)
  return place !== undefined && place !== null
}
