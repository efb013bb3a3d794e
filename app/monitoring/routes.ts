import { accepted } from '#foundation/api/operation/answer'
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
      'Takes an event, or a list of at most 500 of which each is judged on its own, for a `generic-analytics` integration. Events become series of five minutes by name, version, build and environment, which are kept for 90 days; an integration has at most 5000 of them. When every event of a list failed the answer is 422 and nothing is kept.',
    access: actions('UploadBuilds', 'AddRemoveEditIntegration'),
    body: {
      kind: 'json',
      name: 'CustomEventEntity',
      description: 'What was measured in a version of the app.',
      validator: customEventValidator,
      example: exampleEventInput,
    },
    answers: {
      202: {
        description: 'What was taken, and what was not.',
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
