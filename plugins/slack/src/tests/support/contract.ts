import { Ajv } from 'ajv'
import type { ContractOperation, Exchange } from '@tarmac/plugin-kit/testing'
import { published } from './published.js'

/** The methods that the plugin calls, by the names of their types. */
const METHODS: Readonly<Record<string, string>> = {
  'auth.test': 'AuthTest',
  'chat.delete': 'ChatDelete',
  'chat.postMessage': 'ChatPostMessage',
  'chat.update': 'ChatUpdate',
  'conversations.create': 'ConversationsCreate',
  'conversations.history': 'ConversationsHistory',
  'conversations.invite': 'ConversationsInvite',
  'conversations.join': 'ConversationsJoin',
  'conversations.list': 'ConversationsList',
  'conversations.replies': 'ConversationsReplies',
  'oauth.v2.access': 'OauthV2Access',
  'users.info': 'UsersInfo',
  'users.lookupByEmail': 'UsersLookupByEmail',
}

/** Arguments that are numbers, since a form has no types. */
const NUMBERS = ['limit']

/** Returns Slack's published types as checks of requests and of the fake's answers. */
export async function contractOfSlack(): Promise<ContractOperation[]> {
  const names = Object.values(METHODS).flatMap((name) => [argumentsOf(name), `${name}Response`])
  const check = checkerFor(await published(names))
  const operations = Object.entries(METHODS).map(([id, name]): ContractOperation => ({
    id,
    method: 'POST',
    path: new RegExp(`^/api/${id.replaceAll('.', '\\.')}$`),
    verified: true,
    checkRequest: ({ body }) => check(id, argumentsOf(name), argumentsIn(body)),
    checkResponse: ({ response }) =>
      response ? check(id, `${name}Response`, JSON.parse(response.body)) : [],
  }))
  return [...operations, REPLY]
}

/** Slack spells one of them in two ways. */
const argumentsOf = (name: string) => `${name.replace(/^Oauth/, 'OAuth')}Arguments`

/** Reads a form for Slack, in which every argument that is no text is JSON. */
function argumentsIn(form: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(form)].map(([name, value]) => [
      name,
      /^[[{]|^(true|false)$/.test(value) || NUMBERS.includes(name) ? JSON.parse(value) : value,
    ])
  )
}

function checkerFor(definitions: Record<string, object>) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: BASE, definitions })
  return (what: string, type: string, value: unknown): string[] => {
    const ref = `${BASE}#/definitions/${type}`
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref })
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}: ${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }
}

const BASE = 'https://slack.example/'

/** A private reply to a press: no type describes it. */
const REPLY: ContractOperation = {
  id: 'POST response_url',
  method: 'POST',
  path: /^\/actions\//,
  verified: false,
  checkRequest: ({ body }: Exchange) => {
    const { response_type: type } = JSON.parse(body) as { response_type?: unknown }
    return type === 'ephemeral' ? [] : ['A reply is for who pressed alone']
  },
}
