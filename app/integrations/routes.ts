import { ANY_CONTENT, open, operation, type Wire } from '#foundation/api/operation/declaration'
import { CallbacksController, MAX_CALLBACK_BYTES } from './controllers/callbacks_controller.js'

const callbacks = new CallbacksController()

export const operations = [
  operation<Wire>({
    id: 'takeProviderCallback',
    method: 'POST',
    path: '/integration/{integrationInstallationId}/callback',
    tag: 'Integrations',
    summary: 'Take a webhook of a provider',
    description:
      'Where a provider sends by itself that something has changed. It needs no key: it is verified by the scheme of the provider, and taken once. It is never believed as a state; what it is about is looked at soon. Whatever is not taken is 404, be the integration unknown or the signature wrong.',
    beyond: true,
    access: open,
    body: {
      kind: 'wire',
      headers: {},
      example: {},
      content: {
        contentType: ANY_CONTENT,
        description: 'As the provider sends it.',
        maxBytes: MAX_CALLBACK_BYTES,
      },
    },
    answers: { 202: { description: 'It is taken, or was before.' } },
    errors: [404, 413, 415],
    handle: (call) => callbacks.take(call),
  }),
]
