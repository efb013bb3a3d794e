import { accepted } from '#foundation/api/operation/response'
import { actions, operation } from '#foundation/api/operation/declaration'
import { TakeEvents } from './actions/take_events.js'
import { TakenEvents } from './entities.js'
import { customEventValidator } from './event_input.js'
import { exampleEventInput } from './examples.js'
import { oneStep } from '#foundation/api/operation/steps'

export const operations = [
  operation({
    id: 'postCustomEvents',
    steps: oneStep('adds measurements, which machines send: no tool reaches it'),
    method: 'POST',
    path: '/app/{appId}/integration/{integrationInstallationId}/events',
    tag: 'App',
    summary: 'Post data to custom observability',
    description:
      'Accepts an event, or a list of at most 500 that are validated separately, for a `generic-analytics` integration. Events form five-minute series by name, version, build and environment, which are retained for 90 days; an integration has at most 5000 series. If every event of a list fails, the answer is 422 and nothing is stored.',
    access: actions('UploadBuilds', 'AddRemoveEditIntegration'),
    body: {
      kind: 'json',
      name: 'CustomEventEntity',
      description: 'Measurements from a version of the app.',
      validator: customEventValidator,
      example: exampleEventInput,
    },
    responses: {
      202: {
        description: 'The accepted and rejected events.',
        schema: TakenEvents,
        example: { accepted: 1, rejected: 0, errors: [] },
      },
    },
    async handle({ scope, params, body }) {
      const { appId, integrationInstallationId: installationId } = params
      return accepted(await new TakeEvents(scope).handle({ appId, installationId }, body))
    },
  }),
]
