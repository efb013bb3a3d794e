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
    description: 'The plugins that run, by name.',
    answers: {
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
    summary: 'Get what connecting takes',
    description: 'A plugin, with the schemas of its credentials and settings.',
    answers: {
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
      'Connects the organization with an account. The credentials are tried first: refused ones are not stored, and those that cannot be tried now are.',
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'NewConnection',
      description: 'What the connection is made of.',
      validator: newConnectionBody as InputValidator<NewConnection>,
      example: exampleNewConnection,
    },
    answers: { 201: whole },
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
    summary: 'Begin to connect in a browser',
    description:
      'Begins a connection that a person agrees to at the provider (OAuth 2), or whose key the provider makes. The browser that began it alone can finish it, once, within ten minutes.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'BrowserConnection',
      description: 'What the connection is begun with.',
      validator: browserConnectionBody as InputValidator<BrowserConnection>,
      example: { ...exampleNewConnection, browser: EXAMPLE_BROWSER },
    },
    answers: {
      200: {
        description: 'Where the browser goes.',
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
    summary: 'Finish to connect in a browser',
    description:
      'Takes what the browser brought back, once. 404 `authorization_unknown` for another browser, another organization, and what is used up or too old.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'BrowserAnswer',
      description: 'What the browser brought.',
      validator: browserAnswerBody as InputValidator<BrowserAnswer>,
      example: { browser: EXAMPLE_BROWSER, code: 'good-code-4711' },
    },
    answers: {
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
    description: 'All connections, oldest first.',
    answers: {
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
    description: 'One connection with all about it; its credentials are never shown.',
    answers: { 200: whole },
    handle: (call) => connections.show(call),
  }),
  operation({
    ...shared,
    id: 'listProviderCalls',
    method: 'GET',
    path: `${one}/call`,
    summary: 'List the latest calls to a provider',
    description: 'The latest calls of a connection, newest first.',
    answers: {
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
    description: 'Asks the chat for channels by a part of their name; nothing of it is kept.',
    query: channelsQuery as InputValidator<ChannelsQuery>,
    answers: {
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
    description: 'Asks the provider whether the credentials work, and what they lack.',
    apart: true,
    callsOthers: true,
    answers: {
      200: {
        description: 'The connection as it is now.',
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
      'New ones take the place of those of the same name; others are kept, and null forgets one. They are tried first: refused ones change nothing.',
    apart: true,
    callsOthers: true,
    body: {
      kind: 'json',
      name: 'RotatedCredentials',
      description: 'The new credentials.',
      validator: rotationBody as InputValidator<RotatedCredentials>,
      example: { credentials: exampleNewConnection.credentials },
    },
    answers: { 200: shown },
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
      'Ends a connection and forgets its credentials. 409 `connection_in_use` where apps use it, unless forced: they keep their integrations then, which rest until there are new credentials.',
    query: disconnectQuery as InputValidator<DisconnectQuery>,
    answers: {
      200: {
        description: 'What became of it.',
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
    summary: 'Make a secret for what a provider sends',
    description:
      'Makes the secret that the provider signs with, and shows it once; the one before is good for a day.',
    answers: {
      200: {
        description: 'The secret, shown this once.',
        schema: CallbackSecret,
        example: exampleCallbackSecret,
      },
    },
    errors: [409],
    handle: (call) => connections.issueSecret(call),
  }),
]
