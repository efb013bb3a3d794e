import { operations } from '#foundation/api/operation/registry'
import type { Instant } from '#foundation/core/clock'
import type { SecretBox } from '#foundation/core/secret_box'

/** The request of a button: an operation, with its parameters and its body. */
export interface ButtonRequest {
  operation: string
  params: Record<string, string>
  body?: unknown
  /** The entity tag of the shown state, if the button applies to that state only. */
  ifMatch?: string
  /** Time from which the button has no effect. */
  until: Instant
}

/** A button as it is sent to a provider. */
export interface Button {
  action: string
  value: string
}

const ownerOf = (connectionId: string) => `button:${connectionId}`

/**
 * Makes a button of a connection. Its value is sealed, so that only the service can make or change
 * one.
 */
export function sealButton(
  secrets: SecretBox,
  connectionId: string,
  request: ButtonRequest
): Button {
  const { id } = operations.get(request.operation)
  return { action: id, value: secrets.seal(ownerOf(connectionId), request) }
}

/** Returns the request of a pressed button; null for one of another connection, or a forged one. */
export function openButton(
  secrets: SecretBox,
  connectionId: string,
  { action, value }: Button
): ButtonRequest | null {
  const request = secrets.open<ButtonRequest>(ownerOf(connectionId), value)
  return request?.operation === action ? request : null
}
