import { test } from '@japa/runner'
import type {
  ChatMessage,
  Interactions,
  Mutation,
  Plugin,
  PluginContext,
  PortFetch,
  Ref,
} from '@tarmac/plugin-kit'
import { registerPlantedFaults, type PlantedFault } from '@tarmac/plugin-kit/testing'
import SlackChat from '../capabilities/chat.js'
import interactions from '../interactions.js'
import plugin from '../plugin.js'
import webhooks from '../webhooks.js'
import { options } from './support/options.js'

/*
 * The conformance suite finds faults that this plugin might have: each one fails the rule about it.
 */

const withChat = (Broken: typeof SlackChat): Plugin => ({
  ...plugin,
  capabilities: { chat: async () => ({ default: Broken }) },
})

const withPresses = (broken: Partial<Interactions>): Plugin => ({
  ...plugin,
  interactions: async () => ({ default: { ...interactions, ...broken } }),
})

/** Returns a context that changes its calls. */
const leading = (ctx: PluginContext, lead: (client: PortFetch) => PortFetch): PluginContext => ({
  ...ctx,
  http: { ...ctx.http, client: lead(ctx.http.client) },
})

/** Changes the arguments of a method. */
const changing =
  (method: string, change: (args: URLSearchParams) => void) =>
  (client: PortFetch): PortFetch =>
  (input, init) => {
    if (!String(input).endsWith(`/${method}`)) return client(input, init)
    const args = new URLSearchParams(String(init?.body))
    change(args)
    return client(input, { ...init, body: args.toString() })
  }

type Post = Parameters<SlackChat['post']>

const FAULTS: readonly PlantedFault[] = [
  {
    what: 'a refusal in an answer with 200 counts as done',
    rule: 'chat.C3',
    broken: withChat(
      class extends SlackChat {
        override async post(...given: Post): Promise<Ref> {
          return super.post(...given).catch(() => ({ id: 'M1' }))
        }
      }
    ),
  },
  {
    what: 'a message is posted without looking for one with its key',
    rule: 'chat.R5',
    broken: withChat(
      class extends SlackChat {
        override post(channel: string, message: ChatMessage, m: Mutation & { threadOf?: string }) {
          return super.post(channel, message, { ...m, idempotencyKey: `${Math.random()}` })
        }
      }
    ),
  },
  {
    what: 'a message is posted again by the port when its answer is lost',
    rule: 'chat.R4',
    broken: withChat(
      class extends SlackChat {
        constructor(ctx: PluginContext) {
          super(
            leading(ctx, (client) => (input, init) => client(input, { ...init, idempotent: true }))
          )
        }
      }
    ),
  },
  {
    what: 'a reply is posted in the channel instead of its thread',
    rule: 'chat.C2',
    broken: withChat(
      class extends SlackChat {
        constructor(ctx: PluginContext) {
          super(
            leading(
              ctx,
              changing('chat.postMessage', (args) => args.delete('thread_ts'))
            )
          )
        }
      }
    ),
  },
  {
    what: 'an edit posts another message',
    rule: 'chat.C4',
    broken: withChat(
      class extends SlackChat {
        override update(channel: string, _ref: Ref, message: ChatMessage) {
          return super.post(channel, message, { idempotencyKey: 'edit' })
        }
      }
    ),
  },
  {
    what: 'text is sent without escaping its markup',
    rule: 'chat.C1',
    broken: withChat(
      class extends SlackChat {
        constructor(ctx: PluginContext) {
          super(
            leading(
              ctx,
              changing('chat.postMessage', (args) =>
                args.set('text', args.get('text')!.replaceAll(/&(lt|gt|amp);/g, ''))
              )
            )
          )
        }
      }
    ),
  },
  {
    what: 'pages of channels start over',
    rule: 'chat.P1',
    broken: withChat(
      class extends SlackChat {
        constructor(ctx: PluginContext) {
          super(
            leading(
              ctx,
              changing('conversations.list', (args) => args.set('limit', '100'))
            )
          )
        }
        override async listChannels(query: string, cursor?: string) {
          const { items } = await super.listChannels(query, cursor)
          return { items }
        }
      }
    ),
  },
  {
    what: 'a channel whose name is taken is not found',
    rule: 'chat.C5',
    broken: withChat(
      class extends SlackChat {
        override async ensureChannel(name: string, members: string[]) {
          const { items } = await super.listChannels(name)
          if (items.length > 0) throw new Error('name_taken')
          return super.ensureChannel(name, members)
        }
      }
    ),
  },
  {
    what: 'a press is accepted at any age',
    rule: 'W9',
    broken: {
      ...plugin,
      webhooks: async () => ({
        default: {
          ...webhooks,
          verify(request, ...more) {
            const stamp = Number(request.headers['x-slack-request-timestamp'])
            return webhooks.verify({ ...request, receivedAt: new Date(stamp * 1000) }, ...more)
          },
        },
      }),
    },
  },
  {
    what: 'an action has the name that is sent to Slack',
    rule: 'W8',
    broken: withPresses({
      read(request) {
        const press = interactions.read(request)
        return press && { ...press, action: `${press.action}:0` }
      },
    }),
  },
  {
    what: 'a person whom Slack does not know is a member without an address',
    rule: 'W10',
    broken: withPresses({
      member: (ctx, id) =>
        interactions
          .member(ctx, id)
          .then((found) => (found.kind === 'stranger' ? { ...found, kind: 'member' } : found)),
    }),
  },
]

registerPlantedFaults({ test, ...options, faults: FAULTS })
