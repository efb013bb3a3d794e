import type { EventDeclaration } from '../../core/events/catalog.js'
import type { ResponseDeclaration } from '../operation/declaration.js'

/** Returns the example of a response; one that depends on other modules is made now. */
export function exampleIn({ example }: ResponseDeclaration): unknown {
  return typeof example === 'function' ? example() : example
}

/** Returns a payload of an event, as it could be sent. */
export function exampleOfEvent({
  example,
  type,
  payload,
}: EventDeclaration): Record<string, unknown> {
  const { id, ...members } = example()
  return { id, eventType: type, type, model: payload.name, ...members }
}
