import { list } from '#foundation/core/schemas'
import { actions, operation, type InputValidator } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import {
  BegunAuthorization,
  CallbackSecret,
  CheckedConnection,
  CompletedAuthorization,
  ConnectionDetails,
  ConnectionEntity,
  DisconnectedConnection,
  ProviderCallEntity,
  ProviderChannels,
  ProviderPluginDetails,
  ProviderPluginEntity,
} from '../connection_entities.js'
import {
  EXAMPLE_BROWSER,
  exampleBegun,
  exampleCall,
  exampleCallbackSecret,
  exampleChannels,
  exampleConnection,
  exampleConnectionDetails,
  exampleNewConnection,
  examplePlugin,
  examplePluginDetails,
} from '../connection_examples.js'
import type { Tried } from '../controllers/connections_controller.js'
import {
  browserAnswerBody,
  browserConnectionBody,
  channelsQuery,
  disconnectQuery,
  newConnectionBody,
  rotationBody,
  type BrowserAnswer,
  type BrowserConnection,
  type ChannelsQuery,
  type DisconnectQuery,
  type NewConnection,
  type RotatedCredentials,
} from '../validators/connection_input.js'

const connections = lazyController(
  async () => new (await import('../controllers/connections_controller.js')).ConnectionsController()
)

const plugin = '/org/{orgId}/integrationPlugin/{pluginId}'
const all = '/org/{orgId}/integration'
const one = `${all}/{connectionId}`
const shared = {
  tag: 'Integrations',
  surface: 'pages',
  access: actions('AddRemoveEditIntegration'),
} as const
const shown = {
  description: 'The connection.',
  schema: ConnectionEntity,
  example: exampleConnection,
}
const whole = { ...shown, schema: ConnectionDetails, example: exampleConnectionDetails }

/** Operations on connections with providers. They are for pages; API keys cannot use them. */
export const connectionOperations = [
  operation({
    ...shared,
    id: 'listProviderPlugins',
    method: 'GET',
    path: '/org/{orgId}/integrationPlugin',
    summary: 'List what can be connected',
    description: 'Returns the running plugins by name.',
    responses: {
      200: {
        description: 'The plugins.',
        schema: list('The plugins.', ProviderPluginEntity, 1000),
        example: [examplePlugin],
      },
    },
    handle: () => connections.plugins(),
  }),
  operation({
    ...shared,
    id: 'getProviderPlugin',
    method: 'GET',
    path: plugin,
    summary: 'Get the requirements for connecting',
    description: 'Returns a plugin with the schemas of its credentials and settings.',
    responses: {
      200: {
        description: 'The plugin.',
        schema: ProviderPluginDetails,
        example: examplePluginDetails,
      },
    },
    handle: (call) => connections.plugin(call),
  }),
  operation<NewConnection, undefined, Tried>({
    ...shared,
    id: 'connectProvider',
    method: 'POST',
    path: `${plugin}/connect`,
    summary: 'Connect a provider',
    description:
      'Connects the organization with an account. The credentials are tried first: refused ones are not stored; those that cannot be tried now are.',
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'NewConnection',
      description: 'Settings and credentials of the connection.',
      validator: newConnectionBody as InputValidator<NewConnection>,
      example: exampleNewConnection,
    },
    responses: { 201: whole },
    errors: [409],
    check: (call, errors) => connections.checkNew(call, errors),
    prefetch: (call) => connections.tryNew(call),
    handle: (call) => connections.connect(call),
  }),
  operation<BrowserConnection>({
    ...shared,
    id: 'authorizeProvider',
    method: 'POST',
    path: `${plugin}/authorize`,
    summary: 'Begin connecting in a browser',
    description:
      'Begins a connection that a person approves at the provider (OAuth 2), or whose key the provider creates. Only the browser that began it can finish it, once, within ten minutes.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'BrowserConnection',
      description: 'Settings to begin the connection with.',
      validator: browserConnectionBody as InputValidator<BrowserConnection>,
      example: { ...exampleNewConnection, browser: EXAMPLE_BROWSER },
    },
    responses: {
      200: {
        description: 'Where the browser goes next.',
        schema: BegunAuthorization,
        example: exampleBegun,
      },
    },
    errors: [409],
    check: (call, errors) => connections.checkBeginning(call, errors),
    handle: (call) => connections.authorize(call),
  }),
  operation<BrowserAnswer>({
    ...shared,
    id: 'completeAuthorization',
    method: 'POST',
    path: '/org/{orgId}/integrationAuthorization/{authorizationState}/complete',
    summary: 'Finish connecting in a browser',
    description:
      'Accepts the result that the browser brought back, once. 404 `authorization_unknown` for another browser or organization, and for a used or expired result.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'BrowserAnswer',
      description: 'Result that the browser brought back.',
      validator: browserAnswerBody as InputValidator<BrowserAnswer>,
      example: { browser: EXAMPLE_BROWSER, code: 'good-code-4711' },
    },
    responses: {
      200: {
        description: 'The connection, or the step that follows.',
        schema: CompletedAuthorization,
        example: { connection: exampleConnection, next: null },
      },
    },
    errors: [409],
    handle: (call) => connections.complete(call),
  }),
  operation({
    ...shared,
    id: 'listConnections',
    method: 'GET',
    path: all,
    summary: 'List the connections with providers',
    description: 'Returns all connections, oldest first.',
    responses: {
      200: {
        description: 'The connections.',
        schema: list('The connections.', ConnectionEntity, 10_000),
        example: [exampleConnection],
      },
    },
    handle: (call) => connections.index(call),
  }),
  operation({
    ...shared,
    id: 'getConnection',
    method: 'GET',
    path: one,
    summary: 'Get a connection with a provider',
    description: 'Returns a connection with all details; its credentials are never shown.',
    responses: { 200: whole },
    handle: (call) => connections.show(call),
  }),
  operation({
    ...shared,
    id: 'listProviderCalls',
    method: 'GET',
    path: `${one}/call`,
    summary: 'List the latest calls to a provider',
    description: 'Returns the latest calls of a connection, newest first.',
    responses: {
      200: {
        description: 'The calls.',
        schema: list('The calls.', ProviderCallEntity, 200),
        example: [exampleCall],
      },
    },
    handle: (call) => connections.calls(call),
  }),
  operation<undefined, ChannelsQuery>({
    ...shared,
    id: 'listProviderChannels',
    method: 'GET',
    path: `${one}/channel`,
    summary: 'List the channels of a chat',
    description: 'Searches the chat for channels by part of their name; the result is not stored.',
    query: channelsQuery as InputValidator<ChannelsQuery>,
    responses: {
      200: { description: 'The channels.', schema: ProviderChannels, example: exampleChannels },
    },
    errors: [409, 502],
    handle: (call) => connections.channels(call),
  }),
  operation({
    ...shared,
    id: 'checkConnection',
    method: 'POST',
    path: `${one}/check`,
    summary: 'Try a connection',
    description:
      'Asks the provider whether the credentials work and which permissions are missing.',
    apart: true,
    callsOthers: true,
    responses: {
      200: {
        description: 'The connection in its current state.',
        schema: CheckedConnection,
        example: { ...exampleConnection, isWorking: true },
      },
    },
    errors: [409],
    handle: (call) => connections.check(call),
  }),
  operation<RotatedCredentials>({
    ...shared,
    id: 'rotateConnection',
    method: 'POST',
    path: `${one}/rotate`,
    summary: 'Give a connection new credentials',
    description:
      'Replaces credentials of the same name; others are kept, and null removes one. They are tried first: refused ones change nothing.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'RotatedCredentials',
      description: 'The new credentials.',
      validator: rotationBody as InputValidator<RotatedCredentials>,
      example: { credentials: exampleNewConnection.credentials },
    },
    responses: { 200: shown },
    errors: [409],
    handle: (call) => connections.rotate(call),
  }),
  operation<undefined, DisconnectQuery>({
    ...shared,
    id: 'disconnectProvider',
    method: 'DELETE',
    path: one,
    summary: 'Disconnect a provider',
    description:
      'Ends a connection and deletes its credentials. 409 `connection_in_use` if apps use it, unless forced: their integrations are then kept, paused until there are new credentials.',
    query: disconnectQuery as InputValidator<DisconnectQuery>,
    responses: {
      200: {
        description: 'The ended connection.',
        schema: DisconnectedConnection,
        example: { id: exampleConnection.id, removed: true },
      },
    },
    errors: [409],
    handle: (call) => connections.disconnect(call),
  }),
  operation({
    ...shared,
    id: 'issueCallbackSecret',
    method: 'POST',
    path: `${one}/callbackSecret`,
    summary: 'Create a secret for provider webhooks',
    description:
      'Creates the secret that the provider signs with and shows it once; the previous one is valid for another day.',
    responses: {
      200: {
        description: 'The secret, shown only once.',
        schema: CallbackSecret,
        example: exampleCallbackSecret,
      },
    },
    errors: [409],
    handle: (call) => connections.issueSecret(call),
  }),
]
