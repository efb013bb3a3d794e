import vine from '@vinejs/vine'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { integer, oneOf, describedAs } from '#foundation/api/operation/input'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import {
  exampleListedRehearsal,
  exampleRehearsal,
  ListedRehearsalEntity,
  RehearsalEntity,
} from './entities.js'
import {
  MAX_KEPT,
  MAX_WEEKS,
  SCENARIO_NAMES,
  DEFAULT_SCENARIO,
  DEFAULT_WEEKS,
} from './vocabulary.js'

const rehearsals = lazyController(
  async () => new (await import('./controller.js')).RehearsalsController()
)

const all = '/app/{appId}/rehearsal'
const one = `${all}/{rehearsalId}`
const shared = { tag: 'Simulation', surface: 'pages' } as const
const shown = { description: 'The rehearsal.', schema: RehearsalEntity, example: exampleRehearsal }

const startBody = vine.create({
  weeks: integer(1, MAX_WEEKS)
    .use(describedAs(`Number of weeks; ${DEFAULT_WEEKS} by default.`))
    .optional(),
  scenario: oneOf(SCENARIO_NAMES)
    .use(describedAs(`Name of a built-in scenario; \`${DEFAULT_SCENARIO}\` by default.`))
    .optional(),
})

/** Operations on rehearsals of an app, for pages. The `rehearse` command plays its own. */
export const operations = [
  operation({
    ...shared,
    id: 'listRehearsals',
    method: 'GET',
    path: all,
    summary: 'List rehearsals of an app',
    description: `Returns the last ${MAX_KEPT} rehearsals, newest first, without results.`,
    access: read,
    responses: {
      200: {
        description: 'The rehearsals.',
        schema: list('The rehearsals.', ListedRehearsalEntity, MAX_KEPT),
        example: [exampleListedRehearsal],
      },
    },
    handle: (call) => rehearsals.index(call),
  }),
  operation({
    ...shared,
    id: 'getRehearsal',
    method: 'GET',
    path: one,
    summary: 'Get a rehearsal',
    description: 'Returns the progress and result of a rehearsal.',
    access: read,
    responses: { 200: shown },
    handle: (call) => rehearsals.show(call),
  }),
  operation<{ weeks?: number; scenario?: string }>({
    ...shared,
    id: 'startRehearsal',
    method: 'POST',
    path: all,
    summary: 'Rehearse an app',
    description:
      'Plays the next weeks of the app with simulated providers, in a worker with its own process, home and time. The app is not changed. An organization can run one rehearsal at a time.',
    access: actions('CreateDeleteRelease'),
    body: {
      kind: 'json',
      name: 'RehearsalStart',
      description: 'Options of the rehearsal.',
      validator: startBody,
      example: { weeks: 3, scenario: 'rejected' },
      optional: true,
    },
    responses: { 201: shown },
    errors: [409],
    creates: 'getRehearsal',
    handle: (call) => rehearsals.store(call),
  }),
  operation({
    ...shared,
    id: 'stopRehearsal',
    method: 'POST',
    path: `${one}/stop`,
    summary: 'Stop a rehearsal',
    description: 'Stops a rehearsal under way; one that is over is left unchanged.',
    access: actions('CreateDeleteRelease'),
    responses: { 200: shown },
    handle: (call) => rehearsals.stop(call),
  }),
]
