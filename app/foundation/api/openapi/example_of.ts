import type { EventDeclaration } from '../../core/events/catalog.js'
import type { ResponseDeclaration } from '../operation/declaration.js'

/** Returns the example of a response. An example that depends on other modules is a function. */
export function exampleIn({ example }: ResponseDeclaration): unknown {
  return typeof example === 'function' ? example() : example
}

/** Returns an example of the payload of an event. */
export function exampleOfEvent({
  example,
  type,
  payload,
}: EventDeclaration): Record<string, unknown> {
  const { id, ...members } = example()
  return { id, eventType: type, type, model: payload.name, ...members }
}
