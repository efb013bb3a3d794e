import type {
  CheckedConnection,
  ConnectionDetails,
  ConnectionEntity,
  DisconnectedConnection,
  ProviderPluginDetails,
} from '#integrations/connection_entities'
import type { ObjectSchema } from '#plugin-kit/schema'
import { addresses, addressOf } from '../addresses.js'
import { forgottenIn, valuesOf } from '../components/schema_form.view.js'
import { textOf } from '../frame/fields.js'
import { form, type SentForm } from '../frame/page.js'
import { counted } from '../words/numbers.js'
import {
  callbackSecretPage,
  cataloguePage,
  connectionPage,
  connectPage,
  disconnectPage,
  goPage,
  rotateConnectionPage,
} from './page.js'
import { nameOf } from './state.js'
import { wayIn, waysOf } from './ways.js'

type Params = Record<string, string>
type Sent = Pick<SentForm, 'params' | 'fields' | 'ask'>

const ofPlugin = ({ orgId, pluginId }: Params) => ({ orgId, pluginId })
const ofConnection = ({ orgId, connectionId }: Params) => ({ orgId, connectionId })

const secrets = ['credentials']

const pluginOf = async ({ ask }: Sent, params: Params) =>
  (await ask<ProviderPluginDetails>('getProviderPlugin', { params: ofPlugin(params) })).body

/** Returns the input for a new connection, by the schemas of its plugin. */
async function connectionIn(sent: Sent) {
  const { params, fields } = sent
  const plugin = await pluginOf(sent, params)
  const way = wayIn(waysOf(plugin), fields.with)
  return {
    alias: textOf(fields, 'alias'),
    settings: valuesOf(plugin.connectionSchema as unknown as ObjectSchema, 'settings', fields),
    credentials: valuesOf(way.schema, 'credentials', fields),
  }
}

/**
 * Returns the plugin of a connection, and its new credentials by one way. Null deletes a stored one:
 * those of other ways, and those that the form says to forget.
 */
async function rotationIn(sent: Sent) {
  const { ask, params, fields } = sent
  const asked = { params: ofConnection(params) }
  const { body: connection } = await ask<ConnectionDetails>('getConnection', asked)
  const pluginId = connection.plugin.id
  const plugin = await pluginOf(sent, { ...params, pluginId })
  const { schema, others } = wayIn(waysOf(plugin), fields.with)
  return {
    pluginId,
    credentials: {
      ...Object.fromEntries(others.map((name) => [name, null])),
      ...forgottenIn(schema, 'credentials', fields),
      ...valuesOf(schema, 'credentials', fields),
    },
  }
}

/** Connects a provider with credentials, which are tried first. */
export const connectForm = form({
  path: addresses.connect,
  operation: 'connectProvider',
  makes: true,
  secrets,
  request: async (sent) => ({ params: ofPlugin(sent.params), body: await connectionIn(sent) }),
  shownOn: { page: connectPage },
  done({ params: { orgId }, answer }) {
    const connection = answer as ConnectionEntity
    return {
      to: addressOf(addresses.connection, { orgId, connectionId: connection.id }),
      said: `Connected ${nameOf(connection)}.`,
    }
  },
})

/** Begins a connection in a browser, which goes on at the provider. */
export const authorizeForm = form({
  path: addresses.authorize,
  operation: 'authorizeProvider',
  secrets,
  async request(sent) {
    const { params, browser } = sent
    return { params: ofPlugin(params), body: { ...(await connectionIn(sent)), browser } }
  },
  shownOn: { page: connectPage, params: ofPlugin },
  shows: goPage,
})

/** Connects the simulated providers. */
export const simulatorsForm = form({
  path: addresses.simulators,
  operation: 'startSimulatedWorld',
  request: ({ params: { orgId }, fields }) => ({
    params: { orgId },
    body: { alias: textOf(fields, 'alias') },
  }),
  shownOn: { page: cataloguePage },
  done: ({ params: { orgId }, answer }) => ({
    to: addressOf(addresses.connections, { orgId }),
    said: `Connected ${counted((answer as unknown[]).length, 'simulated provider')}.`,
  }),
})

/** Tries a connection. */
export const checkForm = form({
  path: addresses.checkConnection,
  operation: 'checkConnection',
  request: ({ params }) => ({ params: ofConnection(params) }),
  shownOn: { page: connectionPage, params: ofConnection },
  done: ({ answer }) => ({
    said: (answer as CheckedConnection).isWorking
      ? 'Checked: it works.'
      : 'Checked. The result is below.',
  }),
})

/** Gives a connection new credentials, which are tried first. */
export const rotateConnectionForm = form({
  path: addresses.rotateConnection,
  operation: 'rotateConnection',
  secrets,
  async request(sent) {
    const { credentials } = await rotationIn(sent)
    return { params: ofConnection(sent.params), body: { credentials } }
  },
  shownOn: { page: rotateConnectionPage, params: ofConnection },
  done: ({ params, answer }) => ({
    to: addressOf(addresses.connection, params),
    said: `Rotated ${nameOf(answer as ConnectionEntity)}.`,
  }),
})

/** Begins to give a connection new credentials in a browser. */
export const reauthorizeForm = form({
  path: addresses.reauthorize,
  operation: 'authorizeProvider',
  secrets,
  async request(sent) {
    const { params, browser } = sent
    const { pluginId, credentials } = await rotationIn(sent)
    const { orgId, connectionId } = params
    return { params: { orgId, pluginId }, body: { credentials, connectionId, browser } }
  },
  shownOn: { page: rotateConnectionPage, params: ofConnection },
  shows: goPage,
})

/** Ends a connection. */
export const disconnectForm = form({
  path: addresses.disconnect,
  operation: 'disconnectProvider',
  request({ params, fields }) {
    const apps = textOf(fields, 'apps')?.split(' ')
    return { params: ofConnection(params), query: apps ? { force: true, ofApp: apps } : {} }
  },
  shownOn: { page: disconnectPage, params: ofConnection },
  done: ({ params: { orgId }, answer }) => ({
    to: addressOf(addresses.connections, { orgId }),
    said: (answer as DisconnectedConnection).removed
      ? 'Disconnected.'
      : 'Disconnected. Apps still name it.',
  }),
})

/** Makes a secret for callbacks, and shows it once. */
export const callbackSecretForm = form({
  path: addresses.callbackSecret,
  operation: 'issueCallbackSecret',
  makes: true,
  request: ({ params }) => ({ params: ofConnection(params) }),
  shownOn: { page: connectionPage, params: ofConnection },
  shows: callbackSecretPage,
})
