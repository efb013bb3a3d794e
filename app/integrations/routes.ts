import vine from '@vinejs/vine'
import {
  actions,
  ANY_CONTENT,
  open,
  operation,
  type InputValidator,
  type Wire,
  type WireDeclaration,
} from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { describedAs, text } from '#foundation/api/operation/input'
import { MAX_CALLBACK_BYTES } from './callbacks/callback_url.js'
import { CallbackAnswer, UpdatedIntegrationEntity } from './entities.js'
import { exampleAuthUpdate, exampleCallbackAnswer, exampleUpdatedStore } from './examples.js'
import { ANSWER_PATH, PAGE_PATH } from './oauth/answer_path.js'
import type { AuthorizationAnswer } from './oauth/finish_authorization.js'
import { connectionOperations } from './routes/connections.js'
import { authUpdateBody, type AuthUpdate } from './validators/auth_update.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const callbacks = lazyController(
  async () => new (await import('./controllers/callbacks_controller.js')).CallbacksController()
)
const credentials = lazyController(
  async () => new (await import('./controllers/credentials_controller.js')).CredentialsController()
)
const authorizations = lazyController(
  async () =>
    new (await import('./controllers/authorizations_controller.js')).AuthorizationsController()
)

/** The header by which browsers get a page instead of a problem. */
const ofBrowser: WireDeclaration = {
  kind: 'wire',
  headers: { 'Sec-Fetch-Dest': '`document` from browsers: problems are shown as pages.' },
  example: { 'sec-fetch-dest': 'document' },
}

/** Declares the operation of a callback address. */
const takeCallback = (
  own: Pick<
    Parameters<typeof operation<Wire>>[0],
    'id' | 'path' | 'summary' | 'description' | 'handle'
  >
) =>
  operation<Wire>({
    ...own,
    steps: oneStep('a provider says that something changed; it is looked at'),
    method: 'POST',
    tag: 'Integrations',
    beyond: true,
    access: open,
    body: {
      kind: 'wire',
      headers: {},
      example: {},
      content: {
        contentType: ANY_CONTENT,
        description: 'Payload in the format of the provider.',
        maxBytes: MAX_CALLBACK_BYTES,
      },
    },
    responses: {
      200: {
        description: 'Accepted, with the immediate answer that the provider expects.',
        schema: CallbackAnswer,
        example: exampleCallbackAnswer,
      },
      202: { description: 'Accepted, now or earlier.' },
    },
    errors: [404, 413, 415],
  })

export const operations = [
  ...connectionOperations,
  takeCallback({
    id: 'takeProviderCallback',
    path: '/integration/{integrationInstallationId}/callback',
    summary: 'Receive a provider webhook for one integration',
    description:
      'Receives webhooks that were set up at the provider by hand. No API key is needed: each webhook is verified by the scheme of the provider and accepted once. Its content is not trusted; its subject is checked soon. Rejected webhooks get 404, whether the integration is unknown or the signature wrong.',
    handle: (call) => callbacks.ofIntegration(call),
  }),
  takeCallback({
    id: 'takeConnectionCallback',
    path: '/connection/{connectionId}/callback',
    summary: 'Receive a provider webhook for a connection',
    description:
      'Like `takeProviderCallback`, for all integrations of a connection: webhooks created by a plugin, and vendor Apps, which have one address and one secret. The integrations concerned are checked soon.',
    handle: (call) => callbacks.ofConnection(call),
  }),
  operation<AuthUpdate>({
    id: 'updateIntegrationAuth',
    steps: twoSteps('replaces credentials of a store'),
    method: 'POST',
    path: '/app/{appId}/integration/{integrationInstallationId}/updateAuth',
    tag: 'App',
    summary: 'Update the credentials of a store integration',
    description:
      'Replaces the credentials of a store connection: for Apple the App Store Connect key, for Google the key file of a service account. They are tried first; refused ones change nothing. They apply to every app that uses the connection.',
    access: actions('AddRemoveEditIntegration'),
    apart: true,
    body: {
      kind: 'json',
      name: 'IntegrationAuthUpdateEntity',
      description: 'New credentials for one store.',
      validator: authUpdateBody as InputValidator<AuthUpdate>,
      example: exampleAuthUpdate,
    },
    responses: {
      200: {
        description: 'The integration, with a hint of its new key.',
        schema: UpdatedIntegrationEntity,
        example: exampleUpdatedStore,
      },
    },
    errors: [409],
    check: (call, errors) => credentials.check(call, errors),
    handle: (call) => credentials.update(call),
  }),
  operation<Wire, { state: string }>({
    id: 'beginProviderAuthorization',
    steps: oneStep('a page with a button that leads to the provider; it changes nothing'),
    method: 'GET',
    path: PAGE_PATH,
    tag: 'Integrations',
    summary: 'Show the page that leads to a provider',
    description:
      'Shows the page to which `provider:authorize` leads if the provider takes a form, such as a GitHub App manifest. It is valid for ten minutes, until the browser returns.',
    beyond: true,
    access: open,
    body: ofBrowser,
    query: vine.create({
      state: text(200).use(describedAs('The `state` that the browser was sent with.')),
    }),
    responses: {
      303: { description: '`Location` leads to a page that explains the failure.' },
      200: {
        description: 'A page with a form for the provider.',
        contentType: 'text/html',
        example:
          '<!doctype html><html lang="en"><head><title>Connect GitHub</title></head>…</html>',
      },
    },
    errors: [404],
    handle: (call) => authorizations.begin(call),
  }),
  operation<Wire, Partial<AuthorizationAnswer>>({
    id: 'finishProviderAuthorization',
    steps: oneStep('a person has agreed at the provider'),
    method: 'GET',
    path: ANSWER_PATH,
    tag: 'Integrations',
    summary: 'Finish connecting with a provider in a browser',
    description:
      'Receives the browser from the provider after `provider:authorize` (OAuth 2, authorization code). The result is valid once, for ten minutes.',
    beyond: true,
    access: open,
    body: ofBrowser,
    query: vine.create({
      state: text(200).use(describedAs('The `state` that the browser was sent with.')).optional(),
      code: text(4000).use(describedAs('Authorization code to exchange for tokens.')).optional(),
      error: text(200)
        .use(describedAs('Error code, if there is no authorization code.'))
        .optional(),
      installation_id: text(40).use(describedAs('GitHub App: id of the installation.')).optional(),
      setup_action: text(40).use(describedAs('GitHub App: what was done with it.')).optional(),
    }),
    responses: {
      303: { description: '`Location` leads to the next step at the provider, or to a page.' },
      200: {
        description: 'A page that confirms it.',
        contentType: 'text/html',
        example: '<!doctype html><html lang="en"><head><title>Connected</title></head>…</html>',
      },
    },
    errors: [404, 409],
    handle: (call) => authorizations.finish(call),
  }),
]
