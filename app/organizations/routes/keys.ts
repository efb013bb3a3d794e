import { list } from '#foundation/core/schemas'
import { admin, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { twoSteps } from '#foundation/api/operation/steps'
import { ApiKeyEntity, ApiKeyWithSecret, RotatedApiKey } from '../entities.js'
import { exampleKey, exampleNewKey, exampleRotatedKey, SECURITY_GROUP } from '../examples.js'
import { createKeyBody, rotateKeyBody } from '../validators/key.js'

const keys = lazyController(
  async () => new (await import('../controllers/keys_controller.js')).KeysController()
)

const all = '/org/{orgId}/apiKey'
const one = `${all}/{apiKeyId}`
const shared = { tag: 'Organization', surface: 'pages', access: admin } as const
const shown = { description: 'The key.', schema: ApiKeyEntity, example: exampleKey }

/** API keys: only pages and the console create and revoke them; a key can revoke itself. */
export const keyOperations = [
  operation({
    ...shared,
    id: 'listApiKeys',
    method: 'GET',
    path: all,
    summary: 'List the API keys',
    description: 'Returns all keys, newest first, including expired and revoked ones.',
    responses: {
      200: {
        description: 'The keys.',
        schema: list('The keys.', ApiKeyEntity, 100_000),
        example: [exampleKey],
      },
    },
    handle: (call) => keys.index(call),
  }),
  operation({
    ...shared,
    id: 'getApiKey',
    method: 'GET',
    path: one,
    summary: 'Get an API key',
    description: 'Returns a key; the key itself is never shown again.',
    responses: { 200: shown },
    handle: (call) => keys.show(call),
  }),
  operation({
    ...shared,
    id: 'createApiKey',
    method: 'POST',
    path: all,
    summary: 'Create an API key',
    description:
      'Creates a key with the user actions of groups or of an admin, for all apps or some. The key is shown only once.',
    body: {
      kind: 'json',
      name: 'ApiKeyCreation',
      description: 'The key to create.',
      like: ApiKeyEntity,
      validator: createKeyBody,
      example: { name: exampleKey.name, groupIds: [SECURITY_GROUP.id] },
    },
    responses: {
      201: {
        description: 'The key, shown only once.',
        schema: ApiKeyWithSecret,
        example: exampleNewKey,
      },
    },
    creates: 'getApiKey',
    check: (call, errors) => keys.checkNew(call, errors),
    handle: (call) => keys.store(call),
  }),
  operation({
    ...shared,
    id: 'rotateApiKey',
    method: 'POST',
    path: `${one}/rotate`,
    summary: 'Rotate an API key',
    description:
      'Creates a key with the rights of this one, which keeps working for 24 hours or the given number of hours. The new key is shown only once.',
    body: {
      kind: 'json',
      name: 'ApiKeyRotation',
      description: 'How long both keys work, and when the new one expires.',
      like: ApiKeyEntity,
      validator: rotateKeyBody,
      example: { overlapHours: 24 },
      optional: true,
    },
    responses: {
      200: {
        description: 'The new key, shown only once.',
        schema: RotatedApiKey,
        example: exampleRotatedKey,
      },
    },
    check: async (call, errors) => keys.checkRotation(call, errors),
    handle: (call) => keys.rotate(call),
  }),
  operation({
    ...shared,
    id: 'revokeApiKey',
    method: 'PUT',
    path: `${one}/revoke`,
    summary: 'Revoke an API key',
    description:
      'Revokes a key at once, everywhere. The last admin of an organization, key or person, cannot be revoked: 409 `last_admin`.',
    responses: { 200: { ...shown, description: 'The revoked key.' } },
    handle: (call) => keys.revoke(call),
  }),
  operation({
    id: 'endApiKey',
    tag: 'Organization',
    beyond: true,
    access: read,
    steps: twoSteps('revokes the key that makes the request'),
    method: 'DELETE',
    path: one,
    summary: 'Revoke your own API key',
    description:
      'Revokes the calling key, or another key of the same person, at once, to sign out. 404 for any other key; 409 `last_admin` for the last admin.',
    responses: { 204: { description: 'The key is revoked.' } },
    handle: (call) => keys.end(call),
  }),
]
