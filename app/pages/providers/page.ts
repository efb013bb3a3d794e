import type {
  BegunAuthorization,
  CallbackSecret,
  ConnectionDetails,
  ConnectionEntity,
  CompletedAuthorization,
  ProviderCallEntity,
  ProviderChannels,
  ProviderPluginDetails,
  ProviderPluginEntity,
} from '#integrations/connection_entities'
import { Problem } from '#foundation/core/problems/problem'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { NamedApp } from '../keys/answers.js'
import type { AuthorizedAnswers, ChannelsAnswers } from './answers.js'
import { catalogueView } from './catalogue.view.js'
import { channelsView } from './channels.view.js'
import { authorizedView, connectView, goView, rotateView } from './connect.view.js'
import { connectionView, disconnectView, secretView } from './connection.view.js'
import { connectionsView } from './list.view.js'

const of = ({ params: { orgId } }: PageCall) => ({ params: { orgId } })
const ofOne = ({ params: { orgId, connectionId } }: PageCall) => ({
  params: { orgId, connectionId },
})

const appsOf = async (call: PageCall) => (await call.ask<NamedApp[]>('listApps', of(call))).body

const connectionsOf = async (call: PageCall) =>
  (await call.ask<ConnectionEntity[]>('listConnections', of(call))).body

const connectionOf = async (call: PageCall) =>
  (await call.ask<ConnectionDetails>('getConnection', ofOne(call))).body

async function pluginOf({ ask, params: { orgId } }: PageCall, pluginId: string) {
  return (await ask<ProviderPluginDetails>('getProviderPlugin', { params: { orgId, pluginId } }))
    .body
}

/** The connections of an organization to providers. */
export const connectionsPage = page({
  path: addresses.connections,
  template: 'providers/list',
  read: async (call) => ({ connections: await connectionsOf(call), apps: await appsOf(call) }),
  view: connectionsView,
})

/** The catalogue of connectable providers. */
export const cataloguePage = page({
  path: addresses.catalogue,
  template: 'providers/catalogue',
  async read(call) {
    const { body: plugins } = await call.ask<ProviderPluginEntity[]>(
      'listProviderPlugins',
      of(call)
    )
    return { plugins, connections: await connectionsOf(call) }
  },
  view: catalogueView,
})

/** The form that connects a provider. */
export const connectPage = page({
  path: addresses.connect,
  template: 'providers/connect',
  read: (call) => pluginOf(call, call.params.pluginId),
  view: connectView,
})

/** One connection. */
export const connectionPage = page({
  path: addresses.connection,
  template: 'providers/connection',
  async read(call) {
    const connection = await connectionOf(call)
    const { body: calls } = await call.ask<ProviderCallEntity[]>('listProviderCalls', ofOne(call))
    const { id, isRunning } = connection.plugin
    const plugin = isRunning ? await pluginOf(call, id) : null
    return { connection, calls, plugin, apps: await appsOf(call) }
  },
  view: connectionView,
})

/** The form that gives a connection new credentials. */
export const rotateConnectionPage = page({
  path: addresses.rotateConnection,
  template: 'providers/connect',
  async read(call) {
    const connection = await connectionOf(call)
    return { connection, plugin: await pluginOf(call, connection.plugin.id) }
  },
  view: rotateView,
})

/** Channels of a chat, which the files of apps name by their ids. */
export const channelsPage = page({
  path: addresses.channels,
  template: 'providers/channels',
  async read(call): Promise<ChannelsAnswers> {
    const connection = await connectionOf(call)
    const { id, isRunning } = connection.plugin
    const plugin = isRunning ? await pluginOf(call, id) : null
    const search = call.query.search || undefined
    const found = await call
      .ask<ProviderChannels>('listProviderChannels', { ...ofOne(call), query: { search } })
      .then(
        ({ body }) => body,
        (error: unknown) => {
          if (error instanceof Problem && error.status !== 500) return error
          throw error
        }
      )
    return { connection, plugin, found }
  },
  view: channelsView,
})

/** The question before a connection is ended. */
export const disconnectPage = page({
  path: addresses.disconnect,
  template: 'components/question_page',
  read: async (call) => ({ connection: await connectionOf(call), apps: await appsOf(call) }),
  view: disconnectView,
})

/** Leads on to the provider, after a form has begun an authorization. */
export const goPage = page({
  path: addresses.connect,
  template: 'providers/go',
  read: async ({ answer }) => answer as BegunAuthorization,
  view: goView,
})

/** A secret for callbacks that was just made. */
export const callbackSecretPage = page({
  path: addresses.callbackSecret,
  template: 'providers/secret',
  async read(call) {
    return { connection: await connectionOf(call), issued: call.answer as CallbackSecret }
  },
  view: secretView,
})

/**
 * The page to which a provider sends the browser back. Its parameters work once, and only in the
 * browser that began.
 */
export const authorizedPage = page({
  path: addresses.authorized,
  template: 'providers/authorized',
  isOnce: true,
  async read(call): Promise<AuthorizedAnswers> {
    // Refuses readers who may not see connections.
    await connectionsOf(call)
    const { ask, query, params, browser } = call
    const { state, code, error, installation_id: installationId, setup_action: setupAction } = query
    const nothing = { connection: null, next: null, problem: null }
    if (!state) return nothing
    try {
      const { body } = await ask<CompletedAuthorization>('completeAuthorization', {
        params: { orgId: params.orgId, authorizationState: state },
        body: { browser, code, error, installationId, setupAction },
      })
      return { ...nothing, ...body }
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status >= 500) throw problem
      return { ...nothing, problem }
    }
  },
  view: authorizedView,
})
