import config from '@adonisjs/core/services/config'
import { APP, HOSTS, SlackFake, type Press } from '@tarmac/plugin-slack/fake'
import { FakeReset } from '@tarmac/plugin-kit/testing'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { SECOND } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import {
  carryOutInteraction,
  replyToInteraction,
} from '#integrations/interactions/interaction_command'
import { inProcessHosts } from '#integrations/port/in_process'
import { plugins } from '#integrations/plugins/plugin_registry'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { notifications } from '#notifications/module'
import { planning } from '#planning/module'
import type { Plugin } from '#plugin-kit/plugin'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { Api } from './api.js'
import { loadTestPlugins } from './plugins/index.js'
import type { World } from './world.js'

/** The fake of Slack that the service reaches; null while it is down. */
const reached: { slack: SlackFake | null } = { slack: null }

for (const host of HOSTS) {
  const respond = async (request: Request) => {
    if (reached.slack === null) throw new FakeReset()
    return reached.slack.answer(request)
  }
  inProcessHosts.extend({ host, answer: respond }).register()
}

export const PUBLIC_URL = 'https://tarmac.acme.example'
const CHANNEL = 'C0RELEASES'
const PEOPLE = ['ada', 'quinn', 'nobody', 'guest', 'bot', 'stranger', 'unverified']

/**
 * Returns the plugin of Slack without its rate limit, which all tests within a minute would share.
 */
export async function hasty(): Promise<{ default: Plugin }> {
  const { default: slack } = await import('@tarmac/plugin-slack')
  const rate = { ...slack.manifest.rate, requests: 10_000, changes: [] }
  return { default: { ...slack, manifest: { ...slack.manifest, rate } } }
}

const URLS = {
  'app.publicUrl': config.get<string>('app.publicUrl'),
  'app.serviceUrl': config.get<string>('app.serviceUrl'),
}

export async function leaveSlack() {
  reached.slack = null
  for (const [name, value] of Object.entries(URLS)) config.set(name, value)
  await loadTestPlugins()
}

const nobody = new Api(null)

interface Button {
  text: { text: string }
  style?: string
  action_id: string
  value?: string
  url?: string
  confirm?: object
}
type Blocks = { type: string; elements: Button[] }[]

const CREDENTIALS = { token: 'xoxb-good-token', signingSecret: APP.signingSecret }

/** Returns the integration of an app with the workspace. */
export const talkOf = (provider: string, primaryChannelIds = [CHANNEL]) => ({
  key: 'talk',
  type: 'slack',
  kind: 'chat' as const,
  provider,
  data: { primaryChannelIds },
})

/** Opens a workspace with people and a channel, which the service can reach. */
export function openWorkspace(isPublic = true) {
  const slack = (reached.slack = new SlackFake(() => clock.milliseconds()))
  slack.seed({
    chat: { channels: [{ id: CHANNEL, name: 'releases' }], posts: [], users: [] },
  })
  slack.workspace.people = PEOPLE.map((name) => ({
    id: `U0${name.toUpperCase()}`,
    email: `${name}@acme.example`,
    isConfirmed: name !== 'unverified',
    kind: name === 'guest' || name === 'bot' || name === 'stranger' ? name : 'member',
  }))
  config.set('app.publicUrl', isPublic ? PUBLIC_URL : '')
  if (isPublic) config.set('app.serviceUrl', PUBLIC_URL)
  const topLevel = () => slack.workspace.messages.filter(({ threadOf }) => threadOf === undefined)
  const buttons = (index = -1) =>
    (topLevel().at(index)?.blocks as Blocks | undefined)?.find(({ type }) => type === 'actions')
      ?.elements ?? []
  let presses = 0
  return {
    slack,
    /** The messages outside of threads. */
    living: topLevel,
    /** The buttons of one of them, by default the last. */
    buttons,
    /** The messages in threads. */
    history: () => slack.workspace.messages.filter(({ threadOf }) => threadOf !== undefined),
    button: (label: RegExp) => buttons().find(({ text }) => label.test(text.text))!,
    /** Presses a button as a member of the workspace. */
    press: async (
      connectionId: string,
      name: string,
      { action_id: actionId, value }: Button,
      more: Partial<Press> = {}
    ) =>
      deliver(
        connectionId,
        slack.press({
          memberId: `U0${name.toUpperCase()}`,
          actionId,
          value,
          triggerId: `press-${++presses}`,
          at: clock.milliseconds(),
          ...more,
        })
      ),
  }
}

export const connectSlack = (
  world: World,
  credentials: Record<string, string> = CREDENTIALS,
  alias: string | null = null
) => connect(world, 'slack', { credentials, alias })

type Given = NonNullable<Parameters<typeof makeTrain>[1]>

/** Makes an app that uses a Slack workspace, with releases of the given versions. */
export async function setSlack({
  versions = [] as readonly string[],
  isPublic = true,
  isHasty = true,
  credentials = CREDENTIALS as Record<string, string>,
  steps = undefined as Given['steps'],
  settings = undefined as Given['settings'],
} = {}) {
  const workspace = openWorkspace(isPublic)
  await plugins.load({ slack: isHasty ? hasty : () => import('@tarmac/plugin-slack') })
  const stage = await Stage.set(
    ...planning.work!,
    ...notifications.work!,
    carryOutInteraction,
    replyToInteraction
  )
  const train = await makeTrain([], { steps, settings })
  const { world, app, admin } = train
  const { id: connectionId } = await connectSlack(world, credentials)
  await world.write((scope) => replaceIntegrations(scope, app, [talkOf(connectionId)]))
  for (const version of versions) await admin.post(`/app/${app}/release`, { version })
  const pass = async (milliseconds = 30 * SECOND) => {
    stage.clock.advance(milliseconds)
    while ((await stage.worker.turn()) > 0);
  }
  return {
    ...train,
    ...workspace,
    stage,
    connectionId,
    pass,
    press: (name: string, button: Button, more: Partial<Press> = {}) =>
      workspace.press(connectionId, name, button, more),
    deliver: (sent: Parameters<typeof deliver>[1]) => deliver(connectionId, sent),
  }
}

const deliver = (
  id: string,
  { headers, rawBody }: { headers: Record<string, string>; rawBody: Uint8Array }
) => nobody.send('POST', `/connection/${id}/callback`, { raw: Buffer.from(rawBody), headers })
