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
  consoleDeedValidator,
  resetWorldValidator,
  startWorldValidator,
  type AdvanceWorldInput,
  type ConsoleDeedInput,
  type ResetWorldInput,
  type StartWorldInput,
} from './validators/world_input.js'
import { oneStep } from '#foundation/api/operation/steps'

const simulation = lazyController(
  async () => new (await import('./controllers/simulation_controller.js')).SimulationController()
)
const base = '/org/{orgId}/simulatedWorld'
const shared = { tag: 'Simulation', beyond: true, access: admin } as const
const answers = {
  200: { description: 'The world.', schema: SimulatedWorldEntity, example: exampleWorld },
}
const ONLY = 'For tests; 404 for an organization whose simulators are not connected.'

export const operations = [
  operation<StartWorldInput>({
    ...shared,
    surface: 'pages',
    id: 'startSimulatedWorld',
    method: 'POST',
    path: `${base}/start`,
    summary: 'Connect the simulated providers',
    description:
      'Makes a simulated world for the organization and connects all of it, or what is missing. 409 where nothing is.',
    apart: true,
    body: {
      kind: 'json',
      name: 'SimulatedWorldStart',
      description: 'What files call the world.',
      validator: startWorldValidator,
      example: { alias: 'Rehearsal' },
    },
    answers: {
      200: {
        description: 'What it connected.',
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
    description: `How things stand with the simulated providers. ${ONLY}`,
    answers,
    handle: (call) => simulation.show(call),
  }),
  operation<Scenario>({
    ...shared,
    id: 'playSimulatedScenario',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'PUT',
    path: `${base}/scenario`,
    summary: 'Play a scenario in the simulated world',
    description: `Begins the world anew, at the service’s time, as a scenario has it. ${ONLY}`,
    body: {
      kind: 'text',
      format: 'yaml',
      description:
        'A scenario file, or the bare name of a scenario in the box, such as `rejected`. YAML 1.2, one document, at most 128 KiB; also as the part `file`.',
      example: EXAMPLE_SCENARIO,
      maxBytes: MAX_FILE_BYTES,
      read: async (file) => (await import('./scenarios/read_scenario.js')).readSentScenario(file),
    },
    answers,
    handle: (call) => simulation.play(call),
  }),
  operation<AdvanceWorldInput>({
    ...shared,
    id: 'advanceSimulatedWorld',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'POST',
    path: `${base}/advance`,
    summary: 'Let time pass in the simulated world',
    description: `Time passes in the world alone; what the service observes of the organization is looked at again soon after. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'AdvanceSimulatedWorldRequestBody',
      description: 'How much time passes.',
      validator: advanceWorldValidator,
      example: { span: '2h30m' },
    },
    answers,
    handle: (call) => simulation.advance(call),
  }),
  operation<ConsoleDeedInput>({
    ...shared,
    id: 'actInSimulatedConsole',
    steps: oneStep('nothing of a simulated world is real'),
    method: 'POST',
    path: `${base}/console`,
    summary: 'Act in the console of a simulated store',
    description: `Does now what a person does in the store’s own console, for each app that the store has: publishes what managed publishing holds, sends changes for review, halts a rollout. 409 if the store refuses it. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'ActInSimulatedConsoleRequestBody',
      description: 'What is done, and in which store.',
      validator: consoleDeedValidator,
      example: { store: 'googlePlay', deed: 'publishes' },
    },
    answers,
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
    description: `Begins the world anew, at the service’s time, without a scenario. ${ONLY}`,
    body: {
      kind: 'json',
      name: 'ResetSimulatedWorldRequestBody',
      description: 'What chance in the new world follows from.',
      validator: resetWorldValidator,
      example: { seed: exampleWorld.seed },
      optional: true,
    },
    answers,
    handle: (call) => simulation.reset(call),
  }),
]
