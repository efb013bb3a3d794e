import { list } from '#foundation/core/schemas'
import { admin, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import {
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookEndpointWithSecret,
  WebhookSecretRotation,
  WebhookStatistics,
} from '#webhooks/entities'
import {
  endpointExample,
  endpointWithSecretExample,
  pingExample,
  rotationExample,
  statisticsExample,
} from '#webhooks/examples'
import * as validators from '#webhooks/validators'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const endpoints = lazyController(
  async () => new (await import('#webhooks/controllers/endpoints_controller')).EndpointsController()
)
const base = '/org/{orgId}/webhookEndpoint'
const one = `${base}/{endpointId}`
const shared = { tag: 'Webhooks', beyond: true, access: admin } as const
const precondition = { of: 'getWebhookEndpoint' }

export const endpointOperations = [
  operation({
    ...shared,
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: base,
    summary: 'List webhook endpoints',
    description: 'Returns all endpoints of the organization, oldest first.',
    responses: {
      200: {
        description: 'The endpoints.',
        schema: list('The endpoints.', WebhookEndpointEntity, 1000),
        example: [endpointExample],
      },
    },
    handle: (call) => endpoints.index(call),
  }),
  operation({
    ...shared,
    id: 'createWebhookEndpoint',
    steps: twoSteps('events go to an address outside'),
    method: 'POST',
    path: base,
    summary: 'Create a webhook endpoint',
    description:
      'Creates an endpoint that receives the chosen events from now on. The response contains its signing secret, which is not shown again. The URL must be https on port 443 or 8443; a service on loopback also allows loopback over http.',
    body: {
      kind: 'json',
      name: 'WebhookEndpointCreate',
      description: 'The endpoint to create; absent fields get their defaults.',
      like: WebhookEndpointEntity,
      validator: validators.createEndpoint,
      example: {
        url: endpointExample.url,
        description: endpointExample.description,
        events: endpointExample.events,
        platforms: endpointExample.platforms,
        headers: { 'x-team': 'ios' },
      },
    },
    responses: {
      201: {
        description: 'The endpoint with its secret.',
        schema: WebhookEndpointWithSecret,
        example: endpointWithSecretExample,
      },
    },
    creates: 'getWebhookEndpoint',
    check: (call, errors) => endpoints.checkSettings(call, errors),
    handle: (call) => endpoints.store(call),
  }),
  operation({
    ...shared,
    id: 'getWebhookEndpoint',
    method: 'GET',
    path: one,
    summary: 'Get a webhook endpoint',
    description: 'Returns an endpoint; secrets and header values are never shown.',
    responses: {
      200: {
        description: 'The endpoint.',
        schema: WebhookEndpointEntity,
        example: endpointExample,
      },
    },
    handle: (call) => endpoints.show(call),
  }),
  operation({
    ...shared,
    id: 'updateWebhookEndpoint',
    steps: twoSteps('events go to another address, or to none'),
    method: 'PATCH',
    path: one,
    summary: 'Change a webhook endpoint',
    description:
      'Changes the given fields. `enabled: false` holds pending deliveries; `enabled: true` resets the health, and a recovery delivers what was held.',
    precondition,
    body: {
      kind: 'json',
      name: 'WebhookEndpointUpdate',
      description: 'Fields to change; absent fields are kept, null clears.',
      like: WebhookEndpointEntity,
      validator: validators.updateEndpoint,
      example: { events: endpointExample.events, enabled: true },
    },
    responses: {
      200: {
        description: 'The updated endpoint.',
        schema: WebhookEndpointEntity,
        example: endpointExample,
      },
    },
    check: (call, errors) => endpoints.checkSettings(call, errors),
    handle: (call) => endpoints.update(call),
  }),
  operation({
    ...shared,
    id: 'deleteWebhookEndpoint',
    steps: twoSteps('destroys the endpoint with its deliveries'),
    method: 'DELETE',
    path: one,
    summary: 'Delete a webhook endpoint',
    description: 'Deletes the endpoint with its deliveries and their log.',
    precondition,
    responses: { 204: { description: 'Deleted.' } },
    handle: (call) => endpoints.destroy(call),
  }),
  operation({
    ...shared,
    id: 'pingWebhookEndpoint',
    callsOthers: true,
    steps: oneStep('sends a test message, marked as one, about no release'),
    method: 'POST',
    path: `${one}/ping`,
    summary: 'Send a test message to an endpoint',
    description:
      'Sends one signed `ping`, or the example of an event type, marked with `test: true`. It is attempted once, even if the endpoint is disabled, and does not affect its health; the delivery log shows the result.',
    body: {
      kind: 'json',
      name: 'WebhookPing',
      description: 'The message to send.',
      validator: validators.pingEndpoint,
      example: { eventType: 'release.kickedOff' },
      optional: true,
    },
    responses: {
      202: {
        description: 'The delivery, to be attempted next.',
        schema: WebhookDeliveryEntity,
        example: pingExample,
      },
    },
    handle: (call) => endpoints.ping(call),
  }),
  operation({
    ...shared,
    id: 'rotateWebhookSecret',
    steps: twoSteps('the secret that is in use ends'),
    method: 'POST',
    path: `${one}/rotateSecret`,
    summary: 'Rotate the secret of an endpoint',
    description:
      'Creates a new secret and, if enabled, a new `v1a` key. Previous keys also sign for a grace period of 24 hours, or as given (0 to 168); at most five sign at a time.',
    body: {
      kind: 'json',
      name: 'WebhookSecretRotationRequest',
      description: 'How long previous keys still sign.',
      validator: validators.rotateSecret,
      example: { graceHours: 24 },
      optional: true,
    },
    responses: {
      200: {
        description: 'The new secret and the active keys.',
        schema: WebhookSecretRotation,
        example: rotationExample,
      },
    },
    handle: (call) => endpoints.rotateSecret(call),
  }),
  operation({
    ...shared,
    id: 'getWebhookStatistics',
    method: 'GET',
    path: `${one}/statistics`,
    summary: 'Get the statistics of an endpoint',
    description:
      'Returns the counts of deliveries and attempts of the last seven days, and the health.',
    responses: {
      200: {
        description: 'The statistics.',
        schema: WebhookStatistics,
        example: statisticsExample,
      },
    },
    handle: (call) => endpoints.statistics(call),
  }),
]
