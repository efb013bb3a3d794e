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
    description: 'All endpoints of the organization, oldest first.',
    answers: {
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
      'Makes an endpoint that gets the chosen events from now on. The answer holds its signing secret, which is not shown again. The URL is https on port 443 or 8443; a service on loopback also reaches loopback over http.',
    body: {
      kind: 'json',
      name: 'WebhookEndpointCreate',
      description: 'The endpoint to make; what is absent stands at its default.',
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
    answers: {
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
    description: 'One endpoint; secrets and header values are never shown.',
    answers: {
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
      'Changes what is given. `enabled: false` holds what is still to be delivered; `enabled: true` starts with a clean health, and a recovery delivers what was held.',
    precondition,
    body: {
      kind: 'json',
      name: 'WebhookEndpointUpdate',
      description: 'What to change; what is absent stays, null clears.',
      like: WebhookEndpointEntity,
      validator: validators.updateEndpoint,
      example: { events: endpointExample.events, enabled: true },
    },
    answers: {
      200: {
        description: 'The endpoint as it is now.',
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
    description: 'Removes the endpoint with its deliveries and their log.',
    precondition,
    answers: { 204: { description: 'It is gone.' } },
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
      'Sends one signed `ping`, or the example of an event type, marked with `test: true`. It is tried once, also on a disabled endpoint, without an effect on its health; the delivery log shows what came of it.',
    body: {
      kind: 'json',
      name: 'WebhookPing',
      description: 'What to send.',
      validator: validators.pingEndpoint,
      example: { eventType: 'release.kickedOff' },
      optional: true,
    },
    answers: {
      202: {
        description: 'The delivery, which is attempted next.',
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
      'Makes a new secret, and a new `v1a` key where enabled. The ones before sign beside it for a grace of 24 hours, or as many as given (0 to 168); at most five sign at a time.',
    body: {
      kind: 'json',
      name: 'WebhookSecretRotationRequest',
      description: 'How long the keys before still sign.',
      validator: validators.rotateSecret,
      example: { graceHours: 24 },
      optional: true,
    },
    answers: {
      200: {
        description: 'The new secret and the keys that sign now.',
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
    description: 'Its deliveries of the last seven days, their attempts, and its health.',
    answers: {
      200: {
        description: 'The statistics.',
        schema: WebhookStatistics,
        example: statisticsExample,
      },
    },
    handle: (call) => endpoints.statistics(call),
  }),
]
