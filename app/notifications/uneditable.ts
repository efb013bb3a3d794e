import { isProviderError } from '#integrations/ask_provider'

/** Returns whether a chat says that somebody deleted a message, or that it can be edited no more. */
export const isUneditable = (error: unknown): boolean =>
  isProviderError(error) && (error.code === 'notFound' || error.code === 'conflict')
