import type { ProviderCallEntity } from '#integrations/connection_entities'
import { dataFieldsOf } from '#plugin-kit/check_manifest'
import type { CapabilityKind } from '#plugin-kit/kinds'
import type { ObjectSchema } from '#plugin-kit/schema'
import { addresses, addressOf } from '../addresses.js'
import { labelOf } from '../components/schema_form.view.js'
import { questionView } from '../components/question.view.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appNames } from '../words/names.js'
import { countText, counted } from '../words/numbers.js'
import { inSentence, relativeText, timeText, type TimeReader } from '../words/times.js'
import type { ConnectionAnswers, SecretAnswers } from './answers.js'
import { checkedText, nameOf, stateOf } from './state.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of one connection: its state, permissions and uses, and how to repair it. */
export function connectionView(answers: ConnectionAnswers, { reader, params }: Call) {
  const { connection, calls, apps, plugin } = answers
  const { status, callback } = connection
  const nameOfApp = appNames(apps)
  const isConnected = status !== 'disconnected'
  return {
    title: nameOf(connection),
    place: 'providers',
    pollSeconds: null,
    isSecret: callback !== null,
    back: addressOf(addresses.connections, params),
    heading: nameOf(connection),
    provider: connection.plugin.name,
    state: stateOf(connection, reader),
    checked: checkedText(connection, reader),
    checkAction: isConnected ? addressOf(addresses.checkConnection, params) : null,
    rotateHref: plugin ? addressOf(addresses.rotateConnection, params) : null,
    rotateVerb: isConnected ? 'Rotate' : 'Connect again',
    disconnectHref: isConnected ? addressOf(addresses.disconnect, params) : null,
    facts: factsOf(answers, reader),
    missing: connection.missingPermissions,
    uses: connection.uses.map(({ appId, alias, type }) => ({
      name: nameOfApp(appId),
      as: `${alias}, ${type}`,
      href: addressOf(addresses.app, { appId }),
    })),
    file: plugin ? fileOf(answers) : null,
    channelsHref:
      isConnected && plugin?.capabilities.some(({ kind }) => kind === 'chat')
        ? addressOf(addresses.channels, params)
        : null,
    callback: callback && {
      address: callback.url ?? callback.path,
      note: callback.url
        ? `Enter it at ${connection.plugin.name}, unless it is there already.`
        : 'The service has no public address (PUBLIC_URL), so nothing can be sent to it. Changes are found by polling.',
      secret: secretOf(connection.plugin, callback.hasSecret),
      failure:
        callback.failure &&
        `${connection.plugin.name} created no webhook, so changes are found by polling: ${callback.failure}`,
      received: callback.receivedAt
        ? `The last callback arrived ${inSentence(callback.receivedAt, reader)}.`
        : 'No callback has arrived yet.',
      action: connection.plugin.takesWebhooks ? addressOf(addresses.callbackSecret, params) : null,
    },
    calls: calls.map((call) => callRow(call, reader)),
  } satisfies PageView & Record<string, unknown>
}

function secretOf(
  { name, takesWebhooks }: ConnectionAnswers['connection']['plugin'],
  has: boolean
) {
  if (!takesWebhooks) return `${name} signs with its own secret, which is among the credentials.`
  return has ? 'It has a secret.' : 'It has no secret yet.'
}

function factsOf({ connection, plugin }: ConnectionAnswers, times: TimeReader) {
  const { properties = {} } = (plugin?.connectionSchema ?? {}) as Partial<ObjectSchema>
  const { id, account, endsAt, budget, settings, closedHosts, credentials } = connection
  const facts: [string, string | null][] = [
    ['Account', account],
    ['Name in files', connection.alias ?? id],
    ['Id', connection.alias === null ? null : id],
    ['Credentials end', endsAt && timeText(endsAt, times)],
    ...Object.entries(settings).map(([name, value]): [string, string] => [
      labelOf(name, properties[name]),
      textOf(value),
    ]),
    [
      'Calls left',
      budget &&
        `${countText(budget.left)} of ${countText(budget.of)} in ${spanOf(budget.perSeconds)}`,
    ],
    [
      'Credentials',
      credentials.version === null
        ? 'None'
        : `Version ${credentials.version}, fingerprint ${credentials.fingerprint}`,
    ],
    ...closedHosts.map(({ host, since }): [string, string] => [
      'Not called',
      `${host}, since ${inSentence(since, times)}`,
    ]),
  ]
  return facts.flatMap(([name, text]) => (text === null ? [] : [{ name, text }]))
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function spanOf(seconds: number): string {
  if (seconds % 3600 === 0) return counted(seconds / 3600, 'hour')
  if (seconds % 60 === 0) return counted(seconds / 60, 'minute')
  return counted(seconds, 'second')
}

/** Returns the lines of an app's file that use a connection for all of its kinds. */
function fileOf({ connection, plugin }: ConnectionAnswers) {
  const provider = JSON.stringify(connection.alias ?? connection.id)
  const entries = plugin!.capabilities.map(({ kind, type, dataSchema }) => {
    const fields = dataFields(kind, dataSchema as unknown as ObjectSchema | null)
    const data = fields.map(({ name, value, about }) => `      ${name}: ${value}${about}`)
    return [
      `  ${kind}:`,
      `    type: ${type}`,
      `    provider: ${provider}`,
      ...(data.length > 0 ? ['    data:', ...data] : []),
    ].join('\n')
  })
  return ['integrations:', ...entries].join('\n')
}

function dataFields(kind: CapabilityKind, schema: ObjectSchema | null) {
  const types = dataFieldsOf(kind, schema ?? undefined)
  return Object.entries(types).map(([name, type]) => {
    const about = schema?.properties[name]?.title
    return { name, value: type === 'text' ? "''" : '[]', about: about ? ` # ${about}` : '' }
  })
}

function callRow(call: ProviderCallEntity, times: TimeReader) {
  const { calledAt, method, host, path, status, milliseconds, attempt, code } = call
  return {
    when: relativeText(calledAt, times.now) ?? timeText(calledAt, times),
    what: `${method} ${host}${path}`,
    answer: status === null ? 'no answer' : String(status),
    failure: code,
    took: `${milliseconds} ms${attempt > 1 ? `, attempt ${attempt}` : ''}`,
  }
}

/** Returns the view of the confirmation before disconnecting, with the consequences. */
export function disconnectView(
  { connection, apps }: Pick<ConnectionAnswers, 'connection' | 'apps'>,
  { params }: Call
) {
  const { uses, plugin } = connection
  const nameOfApp = appNames(apps)
  const hasKey = connection.credentials.names.length > 0
  const names = [...new Set(uses.map(({ appId }) => nameOfApp(appId)))]
  const lines =
    names.length === 0
      ? ['No app uses it. The connection ends, and its credentials are deleted.']
      : [
          `${names.join(', ')} ${names.length === 1 ? 'uses' : 'use'} it. For them, nothing is read from ${plugin.name} or sent there any more; data read earlier stays.`,
          'The credentials are deleted. The apps keep their integrations, which resume with new credentials.',
        ]
  const question = questionView('providers', {
    title: `Disconnect ${nameOf(connection)}`,
    lines: hasKey
      ? [...lines, `At ${plugin.name} the key is still there: revoke it there, too.`]
      : lines,
    action: addressOf(addresses.disconnect, params),
    verb: 'Disconnect',
    cancel: addressOf(addresses.connection, params),
  })
  // The form carries the apps that were shown. It is refused if others use the connection by then.
  return { ...question, carries: { apps: uses.map(({ appId }) => appId).join(' ') } }
}

/** Returns the view of a new secret for callbacks, which is shown only once. */
export function secretView({ connection, issued }: SecretAnswers, { params }: Call) {
  return {
    title: 'Secret for callbacks',
    place: 'providers',
    pollSeconds: null,
    isSecret: true,
    heading: `Secret for callbacks of ${nameOf(connection)}`,
    secret: issued.secret,
    address: issued.url,
    text: `Enter it at ${connection.plugin.name}. The previous secret works for a day.`,
    back: addressOf(addresses.connection, params),
  } satisfies PageView & Record<string, unknown>
}
