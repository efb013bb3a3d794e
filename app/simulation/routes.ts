import { MAX_FILE_BYTES } from '#configuration/read_configuration_file'
import { admin, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { ConnectionEntity } from '#integrations/connection_entities'
import { exampleConnection } from '#integrations/connection_examples'
import { SimulatedWorldEntity } from './entities.js'
import { EXAMPLE_SCENARIO, exampleWorld } from './examples.js'
import type { Scenario } from './scenarios/scenario.js'
import {
  advanceWorldValidator,
  consoleActionValidator,
  resetWorldValidator,
  startWorldValidator,
  type AdvanceWorldInput,
  type ConsoleActionInput,
  type ResetWorldInput,
  type StartWorldInput,
} from './validators/world_input.js'
import { oneStep } from '#foundation/api/operation/steps'

const simulation = lazyController(
  async () => new (await import('./controllers/simulation_controller.js')).SimulationController()
)
const base = '/org/{orgId}/simulatedWorld'
const shared = { tag: 'Simulation', beyond: true, access: admin } as const
const results = {
  200: { description: 'The world.', schema: SimulatedWorldEntity, example: exampleWorld },
}
const ONLY = 'For tests; 404 if the organization’s simulators are not connected.'

export const operations = [
  operation<StartWorldInput>({
    ...shared,
    surface: 'pages',
    id: 'startSimulatedWorld',
    method: 'POST',
    path: `${base}/start`,
    summary: 'Connect the simulated providers',
    description:
      'Creates a simulated world for the organization and connects all its providers, or those that are missing; 409 if none is.',
    apart: true,
    body: {
      kind: 'json',
      name: 'SimulatedWorldStart',
      description: 'Name of the world in configuration files.',
      validator: startWorldValidator,
      example: { alias: 'Rehearsal' },
    },
    responses: {
      200: {
        description: 'The new connections.',
        schema: list('The connections.', ConnectionEntity, 10),
        example: [exampleConnection],
      },
    },
    errors: [409],
    handle: (call) => simulation.start(call),
  }),
  operation({
    ...shared,
    id: 'getSimulatedWorld',
    method: 'GET',
    path: base,
    summary: 'Get the simulated world',
    description: `Returns the state of the simulated providers. ${ONLY}`,
    responses: results,
    handle: (call) => simulation.show(call),
  }),
  operation<Scenario>({
    ...shared,
    id: 'playSimulatedScenario',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'PUT',
    path: `${base}/scenario`,
    summary: 'Play a scenario in the simulated world',
    description: `Restarts the world at the service’s time with a scenario. ${ONLY}`,
    body: {
      kind: 'text',
      format: 'yaml',
      description:
        'A scenario file, or the bare name of a built-in scenario, such as `rejected`. YAML 1.2, one document, at most 128 KiB; also as the part `file`.',
      example: EXAMPLE_SCENARIO,
      maxBytes: MAX_FILE_BYTES,
      read: async (file) => (await import('./scenarios/read_scenario.js')).readSentScenario(file),
    },
    responses: results,
    handle: (call) => simulation.play(call),
  }),
  operation<AdvanceWorldInput>({
    ...shared,
    id: 'advanceSimulatedWorld',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'POST',
    path: `${base}/advance`,
    summary: 'Let time pass in the simulated world',
    description: `Advances time in the world alone; the service observes its providers again soon after. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'AdvanceSimulatedWorldRequestBody',
      description: 'Amount of time to pass.',
      validator: advanceWorldValidator,
      example: { span: '2h30m' },
    },
    responses: results,
    handle: (call) => simulation.advance(call),
  }),
  operation<ConsoleActionInput>({
    ...shared,
    id: 'actInSimulatedConsole',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'POST',
    path: `${base}/console`,
    summary: 'Act in the console of a simulated store',
    description: `Performs an action of a person in the store’s own console now, for each app in the store: publishes what managed publishing holds, sends changes for review, or halts a rollout. 409 if the store refuses it. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'ActInSimulatedConsoleRequestBody',
      description: 'The action and its store.',
      validator: consoleActionValidator,
      example: { store: 'googlePlay', deed: 'publishes' },
    },
    responses: results,
    errors: [409],
    handle: (call) => simulation.act(call),
  }),
  operation<ResetWorldInput>({
    ...shared,
    id: 'resetSimulatedWorld',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'POST',
    path: `${base}/reset`,
    summary: 'Begin the simulated world anew',
    description: `Restarts the world at the service’s time without a scenario. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'ResetSimulatedWorldRequestBody',
      description: 'Options of the new world.',
      validator: resetWorldValidator,
      example: { seed: exampleWorld.seed },
      optional: true,
    },
    responses: results,
    handle: (call) => simulation.reset(call),
  }),
]
