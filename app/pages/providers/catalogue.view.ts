import { SIMULATORS } from '#simulation/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { fieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { kindsText } from '../words/kinds.js'
import { counted } from '../words/numbers.js'
import type { CatalogueAnswers } from './answers.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

const WAYS = {
  browser: 'in a browser',
  credentials: 'with credentials',
} as const

/** Returns the view of all providers that can be connected. */
export function catalogueView(
  { plugins, connections }: CatalogueAnswers,
  { reader, refused, params: { orgId } }: Call
) {
  const action = addressOf(addresses.simulators, { orgId })
  const state = new FormState(refused, action)
  const isSimulator = ({ id }: { id: string }) => SIMULATORS.includes(id)
  const connectionsWith = (id: string) =>
    connections.filter(({ plugin }) => plugin.id === id).length
  const simulators = plugins.filter(isSimulator)
  const simulated = connections.filter(({ plugin }) => isSimulator(plugin)).length
  return {
    title: 'Connect a provider',
    place: 'providers',
    pollSeconds: null,
    isSecret: true,
    back: addressOf(addresses.connections, { orgId }),
    rows: plugins
      .filter((plugin) => !isSimulator(plugin))
      .map(({ id, name, kinds, ways }) => ({
        name,
        kinds: kindsText(kinds),
        ways: ways.map((way) => WAYS[way]).join(' or ') || 'with one click',
        there: connectionsWith(id) > 0 ? counted(connectionsWith(id), 'connection') : null,
        href: addressOf(addresses.connect, { orgId, pluginId: id }),
      })),
    simulators:
      simulators.length > 0 && reader.may('startSimulatedWorld')
        ? {
            action,
            there: simulated > 0 ? counted(simulated, 'connection') : null,
            name: fieldView(state, {
              id: 'alias',
              label: 'Name (optional)',
              hint: 'The name of the connections in configuration files. The files in docs/examples use Rehearsal.',
              stored: 'Rehearsal',
            }),
          }
        : null,
  } satisfies PageView & Record<string, unknown>
}
