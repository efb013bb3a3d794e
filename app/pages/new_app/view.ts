import { APP_PLATFORMS, suitsPlatform } from '#apps/vocabulary'
import type { ConnectionEntity } from '#integrations/connection_entities'
import type { PluginPlatform } from '#plugin-kit/manifest'
import type { ObjectSchema } from '#plugin-kit/schema'
import { SIMULATED_DATA, SIMULATORS } from '#simulation/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { textIn } from '../configuration/answers.js'
import { errorsView } from '../configuration/faults.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { nameOf } from '../providers/state.js'
import { platformName } from '../words/names.js'
import type { NewAppAnswers } from './answers.js'
import { choiceOf, fieldAt, fileOf, OFFERED, UNDECIDED } from './file.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of the forms that make an app. */
export function newAppView(answers: NewAppAnswers, { reader, refused, params }: Call) {
  const { typed, plan } = answers
  const of = { orgId: params.orgId }
  const actions = {
    make: addressOf(addresses.newApp, of),
    file: addressOf(addresses.newAppFile, of),
    check: addressOf(addresses.newAppCheck, of),
    makeFromFile: addressOf(addresses.newAppFromFile, of),
  }
  const state = new FormState(typed, [actions.make, actions.file], fieldAt)
  const isOfFields = typed?.action === actions.make
  const text = textFrom(answers, actions)
  return {
    title: 'New app',
    place: null,
    pollSeconds: null,
    isSecret: true,
    ...errorsView(isOfFields ? null : refused, text, 'Nothing was created.'),
    ...(refused && isOfFields && placesOf(state)),
    back: addressOf(addresses.home, of),
    may: reader.may('createAppFromConfiguration'),
    note: 'People who may change the settings of apps can create apps.',
    actions,
    name: fieldView(state, { id: 'name', label: 'Name' }),
    platform: choicesView(state, {
      id: 'platform',
      label: 'Platform',
      options: APP_PLATFORMS.map((value) => ({ value, label: platformName(value) })),
    }),
    offers: offersOf(answers, state, { ...of, isListed: reader.may('listProviderChannels') }),
    connect: reader.may('listConnections') ? addressOf(addresses.catalogue, of) : null,
    text,
    checked: plan ? 'It is valid. The app can be created.' : null,
  } satisfies PageView & Record<string, unknown>
}

function textFrom({ typed }: NewAppAnswers, actions: Record<'make' | 'file', string>): string {
  if (typed === null || typed.action === actions.make) return ''
  return typed.action === actions.file ? fileOf(typed.fields) : textIn(typed.fields)
}

const BRANCH = 'Branch to release from'

const LABELS = new Map<string, string>([
  ['name', 'Name'],
  ['platform', 'Platform'],
  ['workingBranch', BRANCH],
  ...OFFERED.flatMap(({ kind, label, data, dataLabel }): [string, string][] => [
    [kind, label],
    [data, dataLabel],
  ]),
])

/** Returns the errors of fields with their labels, which problems of a file do not name. */
function placesOf({ errors }: FormState) {
  if (errors.length === 0) return {}
  const places = errors.map(({ field, message }) => {
    const label = LABELS.get(field ?? '')
    if (label) return { field, message: `${label}: ${message}` }
    return { field: null, message: field ? `${field}: ${message}` : message }
  })
  return { places, refusal: 'Nothing was created.' }
}

/** Returns the choices of fields for each kind that has a connection. */
function offersOf(
  { connections, plugins }: NewAppAnswers,
  state: FormState,
  { orgId, isListed }: { orgId: string; isListed: boolean }
) {
  const findOf = (connection: ConnectionEntity) => ({
    name: `Find channels of ${nameOf(connection)}`,
    href: addressOf(addresses.channels, { orgId, connectionId: connection.id }),
  })
  // Once a platform is chosen, only what suits it is offered.
  const platform = APP_PLATFORMS.find((each) => each === state.text('platform'))
  return OFFERED.flatMap(({ kind, label, data, dataLabel }) => {
    const offered = connections.flatMap((connection) => {
      const plugin = plugins.find(({ id }) => id === connection.plugin.id)
      const capability = plugin?.capabilities.find((each) => each.kind === kind)
      const isSuitable = capability && (!platform || suitsPlatform(capability.platforms, platform))
      return isSuitable ? [{ connection, capability }] : []
    })
    if (offered.length === 0) return []
    const isSimulated = offered.every(({ connection }) => SIMULATORS.includes(connection.plugin.id))
    const options = offered.map(({ connection, capability }) => ({
      value: choiceOf(capability.type, connection.alias ?? connection.id),
      label: `${nameOf(connection)} (${[connection.plugin.name, ...(capability.platforms ?? []).map(platformsText)].join(', ')})`,
    }))
    const titles = offered.flatMap(({ capability }) => {
      const { properties = {} } = (capability.dataSchema ?? {}) as Partial<ObjectSchema>
      return properties[data]?.title ?? []
    })
    const field = (id: string, fieldLabel: string, stored: string, hint?: string) =>
      fieldView(state, { id, label: fieldLabel, stored, hint })
    return [
      {
        chosen: choicesView(state, {
          id: kind,
          label,
          options: [...(options.length > 1 ? [CHOOSE] : []), ...options, NONE],
        }),
        finds:
          kind === 'chat' && isListed ? offered.map(({ connection }) => findOf(connection)) : [],
        fields: [
          field(
            data,
            dataLabel,
            isSimulated ? SIMULATED_DATA[data] : '',
            [...new Set(titles)].join('; ')
          ),
          ...(kind === 'versionControl' ? [field('workingBranch', BRANCH, 'main')] : []),
        ],
      },
    ]
  })
}

const platformsText = (platform: PluginPlatform) =>
  platform === 'ota' ? 'over the air' : platformName(platform)

const CHOOSE = { value: UNDECIDED, label: 'Choose one' }
const NONE = { value: '', label: 'None' }
