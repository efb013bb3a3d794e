import app from '@adonisjs/core/services/app'
import { clock, unitOfWork } from '#foundation/core/services'
import { integrationObservers, type Hint } from '#integrations/callbacks/observers'
import { hookSecret } from '#integrations/callbacks/hook_secrets'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import type { Ref } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'
import { FullFake, sample } from '#plugin-kit/tests/broken/sample'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { type World } from '#tests/support/world'
import { connect } from './connect.js'

const hints: Hint[] = []
integrationObservers.extend({ hinted: async (_scope, hint) => void hints.push(hint) }).register()

const nobody = new Api(null)
const fake = new FullFake()

/** Calls that the provider received. */
export const done: { ensured: { url: string; secret: string }[]; removed: Ref[] } = {
  ensured: [],
  removed: [],
}

/** Returns the kit's sample plugin with webhooks, under an integration type with a fixed name. */
export function plugin(parts: Parameters<typeof sample>[0] = {}): Plugin {
  const { plugin: whole } = sample({
    webhooks: {
      ensure: async (_ctx, url, secret) => {
        done.ensured.push({ url, secret })
        return { id: `W${done.ensured.length}` }
      },
      remove: async (_ctx, ref) => void done.removed.push(ref),
      ...parts.webhooks,
    },
  })
  const { capabilities } = whole.manifest
  const chat = { ...capabilities.chat!, type: 'teams' }
  // Without interactions, so that no message is read as a press.
  return {
    ...whole,
    interactions: undefined,
    manifest: { ...whole.manifest, capabilities: { chat } },
  }
}

export async function work() {
  await (await app.container.make('jobs.worker')).turn()
}

export async function installed(world: World) {
  const credentials = { token: 'good-token' }
  const { id: provider } = await connect(world, 'acme', { credentials })
  const appId = await makeApp(world)
  const chat = { key: 'talk', type: 'teams', kind: 'chat', provider, data: {} } as const
  await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
  const [{ id }] = await integrationEntities(unitOfWork.readScope(world.principal), appId)
  const secrets = await app.container.make('integrations.secrets')
  const secret = await world.write((scope) => hookSecret(scope, secrets, { of: 'integration', id }))
  return { id, appId, chat, secret, provider }
}

export const rotated = async (world: World, id: string) => {
  const secrets = await app.container.make('integrations.secrets')
  return world.write((scope) => hookSecret(scope, secrets, { of: 'integration', id }, true))
}

/** Returns a callback as the provider sends it. */
export function delivery(secret: string, { at = clock.milliseconds(), id = '' } = {}) {
  const { headers, rawBody } = fake.deliverWebhook('message.posted', { secret, at })
  // The fake numbers none of its deliveries; one without an id of its own is a new one.
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    raw: Buffer.from(rawBody),
    id,
  }
}

type Sent = { headers: Record<string, string>; raw: Buffer }

const post = (path: string, { raw, headers }: Sent) => nobody.send('POST', path, { raw, headers })

export const send = (id: string, sent: Sent) => post(`/integration/${id}/callback`, sent)

export const sendTo = (connection: string, sent: Sent) =>
  post(`/connection/${connection}/callback`, sent)

export const urlOf = (connection: string) =>
  `https://tarmac.acme.example/connection/${connection}/callback`

export const hintsOf = (id: string) => hints.filter(({ integrationId }) => integrationId === id)
