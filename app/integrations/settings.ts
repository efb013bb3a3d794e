import type { Kind } from '#plugin-kit/kinds'

/** One event of product analytics, with the parameter that is looked at. */
export interface SelectedEvent {
  eventName: string
  paramName?: string
}

/** `data` of an integration. */
export type IntegrationData = Record<string, string | string[] | SelectedEvent[]>

/** One entry of `integrations` in a configuration file. */
export interface IntegrationConfiguration {
  key: string
  type: string
  kind: Kind
  /** Id of the connection. */
  provider: string
  data: IntegrationData
}
