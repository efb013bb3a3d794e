import type { BegunAuthorization, ProviderPluginDetails } from '#integrations/connection_entities'
import type { ObjectSchema } from '#plugin-kit/schema'
import { addresses, addressOf } from '../addresses.js'
import { fieldView } from '../components/field.view.js'
import { controlsOf, fieldAt, type ControlView } from '../components/schema_form.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { kindsText } from '../words/kinds.js'
import { inSentence } from '../words/times.js'
import type { AuthorizedAnswers, RotationAnswers } from './answers.js'
import { nameOf } from './state.js'
import { wayIn, waysOf, type Way } from './ways.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params' | 'query'>

/** Pages of the guide about connecting a provider, by plugin id. */
const GUIDE_PAGES: Readonly<Record<string, string>> = {
  'app-store-connect': '/guide/how-to/connect/app-store-connect',
  'git': '/guide/app/integrations/providers/git/',
  'github': '/guide/how-to/connect/github',
  'google-play': '/guide/how-to/connect/google-play',
  'jira': '/guide/how-to/connect/jira',
  'slack': '/guide/how-to/connect/slack',
}

/** Returns the view of the form that connects a provider in one of its ways. */
export function connectView(plugin: ProviderPluginDetails, call: Call) {
  const { params, refused } = call
  const { orgId } = params
  const ways = waysOf(plugin)
  const way = wayIn(ways, refused?.fields.with ?? call.query.with)
  const of = { orgId, pluginId: plugin.id }
  const here = addressOf(addresses.connect, of)
  const isBrowser = way.id === 'browser'
  const action = isBrowser ? addressOf(addresses.authorize, of) : here
  const state = new FormState(refused, action, fieldAt)
  const controls = [
    ...controlsOf(plugin.connectionSchema as unknown as ObjectSchema, 'settings', { state }),
    ...controlsOf(way.schema, 'credentials', { state }),
  ]
  return {
    title: `Connect ${plugin.name}`,
    place: 'providers',
    pollSeconds: null,
    isSecret: true,
    heading: `Connect ${plugin.name}`,
    about: kindsText(plugin.kinds),
    guide: guideTo(plugin),
    back: { href: addressOf(addresses.catalogue, { orgId }), name: 'Connect a provider' },
    ...refusalIn(refused),
    tabs: tabsOf(ways, way, here),
    ...{ action, with: way.id, places: placesIn(state, controls) },
    encoding: encodingOf(controls),
    name: fieldView(state, {
      id: 'alias',
      label: 'Name (optional)',
      hint: `What files call this connection, such as “Acme on ${plugin.name}”.`,
    }),
    controls,
    verb: isBrowser ? `Go on at ${plugin.name}` : 'Check and connect',
    browser: isBrowser ? browserOf(plugin) : null,
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the form that gives a connection new credentials in one of its ways. */
export function rotateView({ connection, plugin }: RotationAnswers, call: Call) {
  const { params, refused } = call
  const ways = waysOf(plugin)
  const stored = new Set(connection.credentials.names)
  const usual = ways.find(({ id, schema }) => id !== 'browser' && isStored(schema, stored))
  const way = wayIn(ways, refused?.fields.with ?? call.query.with ?? usual?.id)
  const here = addressOf(addresses.rotateConnection, params)
  const isBrowser = way.id === 'browser'
  const action = isBrowser ? addressOf(addresses.reauthorize, params) : here
  const state = new FormState(refused, action, fieldAt)
  const controls = controlsOf(way.schema, 'credentials', { state, kept: stored })
  const name = nameOf(connection)
  return {
    title: `Rotate ${name}`,
    place: 'providers',
    pollSeconds: null,
    isSecret: true,
    heading: `Rotate ${name}`,
    about: 'New credentials are checked first; if they are refused, nothing changes.',
    guide: guideTo(plugin),
    back: { href: addressOf(addresses.connection, params), name },
    ...refusalIn(refused),
    tabs: tabsOf(ways, way, here),
    ...{ action, with: way.id, name: null, controls, places: placesIn(state, controls) },
    encoding: encodingOf(controls),
    verb: isBrowser ? `Go on at ${plugin.name}` : 'Check and rotate',
    browser: isBrowser ? browserOf(plugin) : null,
  } satisfies PageView & Record<string, unknown>
}

const guideTo = ({ id, name }: ProviderPluginDetails) =>
  id in GUIDE_PAGES ? { href: GUIDE_PAGES[id], name: `How to connect ${name}` } : null

/** Returns the text about a refused form, without the code at its end. */
function refusalIn(refused: Call['refused']) {
  if (!refused) return {}
  const { message, extras } = refused.problem
  const isMarked = (extras.errors ?? []).length > 0
  return {
    refusal: isMarked
      ? 'Nothing was stored. Change what is marked.'
      : message.replace(/ \(\w+\)\.$/, '.'),
  }
}

/** Returns whether all credentials that a way needs are stored. */
const isStored = ({ required = [] }: ObjectSchema, stored: ReadonlySet<string>) =>
  required.length > 0 && required.every((name) => stored.has(name))

const tabsOf = (ways: readonly Way[], chosen: Way, here: string) =>
  ways.length < 2
    ? []
    : ways.map((way) => ({
        name: way.name,
        href: `${here}?with=${way.id}`,
        isChosen: way === chosen,
      }))

/** Returns the errors of a form, with links to the fields that it shows. */
function placesIn({ errors }: FormState, controls: readonly ControlView[]) {
  const shown = new Set(['alias', ...flat(controls).map(({ id }) => id)])
  return errors.map((fault) => (shown.has(fault.field ?? '') ? fault : { ...fault, field: null }))
}

const flat = (controls: readonly ControlView[]): ControlView[] =>
  controls.flatMap((control) => [control, ...flat(control.controls)])

/** Returns the encoding of a form: a file needs multipart. */
const encodingOf = (controls: readonly ControlView[]) =>
  controls.some(({ as }) => as === 'file')
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded'

/** Returns the preparations at a provider before somebody can consent in the browser. */
function browserOf({ name, browser }: ProviderPluginDetails) {
  const { redirectUri, preparation } = browser!
  return {
    redirectUri,
    text: `${name} leads back to this address. Where it asks for a callback or redirect address, enter it there.`,
    preparation: preparation && {
      text: preparation.text,
      url: webUrlOf(preparation.url),
      verb: `Prepare it at ${name}`,
    },
  }
}

/** Returns an address from outside if it is safe as a link; an empty text if it is not. */
const webUrlOf = (url: string): string => (/^https?:\/\//.test(url) ? url : '')

/**
 * Returns the view of the page that leads to a provider: by a link, or by a form that is posted
 * there.
 */
export function goView(begun: BegunAuthorization, { reader, params }: Call) {
  return {
    title: `Go on at ${begun.name}`,
    place: 'providers',
    pollSeconds: null,
    isSecret: true,
    leadsTo: new URL(begun.url).origin,
    heading: `Go on at ${begun.name}`,
    text: `${begun.name} asks you there, and leads back here. Only this browser can finish it, until ${inSentence(begun.expiresAt, reader)}.`,
    verb: `Go to ${begun.name}`,
    url: webUrlOf(begun.url),
    fields: Object.entries(begun.form ?? {}).map(([name, value]) => ({ name, value })),
    isForm: begun.form !== null,
    back: addressOf(addresses.connections, { orgId: params.orgId }),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the result after a browser has come back from a provider. */
export function authorizedView({ connection, next, problem }: AuthorizedAnswers, call: Call) {
  const { orgId } = call.params
  const frame = { place: 'providers', pollSeconds: null, isSecret: true } as const
  const list = { href: addressOf(addresses.connections, { orgId }), name: 'See the providers' }
  if (connection) {
    const to = addressOf(addresses.connection, { orgId, connectionId: connection.id })
    return {
      ...{ title: 'Connected', ...frame },
      leadsOn: { to, said: `Connected ${nameOf(connection)}.` },
    } satisfies PageView & Record<string, unknown>
  }
  if (next) {
    const go = goView(next, call)
    return {
      ...{ title: go.title, ...frame, leadsTo: go.leadsTo },
      heading: 'One more step',
      lines: [go.text],
      go,
      to: list,
    } satisfies PageView & Record<string, unknown>
  }
  const isUnknown = problem === null || problem.code === 'authorization_unknown'
  return {
    ...{ title: 'Not connected', ...frame },
    httpStatus: problem?.status ?? 404,
    heading: 'Not connected',
    lines: isUnknown
      ? [
          'Nothing that this browser started is waiting for a response: it was finished before, is older than ten minutes, or was started elsewhere.',
          'See whether it is connected. If it is not, connect it again.',
        ]
      : [problem.message, 'Nothing was stored. Connect the provider again.'],
    go: null,
    to: isUnknown
      ? list
      : { href: addressOf(addresses.catalogue, { orgId }), name: 'Connect a provider' },
  } satisfies PageView & Record<string, unknown>
}
