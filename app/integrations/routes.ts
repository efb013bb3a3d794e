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
import { says, text } from '#foundation/api/operation/input'
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
        description: 'As the provider sends it.',
        maxBytes: MAX_CALLBACK_BYTES,
      },
    },
    answers: {
      200: {
        description: 'It is taken, and this is the answer that the provider wants at once.',
        schema: CallbackAnswer,
        example: exampleCallbackAnswer,
      },
      202: { description: 'It is taken, or was before.' },
    },
    errors: [404, 413, 415],
  })

export const operations = [
  ...connectionOperations,
  takeCallback({
    id: 'takeProviderCallback',
    path: '/integration/{integrationInstallationId}/callback',
    summary: 'Take a webhook of a provider for one integration',
    description:
      'Where a provider sends that something has changed, set up by hand. It needs no key: it is verified by the scheme of the provider, and taken once. It is never believed as a state; what it is about is looked at soon. Whatever is not taken is 404, be the integration unknown or the signature wrong.',
    handle: (call) => callbacks.ofIntegration(call),
  }),
  takeCallback({
    id: 'takeConnectionCallback',
    path: '/connection/{connectionId}/callback',
    summary: 'Take a webhook of a provider for all of a connection',
    description:
      'The same for everything that one connection has: webhooks that a plugin makes itself, and Apps of a vendor, which have one address and one secret. It leads to looks for the integrations that it concerns.',
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
      'Gives the connection of a store new credentials: of Apple the key of App Store Connect, of Google the key file of a service account. They are tried first, and refused ones change nothing. They are for every app that uses the connection.',
    access: actions('AddRemoveEditIntegration'),
    apart: true,
    body: {
      kind: 'json',
      name: 'IntegrationAuthUpdateEntity',
      description: 'New credentials: those of one store.',
      validator: authUpdateBody as InputValidator<AuthUpdate>,
      example: exampleAuthUpdate,
    },
    answers: {
      200: {
        description: 'The integration, with what identifies its new key.',
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
      'Where `provider:authorize` leads when the provider takes a form, such as the manifest of an App of GitHub. It is good for ten minutes, until the browser comes back.',
    beyond: true,
    access: open,
    body: ofBrowser,
    query: vine.create({ state: text(200).use(says('What the browser was sent with.')) }),
    answers: {
      303: { description: 'Location leads to a page that says why there is none.' },
      200: {
        description: 'A page with a form that goes to the provider.',
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
    summary: 'Finish to connect with a provider in a browser',
    description:
      'Where a provider sends the browser back to after `provider:authorize` (OAuth 2, authorization code). What it brings is good once, for ten minutes.',
    beyond: true,
    access: open,
    body: ofBrowser,
    query: vine.create({
      state: text(200).use(says('What the browser was sent with.')).optional(),
      code: text(4000).use(says('What the provider gives for the tokens.')).optional(),
      error: text(200).use(says('Why the provider gives none.')).optional(),
      installation_id: text(40)
        .use(says('Of an App of GitHub: where it was installed.'))
        .optional(),
      setup_action: text(40).use(says('Of an App of GitHub: what was done with it.')).optional(),
    }),
    answers: {
      303: { description: 'Location leads to the next step at the provider, or to a page.' },
      200: {
        description: 'A page that says so.',
        contentType: 'text/html',
        example: '<!doctype html><html lang="en"><head><title>Connected</title></head>…</html>',
      },
    },
    errors: [404, 409],
    handle: (call) => authorizations.finish(call),
  }),
]
